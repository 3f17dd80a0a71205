import { useParams } from '@tanstack/react-router';
import { descriptionField, nameField } from '../parts/fields.js';
import { IconShield } from '../parts/icons.js';
import { permissionTab } from '../parts/management-permission.js';
import { DetailScreen, type Tab } from '../parts/object-screen.js';
import { ObjectList } from '../parts/rows.js';
import { QuickStart, quickStart } from '../quick-start/quick-start.js';
import { mutate, nodeOf, useNode } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area, useMay } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { ClientAuthorization } from './client-authorization.js';
import { ClientKeys } from './client-keys.js';
import { ClientOperation } from './client-operation.js';
import { sectionsOf } from './client-settings.js';
import { ClientCredentials, ClientInstallation, type ClientPart, ClientScopes, ClientToken } from './client-tabs.js';
import { ClientDetail, ClientRoles } from './documents.js';
import { ScopeMappings } from './scope-mappings.js';
import { ClientMappers } from './shared-mappers.js';
import { texts } from './texts.js';

/** Everything about one client, in tabs. */
export function Client() {
  const { realm, id } = useParams({ from: '/$realm/clients/$id' });
  const may = useMay(realm);
  const viewsAuthorization = may('VIEW_AUTHORIZATION');
  const viewsScopes = may('LIST_CLIENT_SCOPES');
  const shown = useNode(ClientDetail, { id, viewsAuthorization });
  return (
    <DetailScreen
      shown={shown}
      area={area.clients}
      kind={texts.client}
      nameOf={({ clientId }) => clientId}
      remove={(_, options) => mutate('clientDelete', { id }, options)}
      form={{
        sections: ({ protocol }) => sectionsOf(protocol),
        save: (input, options) => mutate('clientUpdate', input, options),
        help: 'clientUpdate',
      }}
      tabs={(part) => tabsOf(part, viewsScopes)}
    />
  );
}

/** The tabs of a client besides its form. */
function tabsOf(part: ClientPart, viewsScopes: boolean): (Tab | false)[] {
  const { protocol, hasAuthorizationServices } = part.node;
  const isOpenIdConnect = protocol !== 'SAML';
  return [
    isOpenIdConnect && ['credentials', texts.credentials, <ClientCredentials {...part} />],
    ['keys', texts.keys, <ClientKeys {...part} />],
    viewsScopes && ['scopes', texts.scopes, <ClientScopes {...part} />],
    ['mappers', texts.mappers, <ClientMappers {...part} />],
    viewsScopes && ['scope-mappings', texts.scopeMappings, <ScopeMappings {...part} />],
    ['roles', texts.roles, <Roles {...part} />],
    isOpenIdConnect && ['token', texts.token, <ClientToken {...part} />],
    hasAuthorizationServices && ['authorization', texts.authorization, <ClientAuthorization {...part} />],
    ['operation', texts.operation, <ClientOperation {...part} />],
    permissionTab(part.node),
    ['installation', texts.installation, <ClientInstallation {...part} />],
    ['quick-start', quickStart, <QuickStart {...part} />],
  ];
}

/** The roles of a client. */
function Roles({ node: client }: ClientPart) {
  const t = useText(texts);
  return (
    <ObjectList
      pages={usePages(ClientRoles, { id: client.id }, ({ node }) => nodeOf(node)?.roles)}
      isAllowed={client.viewerCan.createRole.isAllowed}
      help="roleCreate"
      icon={IconShield}
      empty={{ title: t('noRoles'), hint: t('noRolesHint') }}
      describe={({ description }) => ({ hint: description })}
      add={{ title: t('addRole'), fields: [nameField, descriptionField] }}
      create={(input) => mutate('roleCreate', { container: client.id, name: '', ...input })}
      remove={({ id }, options) => mutate('roleDelete', { id }, options)}
    />
  );
}
