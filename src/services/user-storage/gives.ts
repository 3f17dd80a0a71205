import type { Db } from '../../database/db.js';
import { likePattern } from '../../database/like.js';
import { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Grants } from '../core/entitlement.js';
import type { Target } from '../core/target.js';
import { type Config, clientIdOf, one, rootOf, storageMapper } from './config.js';
import { findRole } from './role-name.js';

/** A mapper as it is stored, or is going to be. */
export interface GivingMapper {
  providerId: string;
  config: Config;
}

const noRoles = Prisma.sql`SELECT "id" FROM "Role" WHERE 1 = 0`;
const noGroups = Prisma.sql`SELECT "id" FROM "Group" WHERE 1 = 0`;

interface Given {
  roles?: Prisma.Sql;
  groups?: Prisma.Sql;
}

/** What a mapper may give to users, now or once the directory says so: by name, or everything in the place that it fills. */
async function givenBy(db: Db, realmId: string, { providerId, config }: GivingMapper): Promise<Given> {
  switch (providerId) {
    case 'hardcoded-ldap-role-mapper': {
      const role = await findRole(db, { id: realmId }, one(config, 'role') ?? '');
      return role ? { roles: Prisma.sql`SELECT "id" FROM "Role" WHERE "id" = ${role.id}` } : {};
    }
    case 'hardcoded-ldap-group-mapper':
      return {
        groups: Prisma.sql`SELECT "id" FROM "Group" WHERE "realmId" = ${realmId} AND "path" = ${one(config, 'group') ?? ''}`,
      };
    case 'role-ldap-mapper': {
      const clientId = clientIdOf(config);
      return {
        roles:
          clientId === undefined
            ? Prisma.sql`SELECT "id" FROM "Role" WHERE "container" = ${realmId}`
            : Prisma.sql`SELECT r."id" FROM "Role" r JOIN "Client" c ON c."id" = r."clientId"
                WHERE c."realmId" = ${realmId} AND c."clientId" = ${clientId}`,
      };
    }
    case 'group-ldap-mapper': {
      const root = rootOf({ config });
      return {
        groups: Prisma.sql`SELECT "id" FROM "Group" WHERE "realmId" = ${realmId}
          AND ("path" = ${root} OR "path" LIKE ${`${likePattern(root)}/%`} ESCAPE '\\')`,
      };
    }
    default:
      return {};
  }
}

/** The roles and groups that these mappers may give to users. */
export async function grantsOfMappers(
  ctx: Context,
  { realm }: Target,
  mappers: readonly GivingMapper[],
): Promise<Grants | undefined> {
  const given = await Promise.all(mappers.map((mapper) => givenBy(ctx.db, realm.id, mapper)));
  if (!given.some(({ roles, groups }) => roles ?? groups)) return undefined;
  return {
    roles: Prisma.join([noRoles, ...given.flatMap(({ roles }) => roles ?? [])], ' UNION ALL '),
    groups: Prisma.join([noGroups, ...given.flatMap(({ groups }) => groups ?? [])], ' UNION ALL '),
    use: 'settings',
  };
}

/** What users of these storages of the realm may be given by their directories. */
export async function grantsOfStorages(
  ctx: Context,
  target: Target,
  ids: readonly string[],
): Promise<Grants | undefined> {
  const known = target.realm.components.flatMap(({ id }) => (ids.includes(id) ? id : []));
  if (known.length === 0) return undefined;
  const mappers = await ctx.db.component.findMany({
    where: { realmId: target.realm.id, parentId: { in: known }, providerType: storageMapper },
    select: { providerId: true, config: true },
  });
  return grantsOfMappers(
    ctx,
    target,
    mappers.map(({ providerId, config }) => ({ providerId, config: config as Config })),
  );
}

/** A query for the users of a storage: whoever decides where their passwords are looked up can log in as them. */
export const usersOf = (storageId: string): Prisma.Sql =>
  Prisma.sql`SELECT "id" FROM "User" WHERE "federationLink" = ${storageId}`;
