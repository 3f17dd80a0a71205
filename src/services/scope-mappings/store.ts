import { exists } from '../../database/exists.js';
import { Prisma } from '../../database/prisma.js';
import { scopedToClient, scopedToClientScope } from '../../database/role-trees.js';
import { areRolesOf } from '../roles/store.js';
import type { ScopeMappingTarget } from './locate.js';

/**
 * A query for the IDs of the roles of a container that are in the owner's scope. A client with full scope has all of
 * them; the query itself checks for full scope, as that may change.
 */
export function reached({ realm, owner, container }: ScopeMappingTarget): Prisma.Sql {
  const id = Prisma.sql`${owner.id}`;
  const scoped = (owner.kind === 'client' ? scopedToClient : scopedToClientScope)(id);
  const full =
    owner.kind === 'client'
      ? Prisma.sql`UNION SELECT r."id" FROM "Role" r WHERE ${areRolesOf(realm, container)}
          AND ${exists(Prisma.sql`SELECT 1 FROM "Client" c WHERE c."id" = ${id} AND c."fullScopeAllowed"`)}`
      : Prisma.empty;
  return Prisma.sql`WITH RECURSIVE ${scoped}
    SELECT r."id" FROM "scoped" s JOIN "Role" r ON r."id" = s."id" WHERE ${areRolesOf(realm, container)} ${full}`;
}

/** The roles as the caller names them: under the realm by their IDs, under a client by their names. */
export function namedBy(
  { realm, container }: ScopeMappingTarget,
  roles: readonly { id?: string | undefined; name?: string | undefined }[],
): Prisma.Sql {
  const texts = container.id === realm.id ? roles.map(({ id }) => id) : roles.map(({ name }) => name);
  const known = texts.flatMap((text) => text ?? []);
  if (known.length === 0) return Prisma.sql`SELECT "id" FROM "Role" WHERE 1 = 0`;
  return container.id === realm.id
    ? Prisma.sql`SELECT "id" FROM "Role" WHERE "realmId" = ${realm.id} AND "id" IN (${Prisma.join(known)})`
    : Prisma.sql`SELECT "id" FROM "Role" WHERE "container" = ${container.id} AND "name" IN (${Prisma.join(known)})`;
}
