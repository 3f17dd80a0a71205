import { Badge } from '@mantine/core';
import { IconShield } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { descriptionField, nameField } from '../parts/fields.js';
import { ObjectList } from '../parts/object-list.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { TabSet } from '../parts/tab-set.js';
import { load, useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { nodeOf } from '../session/node.js';
import { useMay } from '../shell/permissions.js';
import { useText } from '../text/text.js';
import { ClientAuthorization } from './client-authorization.js';
import { ClientCredentials } from './client-credentials.js';
import { ClientInstallation } from './client-installation.js';
import { ClientScopes } from './client-scopes.js';
import { sectionsOf } from './client-settings.js';
import { ClientToken } from './client-token.js';
import * as documents from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

/** Everything about one client, in tabs. */
export function Client() {
  const t = useText(texts);
  const { realm, id } = useParams({ from: '/$realm/clients/$id' });
  const may = useMay(realm);
  const loaded = useLoad(documents.ClientDetail, {
    realm,
    id,
    viewsAuthorization: may('VIEW_AUTHORIZATION'),
    viewsScopes: may('LIST_CLIENT_SCOPES'),
  });
  const client = nodeOf(loaded.data?.node);
  const part = client && loaded.data?.realm && { client, realm, found: loaded.data.realm, reload: loaded.reload };
  return (
    <ObjectScreen
      title={client?.clientId ?? t('client')}
      loaded={loaded}
      object={part}
      remove={{
        isAllowed: client?.viewerCan.delete.isAllowed,
        act: (options) => mutate('clientsDelete', { realm: part?.found.id ?? '', ids: [id] }, options),
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

function ClientTabs(part: ClientPart) {
  const { client, found, reload } = part;
  const { protocol, viewerCan } = client;
  const isOpenIdConnect = protocol !== 'SAML';
  const mappers = (
    <Mappers
      owner={client.id}
      protocol={protocol}
      mappers={client.protocolMappers?.nodes ?? []}
      isAllowed={viewerCan.createProtocolMapper.isAllowed}
      reload={reload}
    />
  );
  return (
    <TabSet
      key={client.id}
      tabs={[
        ['settings', texts.settings, <Settings {...part} />],
        isOpenIdConnect && ['credentials', texts.credentials, <ClientCredentials {...part} />],
        found.clientScopes !== undefined && ['scopes', texts.scopes, <ClientScopes {...part} />],
        ['mappers', texts.mappers, mappers],
        ['roles', texts.roles, <Roles {...part} />],
        isOpenIdConnect && ['token', texts.token, <ClientToken {...part} />],
        client.hasAuthorizationServices && ['authorization', texts.authorization, <ClientAuthorization {...part} />],
        ['installation', texts.installation, <ClientInstallation {...part} />],
      ]}
    />
  );
}

const Settings = ({ client }: ClientPart) => (
  <SettingsForm<documents.ClientFormFragment>
    nameOf={({ clientId }) => clientId}
    sections={sectionsOf(client)}
    stored={client}
    isReadOnly={!client.viewerCan.update.isAllowed}
    save={(input, options) => mutate('clientUpdate', input, options)}
    loadStored={async () => nodeOf((await load(documents.ClientStored, { id: client.id }))?.node)}
  />
);

/** The roles of a client. */
function Roles({ client, reload }: ClientPart) {
  const t = useText(texts);
  return (
    <ObjectList
      nodes={client.roles?.nodes ?? []}
      isAllowed={client.viewerCan.createRole.isAllowed}
      icon={IconShield}
      empty={{ title: t('noRoles'), hint: t('noRolesHint') }}
      describe={({ description }) => ({ hint: description })}
      add={{ title: t('addRole'), fields: [nameField, descriptionField] }}
      create={(input) => mutate('roleCreate', { container: client.id, name: '', ...input })}
      remove={({ id }, options) => mutate('roleDelete', { id }, options)}
      reload={reload}
    />
  );
}
