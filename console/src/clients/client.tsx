import { Badge } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, mutate, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/permissions.js';
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
  const loaded = useLoad(ClientDetail, {
    realm,
    id,
    viewsAuthorization: may('VIEW_AUTHORIZATION'),
    viewsScopes: may('LIST_CLIENT_SCOPES'),
  });
  const client = clientOf<LoadedClient>(loaded.data?.node);
  const part = client && loaded.data?.realm && { client, realm, found: loaded.data.realm, reload: loaded.reload };
  return (
    <ObjectScreen
      title={client?.clientId ?? t('client')}
      loaded={loaded}
      object={part || undefined}
      remove={{
        isAllowed: client?.viewerCan.delete.isAllowed,
        act: (options) => mutate(ClientsDelete, { realm: part?.found.id ?? '', ids: [id] }, options),
      }}
    >
      {(part) => (
        <>
          {!part.client.isEnabled && <Badge color="gray">{t('disabled')}</Badge>}
          <ClientTabs {...part} />
        </>
      )}
    </ObjectScreen>
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
