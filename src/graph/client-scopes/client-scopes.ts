import type { Context } from '../../services/core/context.js';
import { Client, ClientConnection } from '../clients/clients.js';
import {
  ClientFilter,
  type ClientFilterValue,
  ClientOrder,
  type ClientOrderValue,
  ClientProtocol,
  clientOrder,
  clientWhere,
} from '../clients/filter.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { combined, StringFilter, textWhere } from '../core/filters.js';
import { guardNode, permitById } from '../core/node.js';
import { Realm } from '../realms/realms.js';

/** Whether a client scope is in all tokens of a client, or in those that ask for it. */
export const ClientScopeUse = builder.enumType('ClientScopeUse', {
  description: 'When a client uses a client scope that it has.',
  values: {
    DEFAULT: { value: 'default', description: 'For all its tokens.' },
    OPTIONAL: { value: 'optional', description: 'For tokens that are asked for with the name of the scope.' },
  },
});

const ScopeAttribute = builder.objectRef<{ name: string; value: string }>('ClientScopeAttribute').implement({
  description: 'An attribute of a client scope.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

type Attributes = Record<string, string>;

export const ClientScope = builder.prismaNode('ClientScope', {
  id: { field: 'id' },
  select: { id: true, realmId: true },
  description: 'What clients have in common: claims of their tokens, by protocol mappers, and roles in their scope.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique in the realm; what requests for tokens call it.' }),
    description: t.string({
      nullable: true,
      description: 'What it is for.',
      select: { description: true },
      resolve: ({ description }) => description || null,
    }),
    protocol: t.field({
      type: ClientProtocol,
      nullable: true,
      description: 'Of which protocol the clients are that it has an effect on; null for another one.',
      select: { protocol: true },
      resolve: ({ protocol }) => (protocol === 'openid-connect' || protocol === 'saml' ? protocol : null),
    }),
    isInTokenScope: t.boolean({
      description: 'Whether the scope of tokens names it.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['include.in.token.scope'] !== 'false',
    }),
    isOnConsentScreen: t.boolean({
      description: 'Whether users see it where they are asked for their consent.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['display.on.consent.screen'] !== 'false',
    }),
    consentText: t.string({
      nullable: true,
      description: 'What users see there.',
      select: { attributes: true },
      resolve: ({ attributes }) => (attributes as Attributes)['consent.screen.text'] || null,
    }),
    attributes: t.field({
      type: [ScopeAttribute],
      description: 'Its settings and free data, by name.',
      select: { attributes: true },
      resolve: ({ attributes }) =>
        Object.entries(attributes as Attributes)
          .map(([name, value]) => ({ name, value }))
          .sort((one, other) => (one.name < other.name ? -1 : 1)),
    }),
    newClients: t.field({
      type: ClientScopeUse,
      nullable: true,
      description: 'How clients get it that are created from now on; null when they do not.',
      select: { assignment: true },
      resolve: ({ assignment }) => (assignment === 'default' || assignment === 'optional' ? assignment : null),
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
    realm: t.relation('realm', { description: 'The realm that it is in.' }),
    viewerCanManage: t.boolean({
      description: 'Whether the caller may change it, its mappers and the roles in its scope.',
      resolve: async ({ realmId }, _args, ctx) => (await permitById(ctx, realmId)).can('manage:clients'),
    }),
  }),
});

guardNode('ClientScope', 'ClientScope', 'view:clients');

export const ClientScopeConnection = connectionType('ClientScope', ClientScope);

interface ScopeFilterValue {
  and?: ScopeFilterValue[] | null;
  or?: ScopeFilterValue[] | null;
  not?: ScopeFilterValue | null;
  name?: Parameters<typeof textWhere>[0] | null;
  protocol?: string | null;
  newClients?: 'default' | 'optional' | null;
}

const ScopeFilter = builder.inputRef<ScopeFilterValue>('ClientScopeFilter').implement({
  description: 'Which client scopes; all tests that are given have to hold.',
  fields: (t) => ({
    and: t.field({ type: [ScopeFilter], description: 'All of these.' }),
    or: t.field({ type: [ScopeFilter], description: 'One of these.' }),
    not: t.field({ type: ScopeFilter, description: 'Not this.' }),
    name: t.field({ type: StringFilter, description: 'Test of the name, with regard to case.' }),
    protocol: t.field({ type: ClientProtocol, description: 'Of which protocol its clients are.' }),
    newClients: t.field({ type: ClientScopeUse, description: 'How new clients get it.' }),
  }),
});

const scopeWhere = (filter: ScopeFilterValue): Record<string, unknown> => ({
  ...combined(filter, scopeWhere),
  ...(filter.name && { name: textWhere(filter.name) }),
  ...(filter.protocol != null && { protocol: filter.protocol }),
  ...(filter.newClients != null && { assignment: filter.newClients }),
});

interface ScopeListArgs {
  filter?: ScopeFilterValue | null;
}
const scopeArgs = {
  ...pageArgs,
  ...builder.args((t) => ({ filter: t.field({ type: ScopeFilter, description: 'Which of them.' }) })),
};

const scopesOf = (
  parent: string,
  relation: string,
  permissionRoles: Pick<Parameters<typeof related>[0], 'permission' | 'visible'>,
) =>
  related<ScopeListArgs>({
    parent,
    relation,
    where: ({ filter }) => (filter ? scopeWhere(filter) : {}),
    order: [{ path: 'name' }, { path: 'id' }],
    ...permissionRoles,
  }) as object;

builder.prismaObjectField(Realm, 'clientScopes', (t) =>
  t.field({
    type: ClientScopeConnection,
    nullable: true,
    description: 'The client scopes, by name. Empty for callers without view-clients.',
    args: scopeArgs,
    ...scopesOf('realm', 'clientScopes', { permission: 'list:client-scopes', visible: 'view:clients' }),
  } as never),
);

builder.prismaObjectField(Realm, 'clientScope', (t) =>
  t.field({
    type: ClientScope,
    nullable: true,
    description: 'The client scope of this name; null when it is not there or the caller may not see it.',
    args: { name: t.arg.string({ required: true, description: 'What requests for tokens call it.' }) },
    select: ({ name }: { name: string }, _ctx: Context, nested: () => { select?: object } | true) => {
      const inner = nested();
      return {
        clientScopes: { where: { name }, select: { id: true, ...(typeof inner === 'object' && inner.select) } },
      };
    },
    resolve: async (parent: { id: string; clientScopes: object[] }, _args: object, ctx: Context) =>
      (await permitById(ctx, parent.id)).can('view:clients') ? (parent.clientScopes[0] ?? null) : null,
  } as never),
);

builder.prismaObjectFields(Client, (t) => ({
  defaultClientScopes: t.field({
    type: ClientScopeConnection,
    nullable: true,
    description: 'The client scopes that all its tokens have, by name. Those of another protocol are left out.',
    args: scopeArgs,
    ...scopesOf('client', 'defaultClientScopes', { permission: 'view:clients' }),
  } as never),
  optionalClientScopes: t.field({
    type: ClientScopeConnection,
    nullable: true,
    description: 'The client scopes that its tokens have on request, by name. Those of another protocol are left out.',
    args: scopeArgs,
    ...scopesOf('client', 'optionalClientScopes', { permission: 'view:clients' }),
  } as never),
}));

interface ClientListArgs {
  filter?: ClientFilterValue | null;
  orderBy?: ClientOrderValue | null;
}

const clientsOf = (relation: string) =>
  related<ClientListArgs>({
    parent: 'clientScope',
    relation,
    where: ({ filter }) => (filter ? clientWhere(filter) : {}),
    order: ({ orderBy }) => clientOrder(orderBy),
    permission: 'query:clients',
    visible: 'view:clients',
  }) as object;

builder.prismaObjectFields(ClientScope, (t) => {
  const args = {
    ...pageArgs,
    filter: t.arg({ type: ClientFilter, description: 'Which of them.' }),
    orderBy: t.arg({ type: ClientOrder, description: 'In which order; by clientId unless told.' }),
  };
  return {
    defaultClients: t.field({
      type: ClientConnection,
      nullable: true,
      description: 'The clients of its protocol that have it in all their tokens; only those that the caller may see.',
      args,
      ...clientsOf('defaultClients'),
    } as never),
    optionalClients: t.field({
      type: ClientConnection,
      nullable: true,
      description:
        'The clients of its protocol that have it in their tokens on request; only those that the caller may see.',
      args,
      ...clientsOf('optionalClients'),
    } as never),
  };
});
