import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { invalid, notFound, Refusal } from '../core/refusal.js';
import { int, listUpTo, representation, text, textsUpTo } from '../core/shape.js';
import { storedUsername } from '../users/usernames.js';
import type { Account } from './account.js';
import { ownRead, ownWrite } from './operation.js';

/** Most resources on one page, and most requests and grants of one resource. */
const mostListed = 500;

const person = { username: true, email: true, firstName: true, lastName: true } as const;

const resourceSelect = {
  id: true,
  name: true,
  displayName: true,
  iconUri: true,
  ownerId: true,
  ownerManagedAccess: true,
  resourceServerId: true,
  uris: { select: { value: true }, orderBy: { value: 'asc' } },
  scopes: { select: { scope: { select: { id: true, name: true, displayName: true, iconUri: true } } } },
  resourceServer: { select: { client: { select: { clientId: true, name: true, baseUrl: true, rootUrl: true } } } },
} as const satisfies Prisma.AuthorizationResourceSelect;

type ResourceRow = Prisma.AuthorizationResourceGetPayload<{ select: typeof resourceSelect }>;

/** Who may use a resource, or wants to, with the names of scopes. */
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

/** A resource as its owner sees it, or those with whom it is shared. */
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

/** A page of resources; `hasMore` says whether others follow. */
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

/** Resources with tickets of the caller: those that others share, or that the caller has asked for. */
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

export const listSharedWithOthers = ownRead({
  name: 'account.sharedWithOthers',
  summary: 'Returns the resources that the caller shares with others, a page of them, with those others.',
  roles,
  input: Paged,
  run: async ({ db }, { user }: Account, page): Promise<ResourcePage> => {
    const { rows, hasMore } = await pageOf(page, { userId: user.id, tickets: { some: granted } }, (at) =>
      db.authorizationResource.findMany({ ...at, select: { ...resourceSelect, tickets: tickets(granted) } }),
    );
    return { resources: rows.map((row) => ({ ...encode(row), permissions: byRequester(row.tickets) })), hasMore };
  },
});

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

const Sought = representation('AccountUserFilter', { value: text });

export const findUserToShareWith = ownRead({
  name: 'account.resourceUser',
  summary:
    'Returns the user with this username or email address, with whom a resource can be shared. Nothing if there is none.',
  roles: ['manage-account'],
  input: Sought,
  run: async ({ db }, { realm }: OwnResourceTarget, { value = '' }) => {
    const [found] = await usersNamed(db, realm.id, [value]);
    if (!found) return undefined;
    const { id, username, email, firstName, lastName } = found;
    return {
      id,
      username,
      ...(email !== null && { email }),
      ...(firstName !== null && { firstName }),
      ...(lastName !== null && { lastName }),
    };
  },
});

/** The users with these usernames or email addresses: one statement. */
const usersNamed = (db: Db, realmId: string, names: readonly string[]) => {
  const sought = names.map(storedUsername);
  return db.user.findMany({
    where: {
      realmId,
      serviceAccountClientId: null,
      OR: [{ username: { in: sought } }, { email: { in: sought } }],
    },
    select: { id: true, ...person },
    orderBy: { username: 'asc' },
  });
};

const mostSharedWith = 100;

const Permissions = listUpTo(
  representation('AccountResourcePermission', {
    username: text,
    email: text,
    firstName: text,
    lastName: text,
    scopes: textsUpTo(mostSharedWith),
  }),
  mostSharedWith,
);

interface Shared {
  id: string;
  permissions: { username: string; scopes: string[] }[];
}

export const shareResource = ownWrite({
  name: 'account.shareResource',
  summary:
    'States which scopes of a resource of the caller each of some users may use. Requests for them are granted. A user without scopes loses the access. Other users keep theirs.',
  roles: ['manage-account'],
  input: Permissions,
  check: (_permit, { resource }: OwnResourceTarget) => {
    if (!resource.ownerManagedAccess)
      throw invalid('The owner of this resource does not manage its permissions', undefined, { member: 'error' });
  },
  lock: ({ resource }: OwnResourceTarget) => ({ model: 'AuthorizationResource' as const, id: resource.id }),
  run: async (tx, { realm, user, resource }: OwnResourceTarget, input, { ctx }): Promise<Shared> => {
    const scopeIds = new Map(resource.scopes.map(({ scope }) => [scope.name, scope.id]));
    const found = await usersNamed(
      tx,
      realm.id,
      input.map(({ username = '' }) => username),
    );
    const wanted = input.map(({ username = '', scopes = [] }, at) => {
      const name = storedUsername(username);
      const person = found.find((one) => one.username === name) ?? found.find(({ email }) => email === name);
      if (!person) throw new Refusal('notFound', username, { field: `${at}.username` });
      if (person.id === user.id) throw invalid('The owner of a resource needs no permission', `${at}.username`);
      const unknown = scopes.findIndex((scope) => !scopeIds.has(scope));
      if (unknown >= 0) throw invalid(`The resource has no scope ${scopes[unknown]}`, `${at}.scopes.${unknown}`);
      return {
        person,
        scopes: [...new Set(scopes)],
        ids: [...new Set(scopes)].map((scope) => scopeIds.get(scope) ?? ''),
      };
    });
    const present = await tx.permissionTicket.findMany({
      where: { resourceId: resource.id, requesterId: { in: wanted.map(({ person }) => person.id) } },
      select: { id: true, requesterId: true, scopeId: true, grantedTimestamp: true },
    });
    const idsOf = new Map(wanted.map(({ person, ids }) => [person.id, new Set<string | null>(ids)]));
    const isKept = (ticket: (typeof present)[number]) => idsOf.get(ticket.requesterId)?.has(ticket.scopeId) ?? false;
    const gone = present.filter((ticket) => !isKept(ticket));
    const open = present.filter((ticket) => isKept(ticket) && ticket.grantedTimestamp === null);
    const at = BigInt(ctx.services.now());
    const added = wanted.flatMap(({ person, ids }) =>
      ids
        .filter((id) => !present.some((ticket) => ticket.requesterId === person.id && ticket.scopeId === id))
        .map((scopeId) => ({
          id: ctx.services.newId(),
          resourceServerId: resource.resourceServerId,
          resourceId: resource.id,
          ownerId: user.id,
          requesterId: person.id,
          scopeId,
          createdTimestamp: at,
          grantedTimestamp: at,
        })),
    );
    const among = (rows: readonly { id: string }[]) => ({ id: { in: rows.map(({ id }) => id) } });
    if (gone.length > 0) await tx.permissionTicket.deleteMany({ where: among(gone) });
    if (open.length > 0) await tx.permissionTicket.updateMany({ where: among(open), data: { grantedTimestamp: at } });
    if (added.length > 0) await tx.insertNew('PermissionTicket', added);
    return {
      id: resource.id,
      permissions: wanted.map(({ person, scopes }) => ({ username: person.username, scopes })),
    };
  },
  event: ({ id, permissions }, { resource }) => ({
    operationType: 'UPDATE',
    resourceType: 'AUTHORIZATION_RESOURCE',
    resourcePath: `clients/${resource.resourceServerId}/authz/resource-server/resource/${id}`,
    representation: { permissions },
  }),
  touches: (_, { resource }) => [`authorization:${resource.resourceServerId}`, `client:${resource.resourceServerId}`],
});
