import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { invalid, notFound } from '../core/refusal.js';
import { int, representation, text } from '../core/shape.js';
import type { Account } from './account.js';
import { ownRead } from './operation.js';

/** Maximum resources on one page, and maximum requests and grants of one resource. */
const mostListed = 500;

/** Columns of a user that are visible to users who share resources with them. */
export const person = { username: true, email: true, firstName: true, lastName: true } as const;

const resourceSelect = {
  id: true,
  name: true,
  displayName: true,
  iconUri: true,
  ownerId: true,
  ownerManagedAccess: true,
  resourceServerId: true,
  uris: { select: { value: true }, orderBy: { value: 'asc' } },
  scopes: {
    select: { scope: { select: { id: true, name: true, displayName: true, iconUri: true } } },
    orderBy: [{ scope: { name: 'asc' } }],
  },
  resourceServer: { select: { client: { select: { clientId: true, name: true, baseUrl: true, rootUrl: true } } } },
} as const satisfies Prisma.AuthorizationResourceSelect;

type ResourceRow = Prisma.AuthorizationResourceGetPayload<{ select: typeof resourceSelect }>;

/** A user who may use a resource, or requests it, with the names of scopes. */
export interface SharedWith {
  username: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  scopes: string[];
}

interface SharedScope {
  name: string;
  displayName?: string;
  iconUri?: string;
}

/** A resource as shown to its owner, or to a user with whom it is shared. */
export interface SharedResource {
  _id: string;
  name: string;
  displayName?: string;
  iconUri?: string;
  uris: string[];
  scopes?: SharedScope[];
  permissions?: SharedWith[];
  client: { clientId: string; name?: string; baseUrl?: string };
}

/** A page of resources; `hasMore`: whether more follow. */
export interface ResourcePage {
  resources: SharedResource[];
  hasMore: boolean;
}

const encodeClient = ({ resourceServer: { client } }: Pick<ResourceRow, 'resourceServer'>) => ({
  clientId: client.clientId,
  ...(client.name && { name: client.name }),
  ...(client.baseUrl && { baseUrl: client.baseUrl }),
});

const encode = (row: ResourceRow): SharedResource => ({
  _id: row.id,
  name: row.name,
  ...(row.displayName !== null && { displayName: row.displayName }),
  ...(row.iconUri !== null && { iconUri: row.iconUri }),
  uris: row.uris.map(({ value }) => value),
  client: encodeClient(row),
});

const encodeScopes = ({ scopes }: Pick<ResourceRow, 'scopes'>): SharedScope[] =>
  scopes.map(({ scope: { name, displayName, iconUri } }) => ({
    name,
    ...(displayName !== null && { displayName }),
    ...(iconUri !== null && { iconUri }),
  }));

const ticketSelect = {
  scopeId: true,
  requesterId: true,
  scope: { select: { name: true } },
  requester: { select: person },
} as const satisfies Prisma.PermissionTicketSelect;

type TicketRow = Prisma.PermissionTicketGetPayload<{ select: typeof ticketSelect }>;

/** The tickets of a resource by their requesters. */
function byRequester(tickets: readonly TicketRow[]): SharedWith[] {
  const found = new Map<string, SharedWith>();
  for (const { requesterId, requester, scope } of tickets) {
    const { username, email, firstName, lastName } = requester;
    const known = found.get(requesterId) ?? {
      username,
      ...(email !== null && { email }),
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
      scopes: [],
    };
    if (scope) known.scopes.push(scope.name);
    found.set(requesterId, known);
  }
  return [...found.values()];
}

const granted = { grantedTimestamp: { not: null } } as const;
const pending = { grantedTimestamp: null } as const;

const Paged = representation('AccountResourceFilter', { name: text, first: int, max: int });
type Page = { name?: string | undefined; first?: number | undefined; max?: number | undefined };

const tickets = (where: Prisma.PermissionTicketWhereInput) => ({
  where,
  select: ticketSelect,
  orderBy: [{ createdTimestamp: 'asc' as const }, { id: 'asc' as const }],
  take: mostListed,
});

async function pageOf<R>(
  { name, first = 0, max = mostListed }: Page,
  where: Prisma.AuthorizationResourceWhereInput,
  find: (page: {
    where: Prisma.AuthorizationResourceWhereInput;
    orderBy: { name?: 'asc'; id?: 'asc' }[];
    skip: number;
    take: number;
  }) => Promise<R[]>,
): Promise<{ rows: R[]; hasMore: boolean }> {
  const take = Math.min(Math.max(max, 0), mostListed);
  const sought = name ? { search: { contains: name.toLowerCase() } } : {};
  const orderBy = [{ name: 'asc' as const }, { id: 'asc' as const }];
  const rows = await find({ where: { AND: [where, sought] }, orderBy, skip: Math.max(first, 0), take: take + 1 });
  return { rows: rows.slice(0, take), hasMore: rows.length > take };
}

const roles = ['manage-account', 'view-profile'] as const;

export const listOwnResources = ownRead({
  name: 'account.resources',
  summary: 'Returns the resources that the caller owns, a page of them.',
  roles,
  input: Paged,
  run: async ({ db }, { user }: Account, page): Promise<ResourcePage> => {
    const { rows, hasMore } = await pageOf(page, { userId: user.id }, (at) =>
      db.authorizationResource.findMany({ ...at, select: resourceSelect }),
    );
    return { resources: rows.map((row) => ({ ...encode(row), scopes: encodeScopes(row) })), hasMore };
  },
});

/** Resources with tickets of the caller: shared with the caller, or requested by the caller. */
const withOwnTickets = (name: string, summary: string, state: typeof granted | typeof pending) =>
  ownRead({
    name,
    summary,
    roles,
    input: Paged,
    run: async ({ db }, { user }: Account, page): Promise<ResourcePage> => {
      const own = { requesterId: user.id, ...state };
      const { rows, hasMore } = await pageOf(page, { tickets: { some: own } }, (at) =>
        db.authorizationResource.findMany({ ...at, select: { ...resourceSelect, tickets: tickets(own) } }),
      );
      const resources = rows.map((row) => {
        const ids = new Set(row.tickets.map(({ scopeId }) => scopeId));
        return {
          ...encode(row),
          scopes: encodeScopes({ scopes: row.scopes.filter(({ scope }) => ids.has(scope.id)) }),
        };
      });
      return { resources, hasMore };
    },
  });

export const listSharedWithMe = withOwnTickets(
  'account.sharedWithMe',
  'Returns the resources that others share with the caller, a page of them.',
  granted,
);

export const listPendingRequests = withOwnTickets(
  'account.pendingRequests',
  'Returns the resources that the caller has asked others for, a page of them.',
  pending,
);

/** Resources of the caller with tickets of others: shared with them, or requested by them. */
const withTicketsOfOthers = (name: string, summary: string, state: typeof granted | typeof pending) =>
  ownRead({
    name,
    summary,
    roles,
    input: Paged,
    run: async ({ db }, { user }: Account, page): Promise<ResourcePage> => {
      const { rows, hasMore } = await pageOf(page, { userId: user.id, tickets: { some: state } }, (at) =>
        db.authorizationResource.findMany({ ...at, select: { ...resourceSelect, tickets: tickets(state) } }),
      );
      return { resources: rows.map((row) => ({ ...encode(row), permissions: byRequester(row.tickets) })), hasMore };
    },
  });

export const listSharedWithOthers = withTicketsOfOthers(
  'account.sharedWithOthers',
  'Returns the resources that the caller shares with others, a page of them, with those others.',
  granted,
);

export const listRequestsOfOthers = withTicketsOfOthers(
  'account.requestsOfOthers',
  'Returns the resources that others ask the caller for, a page of them, with those others.',
  pending,
);

/** A resource that the caller owns. */
export interface OwnResourceTarget extends Account {
  resource: ResourceRow;
}

/** The resource with this ID. Refuses resources of others, as the contract does. */
export async function ownResource({ db }: Context, account: Account, id: string): Promise<OwnResourceTarget> {
  const resource = await db.authorizationResource.findFirst({
    where: { id, resourceServer: { client: { realmId: account.realm.id } } },
    select: resourceSelect,
  });
  if (!resource) throw notFound('resource_not_found');
  if (resource.ownerId !== account.user.id) throw invalid('invalid_resource', undefined, { member: 'error' });
  return { ...account, resource };
}

export const getOwnResource = ownRead({
  name: 'account.resource',
  summary: 'Returns a resource of the caller.',
  roles,
  run: async (_ctx, { resource }: OwnResourceTarget): Promise<SharedResource> => ({
    ...encode(resource),
    scopes: encodeScopes(resource),
  }),
});

const ticketsOf = (name: string, summary: string, state: typeof granted | typeof pending) =>
  ownRead({
    name,
    summary,
    roles,
    run: async ({ db }, { resource }: OwnResourceTarget): Promise<SharedWith[]> =>
      byRequester(await db.permissionTicket.findMany(tickets({ resourceId: resource.id, ...state }))),
  });

export const listOwnPermissions = ticketsOf(
  'account.resourcePermissions',
  `Returns the users with whom the caller shares a resource, at most ${mostListed} grants.`,
  granted,
);

export const listOwnRequests = ticketsOf(
  'account.resourceRequests',
  `Returns the users who ask the caller for a resource, at most ${mostListed} requests.`,
  pending,
);
