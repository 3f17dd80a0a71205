import { listClientScopes } from '../../services/client-scopes/assignments.js';
import { clientScopeFields } from '../../services/client-scopes/fields.js';
import { get, listScopes } from '../../services/client-scopes/operations.js';
import { Client, clientLists } from '../clients/clients.js';
import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { condition, listType } from '../core/list-type.js';
import { guardNode } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { fieldConditions, fieldOrders, typeFields } from '../core/resource-fields.js';
import { Realm } from '../realms/realms.js';

/** Whether a client scope is in all tokens of a client, or only in tokens that request it. */
export const ClientScopeUse = builder.enumType('ClientScopeUse', {
  description: 'How a client uses a client scope that is assigned to it.',
  values: {
    DEFAULT: { value: 'default', description: 'Used in every token request of the client.' },
    OPTIONAL: { value: 'optional', description: 'Used only if the `scope` parameter of the request names it.' },
  },
});

const ScopeAttribute = builder.objectRef<{ name: string; value: string }>('ClientScopeAttribute').implement({
  description: 'An attribute of a client scope.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the attribute.' }),
    value: t.exposeString('value', { description: 'Value of the attribute.' }),
  }),
});

type Attributes = Record<string, string>;

export const ClientScope = builder.prismaNode('ClientScope', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'A client scope: protocol mappers and role scope mappings that several clients share.',
  fields: (t) => ({
    ...typeFields(clientScopeFields, (field) => t.field(field)),
    protocol: t.field({
      type: ClientProtocol,
      nullable: true,
      description:
        'Protocol of the clients that the scope applies to. Null for a protocol other than OpenID Connect and SAML.',
      select: { protocol: true },
      resolve: ({ protocol }) => (protocol === 'openid-connect' || protocol === 'saml' ? protocol : null),
    }),
    isInTokenScope: t.boolean({
      description: 'Whether the `scope` claim of tokens contains the name of the client scope.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['include.in.token.scope'] !== 'false',
    }),
    isOnConsentScreen: t.boolean({
      description: 'Whether the consent screen shows the client scope.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['display.on.consent.screen'] !== 'false',
    }),
    consentText: t.string({
      nullable: true,
      description: 'Text for the client scope on the consent screen.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['consent.screen.text'] || null,
    }),
    attributes: t.field({
      type: [ScopeAttribute],
      description: 'Settings and custom attributes of the client scope, ordered by name.',
      select: { attributes: true },
      resolve: ({ attributes }) =>
        Object.entries(attributes as Attributes)
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    newClients: t.field({
      type: ClientScopeUse,
      nullable: true,
      description: 'How the client scope is assigned to new clients. Null: it is not assigned.',
      select: { assignment: true },
      resolve: ({ assignment }) => (assignment === 'default' || assignment === 'optional' ? assignment : null),
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
  }),
});

guardNode(ClientScope, get);

const ClientScopeConnection = connectionType('ClientScope', ClientScope);

/** The common parts of all lists of client scopes. */
export const clientScopeLists = {
  connection: ClientScopeConnection,
  list: listType({
    name: 'ClientScope',
    plural: 'client scopes',
    conditions: {
      ...fieldConditions(clientScopeFields),
      protocol: condition(ClientProtocol, 'Matches client scopes of this protocol.', (protocol) => ({ protocol })),
      newClients: condition(
        ClientScopeUse,
        'Matches client scopes that are assigned to new clients this way.',
        (assignment) => ({ assignment }),
      ),
    },
    orders: {
      ...fieldOrders(clientScopeFields),
      PROTOCOL: { path: 'protocol', description: 'Order by protocol.' },
    },
  }),
};

relatedField(Realm, 'clientScopes', {
  ...clientScopeLists,
  relation: 'clientScopes',
  listing: listScopes,
  description: 'Client scopes of the realm, ordered by name.',
});

readableField(Realm, 'clientScope', {
  type: ClientScope,
  relation: 'clientScopes',
  description: 'The client scope with this name. Null if it does not exist.',
  args: builder.args((t) => ({ name: t.string({ required: true, description: 'Name of the client scope.' }) })),
  where: ({ name }) => ({ name }),
});

relatedField(Client, 'defaultClientScopes', {
  ...clientScopeLists,
  relation: 'defaultClientScopes',
  listing: listClientScopes,
  description: 'Default client scopes of the client, ordered by name. Scopes of another protocol are left out.',
});

relatedField(Client, 'optionalClientScopes', {
  ...clientScopeLists,
  relation: 'optionalClientScopes',
  listing: listClientScopes,
  description: 'Optional client scopes of the client, ordered by name. Scopes of another protocol are left out.',
});

relatedField(ClientScope, 'defaultClients', {
  ...clientLists,
  relation: 'defaultClients',
  description: 'Clients of the same protocol that have the scope as a default scope.',
});

relatedField(ClientScope, 'optionalClients', {
  ...clientLists,
  relation: 'optionalClients',
  description: 'Clients of the same protocol that have the scope as an optional scope.',
});
