import type { Db } from '../../database/db.js';
import { invalid, Refusal } from '../core/refusal.js';
import { listUpTo, representation, text, textsUpTo } from '../core/shape.js';
import { storedUsername } from '../users/usernames.js';
import { ownRead, ownWrite } from './operation.js';
import { type OwnResourceTarget, person } from './resources.js';

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
      const holder = found.find((one) => one.username === name) ?? found.find(({ email }) => email === name);
      if (!holder) throw new Refusal('notFound', username, { field: `${at}.username` });
      if (holder.id === user.id) throw invalid('The owner of a resource needs no permission', `${at}.username`);
      const unknown = scopes.findIndex((scope) => !scopeIds.has(scope));
      if (unknown >= 0) throw invalid(`The resource has no scope ${scopes[unknown]}`, `${at}.scopes.${unknown}`);
      return {
        person: holder,
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
