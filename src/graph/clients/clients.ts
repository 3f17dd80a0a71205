import { clientFields } from '../../services/clients/fields.js';
import * as clients from '../../services/clients/operations.js';
import { regenerateSecret } from '../../services/clients/secret-operations.js';
import { maskedAttributes, openedSecret } from '../../services/clients/secrets.js';
import { listRoles } from '../../services/roles/operations.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { disclose } from '../core/disclosure.js';
import { guardNode } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { typeFields } from '../core/resource-fields.js';
import { Realm } from '../realms/realms.js';
import { Role, roleLists } from '../roles/roles.js';
import { requireBelowAccount } from './accounts.js';
import { ClientProtocol, clientList } from './filter.js';
import { columnsOf, readGroup, shown, withoutSettings } from './setting-values.js';
import { clientSettingGroups, generalSettings } from './settings.js';
import { groupType, settingField } from './types.js';

/** The kind of a client with these flags. */
export const kindOfClient = ({ publicClient, bearerOnly }: { publicClient?: unknown; bearerOnly?: unknown }) =>
  bearerOnly === true ? 'BEARER_ONLY' : publicClient === true ? 'PUBLIC' : 'CONFIDENTIAL';

export const ClientKind = builder.enumType('ClientKind', {
  description: 'Whether the client can keep a secret: confidential, public, or bearer-only.',
  values: {
    PUBLIC: { description: 'Public client, such as a browser or mobile application. It has no secret.' },
    CONFIDENTIAL: {
      description: 'Confidential client, such as a server application. It authenticates with its credentials.',
    },
    BEARER_ONLY: { description: 'Bearer-only client. It accepts tokens but never requests one.' },
  },
});

const AttributeRef = builder.objectRef<{ name: string; value: string }>('ClientAttribute').implement({
  description: 'An attribute of a client.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the attribute.' }),
    value: t.exposeString('value', { description: 'Value of the attribute. Private keys are masked.' }),
  }),
});

export const Client = builder.prismaNode('Client', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'A client: an application or service that logs users in or accepts their tokens.',
  fields: (t) => ({
    ...typeFields(clientFields, (field) => t.field(field)),
    protocol: t.field({
      type: ClientProtocol,
      nullable: true,
      description: 'Protocol of the client. Null if it has none.',
      select: { protocol: true },
      resolve: ({ protocol }) => (protocol === 'openid-connect' || protocol === 'saml' ? protocol : null),
    }),
    kind: t.field({
      type: ClientKind,
      description: 'Whether the client can keep a secret: confidential, public, or bearer-only.',
      select: { publicClient: true, bearerOnly: true },
      resolve: kindOfClient,
    }),
    redirectUris: t.stringList({
      description: clientFields.redirectUris.description,
      select: { redirectUris: true },
      resolve: ({ redirectUris }) => redirectUris as string[],
    }),
    webOrigins: t.stringList({
      description: clientFields.webOrigins.description,
      select: { webOrigins: true },
      resolve: ({ webOrigins }) => webOrigins as string[],
    }),
    attributes: t.field({
      type: [AttributeRef],
      description:
        'Attributes of the client that have no field of their own, ordered by name. Private keys are masked.',
      select: { attributes: true },
      resolve: ({ attributes }) =>
        withoutSettings(maskedAttributes(attributes))
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    ...Object.fromEntries(
      generalSettings.map((setting) => [
        setting.name,
        t.field({
          ...settingField(setting),
          select: columnsOf([setting]),
          resolve: (client) => shown(setting, client) as string,
        }),
      ]),
    ),
    ...Object.fromEntries(
      clientSettingGroups.map((group) => [
        group.name,
        t.field({
          type: groupType(group),
          description: group.description,
          select: columnsOf(group.settings),
          resolve: (client) => readGroup(group.settings, client),
        }),
      ]),
    ),
    secret: t.string({
      nullable: true,
      description:
        'Secret of the client. Null if it has none, and in a dry run. Each read is written to the audit log.',
      // a caller who may set a new secret may also read it
      requires: regenerateSecret,
      select: { secret: true },
      resolve: async ({ id, realmId, secret }, _args, ctx) => {
        if (secret === null) return null;
        await requireBelowAccount(ctx, realmId, id);
        const resourcePath = `clients/${id}/client-secret`;
        if (!(await disclose(ctx, { realmId, resourceType: 'CLIENT', resourcePath }))) return null;
        return openedSecret({ id, realmId, secret }, ctx.services.sealer) ?? null;
      },
    }),
    previousSecretExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time until which the previous secret is accepted beside the present one. Null if only the present one is.',
      select: { previousSecretUntil: true },
      resolve: ({ previousSecretUntil }, _args, ctx) =>
        previousSecretUntil > ctx.services.now() ? new Date(Number(previousSecretUntil)) : null,
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
    realm: t.relation('realm', { description: 'The realm it belongs to.' }),
  }),
});

guardNode(Client, clients.get);

export const ClientConnection = connectionType('Client', Client);

/** The common parts of all lists of clients. */
export const clientLists = { list: clientList, connection: ClientConnection, listing: clients.listClients };

relatedField(Realm, 'clients', { ...clientLists, relation: 'clients', description: 'Clients of the realm.' });

readableField(Realm, 'client', {
  type: Client,
  relation: 'clients',
  description: 'The client with this clientId. Null if it does not exist.',
  args: builder.args((t) => ({
    clientId: t.string({ required: true, description: 'Client identifier used in OAuth and SAML requests.' }),
  })),
  where: ({ clientId }) => ({ clientId }),
});

relatedField(Client, 'roles', {
  relation: 'roles',
  listing: listRoles,
  kind: 'client role',
  ...roleLists,
  description: 'Roles of the client, ordered by name.',
});

readableField(Role, 'client', {
  type: Client,
  relation: 'client',
  description: 'The client that the role belongs to. Null for realm roles.',
});
