import { scopeNames } from '../../services/clients/encode.js';
import { maskedAttributes, openedSecret } from '../../services/clients/secrets.js';
import type { Context } from '../../services/core/context.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { disclose } from '../core/disclosure.js';
import { guardNode, isAllowed, requireAllowed } from '../core/node.js';
import { Realm } from '../realms/realms.js';
import { Role, RoleConnection, RoleFilter, type RoleFilterValue, roleWhere } from '../roles/roles.js';
import { requireBelowAccount } from './accounts.js';
import {
  ClientFilter,
  type ClientFilterValue,
  ClientOrder,
  type ClientOrderValue,
  ClientProtocol,
  clientOrder,
  clientWhere,
} from './filter.js';

export const ClientKind = builder.enumType('ClientKind', {
  description: 'What a client can keep to itself.',
  values: {
    PUBLIC: { description: 'It runs where users can look into it, so it has no secret.' },
    CONFIDENTIAL: { description: 'It runs on a server and proves who it is.' },
    BEARER_ONLY: { description: 'It only accepts tokens and never asks for one.' },
  },
});

const FlowsRef = builder
  .objectRef<{ standard: boolean; implicit: boolean; directAccess: boolean; serviceAccounts: boolean }>('ClientFlows')
  .implement({
    description: 'Ways in which a client may get tokens.',
    fields: (t) => ({
      standard: t.exposeBoolean('standard', { description: 'By a code that the browser brings.' }),
      implicit: t.exposeBoolean('implicit', { description: 'Directly through the browser.' }),
      directAccess: t.exposeBoolean('directAccess', { description: 'With the password of a user.' }),
      serviceAccounts: t.exposeBoolean('serviceAccounts', { description: 'For itself, with its own credentials.' }),
    }),
  });

const UrlsRef = builder
  .objectRef<{ root: string | null; base: string | null; admin: string | null }>('ClientUrls')
  .implement({
    description: 'Where a client is found.',
    fields: (t) => ({
      root: t.exposeString('root', { nullable: true, description: 'What relative addresses of it start from.' }),
      base: t.exposeString('base', { nullable: true, description: 'Where users are sent who want to use it.' }),
      admin: t.exposeString('admin', { nullable: true, description: 'Where the server tells it of revocations.' }),
    }),
  });

const AttributeRef = builder.objectRef<{ name: string; value: string }>('ClientAttribute').implement({
  description: 'An attribute of a client.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value; a mask in the place of a private key.' }),
  }),
});

const scopesSelect = {
  protocol: true,
  scopes: { select: { optional: true, clientScope: { select: { name: true, protocol: true } } } },
} as const;

export const Client = builder.prismaNode('Client', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'An application or service that logs users in or accepts their tokens.',
  fields: (t) => ({
    clientId: t.exposeString('clientId', { description: 'Unique in the realm; what it calls itself in requests.' }),
    name: t.string({
      nullable: true,
      description: 'Name for people.',
      select: { name: true },
      resolve: ({ name }) => name || null,
    }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
      select: { description: true },
      resolve: ({ description }) => description || null,
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it may be used.' }),
    protocol: t.field({
      type: ClientProtocol,
      nullable: true,
      description: 'How it talks to the server; null for one that does not.',
      select: { protocol: true },
      resolve: ({ protocol }) => (protocol === 'openid-connect' || protocol === 'saml' ? protocol : null),
    }),
    kind: t.field({
      type: ClientKind,
      description: 'What it can keep to itself.',
      select: { publicClient: true, bearerOnly: true },
      resolve: ({ publicClient, bearerOnly }) =>
        bearerOnly ? ('BEARER_ONLY' as const) : publicClient ? ('PUBLIC' as const) : ('CONFIDENTIAL' as const),
    }),
    authenticator: t.exposeString('clientAuthenticatorType', {
      nullable: true,
      description: 'Id of the way in which it proves who it is, e.g. client-secret.',
    }),
    flows: t.field({
      type: FlowsRef,
      description: 'Ways in which it may get tokens.',
      select: {
        standardFlowEnabled: true,
        implicitFlowEnabled: true,
        directAccessGrantsEnabled: true,
        serviceAccountsEnabled: true,
      },
      resolve: (client) => ({
        standard: client.standardFlowEnabled,
        implicit: client.implicitFlowEnabled,
        directAccess: client.directAccessGrantsEnabled,
        serviceAccounts: client.serviceAccountsEnabled,
      }),
    }),
    urls: t.field({
      type: UrlsRef,
      description: 'Where it is found.',
      select: { rootUrl: true, baseUrl: true, adminUrl: true },
      resolve: ({ rootUrl, baseUrl, adminUrl }) => ({
        root: rootUrl || null,
        base: baseUrl || null,
        admin: adminUrl || null,
      }),
    }),
    redirectUris: t.stringList({
      description: 'Where the browser may be sent after a login; a star at the end stands for anything.',
      select: { redirectUris: true },
      resolve: ({ redirectUris }) => redirectUris as string[],
    }),
    webOrigins: t.stringList({
      description: 'Origins whose pages may call the server; + stands for those of the redirect URIs.',
      select: { webOrigins: true },
      resolve: ({ webOrigins }) => webOrigins as string[],
    }),
    attributes: t.field({
      type: [AttributeRef],
      description: 'Further settings, by name. Private keys are masked.',
      select: { attributes: true },
      resolve: ({ attributes }) =>
        Object.entries(maskedAttributes(attributes))
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    consentRequired: t.exposeBoolean('consentRequired', { description: 'Whether users are asked for consent.' }),
    fullScopeAllowed: t.exposeBoolean('fullScopeAllowed', {
      description: 'Whether its tokens have all roles of the user, and not only those in its scope.',
    }),
    alwaysDisplayInConsole: t.exposeBoolean('alwaysDisplayInConsole', {
      description: 'Whether users see it among their applications before they used it.',
    }),
    defaultScopes: t.stringList({
      description: 'Names of the client scopes that all its tokens have.',
      select: scopesSelect,
      resolve: (client) => scopeNames(client, false),
    }),
    optionalScopes: t.stringList({
      description: 'Names of the client scopes that its tokens have on request.',
      select: scopesSelect,
      resolve: (client) => scopeNames(client, true),
    }),
    secret: t.string({
      nullable: true,
      description: 'Its secret; null when it has none. Takes manage-clients; that it was read is recorded.',
      select: { secret: true },
      resolve: async ({ id, realmId, secret }, _args, ctx) => {
        await requireAllowed(ctx, realmId, 'configure:clients', { kind: 'client', id });
        if (secret === null) return null;
        await requireBelowAccount(ctx, realmId, id);
        await disclose(ctx, { realmId, resourceType: 'CLIENT', resourcePath: `clients/${id}/client-secret` });
        return openedSecret({ id, realmId, secret }, ctx.services.sealer) ?? null;
      },
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change it, its roles and its mappers.',
      resolve: ({ id, realmId }, _args, ctx) => isAllowed(ctx, realmId, 'manage:clients', { kind: 'client', id }),
    }),
  }),
});

guardNode('Client', 'Client', 'view:clients');

/** The client, for callers who may see it. */
export const seenClient = async <C extends { id: string }>(
  ctx: Context,
  realmId: string,
  client: C | null | undefined,
): Promise<C | null> =>
  client && (await isAllowed(ctx, realmId, 'view:clients', { kind: 'client', id: client.id })) ? client : null;

export const ClientConnection = connectionType('Client', Client);

interface ClientListArgs {
  filter?: ClientFilterValue | null;
  orderBy?: ClientOrderValue | null;
}

const ofRealm = related<ClientListArgs>({
  parent: 'realm',
  relation: 'clients',
  where: ({ filter }) => (filter ? clientWhere(filter) : {}),
  order: ({ orderBy }) => clientOrder(orderBy),
  permission: 'query:clients',
  visible: 'view:clients',
});

type Nested = () => { select?: object } | true;

/** What the query selects of a node, with the columns that finding it takes. */
const selectionOf = (nested: Nested, columns: object) => {
  const inner = nested();
  return { ...columns, ...(typeof inner === 'object' && inner.select) };
};

builder.prismaObjectField(Realm, 'clients', (t) =>
  t.field({
    type: ClientConnection,
    nullable: true,
    description: 'The clients, by clientId unless told. Empty for callers without view-clients.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: ClientFilter, description: 'Which of them.' }),
      orderBy: t.arg({ type: ClientOrder, description: 'In which order.' }),
    },
    ...(ofRealm as object),
  } as never),
);

builder.prismaObjectField(Realm, 'client', (t) =>
  t.field({
    type: Client,
    nullable: true,
    description: 'The client of this clientId; null when it is not there or the caller may not see it.',
    args: { clientId: t.arg.string({ required: true, description: 'What it calls itself.' }) },
    select: ({ clientId }: { clientId: string }, _ctx: Context, nested: Nested) => ({
      clients: { where: { clientId }, select: selectionOf(nested, { id: true }) },
    }),
    resolve: async (parent: { id: string; clients: { id: string }[] }, _args: object, ctx: Context) =>
      seenClient(ctx, parent.id, parent.clients[0]),
  } as never),
);

const rolesOf = related<{ filter?: RoleFilterValue | null }>({
  parent: 'client',
  relation: 'roles',
  where: ({ filter }) => (filter ? (roleWhere(filter) as Record<string, unknown>) : {}),
  order: [{ path: 'name' }, { path: 'id' }],
  permission: 'view:clients',
});

builder.prismaObjectField(Client, 'roles', (t) =>
  t.field({
    type: RoleConnection,
    nullable: true,
    description: 'The roles that it offers, by name.',
    args: { ...pageArgs, filter: t.arg({ type: RoleFilter, description: 'Which of them.' }) },
    ...(rolesOf as object),
  } as never),
);

builder.prismaObjectField(Role, 'client', (t) =>
  t.field({
    type: Client,
    nullable: true,
    description: 'The client that it belongs to; null for realm roles, and for callers without view-clients.',
    select: (_args: object, _ctx: Context, nested: Nested) => ({
      realmId: true,
      client: { select: selectionOf(nested, { id: true }) },
    }),
    resolve: async (parent: { realmId: string; client: { id: string } | null }, _args: object, ctx: Context) =>
      seenClient(ctx, parent.realmId, parent.client),
  } as never),
);

/** The field of something that belongs to a client. */
export const clientBehind = {
  type: Client,
  nullable: true,
  description: 'The client; null for callers who may not see clients.',
  select: (_args: unknown, _ctx: Context, nested: () => object) => ({ client: nested() }),
  resolve: async ({ client }: { client: { id: string; realmId: string } }, _args: unknown, ctx: Context) =>
    seenClient(ctx, client.realmId, client),
} as never;
