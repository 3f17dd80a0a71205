import { Badge, Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { NotFound } from '../parts/not-found.js';
import { Review } from '../parts/review.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ClientAuthorization } from './client-authorization.js';
import { ClientCredentials } from './client-credentials.js';
import { ClientInstallation } from './client-installation.js';
import { ClientRoles } from './client-roles.js';
import { ClientScopes } from './client-scopes.js';
import { sectionsOf } from './client-settings.js';
import { ClientToken } from './client-token.js';
import { ClientDetail, type ClientFormFragment, ClientSave, ClientStored, ClientsDelete } from './documents.js';
import type { ClientPart, LoadedClient } from './loaded-client.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

/** Everything about one client, in tabs. */
export function Client() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/clients/$id' });
  const may = useMay(realm);
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const loaded = useLoad(ClientDetail, {
    realm,
    id,
    viewsAuthorization: may('VIEW_AUTHORIZATION'),
    viewsScopes: may('LIST_CLIENT_SCOPES'),
  });
  const client = clientOf<LoadedClient>(loaded.data?.node);
  const part = client && loaded.data?.realm && { client, realm, found: loaded.data.realm, reload: loaded.reload };
  return (
    <Screen
      title={client?.clientId ?? t('client')}
      loaded={loaded}
      actions={
        client?.viewerCan.delete.isAllowed && (
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDeleting(true)}>
            {t('remove')}
          </Button>
        )
      }
    >
      {() =>
        part ? (
          <>
            {!part.client.isEnabled && <Badge color="gray">{t('disabled')}</Badge>}
            <ClientTabs {...part} />
            {isDeleting && (
              <Review
                title={`${t('remove')}: ${part.client.clientId}`}
                act={(options) => mutate(ClientsDelete, { realm: part.found.id, ids: [id] }, options)}
                done={t('done', { count: 1 })}
                isDangerous
                onDone={() => navigate({ to: '/$realm/clients', params: { realm } })}
                onClose={() => setDeleting(false)}
              />
            )}
          </>
        ) : (
          <NotFound />
        )
      }
    </Screen>
  );
}

type Tab = 'settings' | 'credentials' | 'scopes' | 'mappers' | 'roles' | 'token' | 'authorization' | 'installation';

function ClientTabs(part: ClientPart) {
  const t = useText(texts);
  const { client, found, reload } = part;
  const { id, protocol, viewerCan } = client;
  const isOpenIdConnect = protocol !== 'SAML';
  const settings = (
    <SettingsForm
      name={client.clientId}
      sections={sectionsOf(client)}
      stored={client as ClientFormFragment}
      isReadOnly={!viewerCan.update.isAllowed}
      save={(input, options) => mutate(ClientSave, { input }, options)}
      loadStored={async () => clientOf<ClientFormFragment>((await load(ClientStored, { id }))?.node)}
    />
  );
  const mappers = (
    <Mappers
      owner={id}
      protocol={protocol}
      mappers={client.protocolMappers?.edges.map(({ node }) => node) ?? []}
      isAllowed={viewerCan.createProtocolMapper.isAllowed}
      reload={reload}
    />
  );
  const tab = (name: Tab, content: ReactNode) => ({ name, title: t(name), content });
  return (
    <TabSet
      tabs={[
        { ...tab('settings', settings), keepsMounted: true },
        isOpenIdConnect && tab('credentials', <ClientCredentials {...part} />),
        found.clientScopes !== undefined && tab('scopes', <ClientScopes {...part} />),
        tab('mappers', mappers),
        tab('roles', <ClientRoles {...part} />),
        isOpenIdConnect && tab('token', <ClientToken {...part} />),
        client.hasAuthorizationServices && tab('authorization', <ClientAuthorization {...part} />),
        tab('installation', <ClientInstallation {...part} />),
      ]}
    />
  );
}

/** The client among the types that a node may be of. */
const clientOf = <Found extends object>(node: object | null | undefined): Found | undefined =>
  node && 'clientId' in node ? (node as Found) : undefined;
