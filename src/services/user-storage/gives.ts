import type { Db } from '../../database/db.js';
import { listed, unionOf } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import type { Grants } from '../core/grants.js';
import type { Target } from '../core/target.js';
import { groupsAtOrBelow } from '../groups/store.js';
import { rolesIn } from '../roles/store.js';
import { type Config, clientIdOf, one, pathOfGroup, rootOf, storageMapper } from './config.js';
import { findRole } from './role-name.js';
import type { Kind } from './store.js';

/** A mapper as it is stored, or is going to be. */
export interface GivingMapper {
  providerId: string;
  config: Config;
}

/** What a mapper may give to users, now or once the directory says so. */
export interface Given {
  kind: Kind;
  /** the role or groups that the mapper names, or a query for everything at the places that it fills */
  ids: readonly string[] | Prisma.Sql;
  /** ids of the realm, client or groups in which the directory decides what is given; none where the mapper decides */
  places: readonly string[];
}

type Find = (db: Db, realmId: string, config: Config) => Promise<Given | undefined>;

const groupsAt = async (db: Db, realmId: string, path: string): Promise<string[]> =>
  (await db.group.findMany({ where: { realmId, path }, select: { id: true } })).map(({ id }) => id);

async function containerOf(db: Db, realmId: string, config: Config): Promise<string | undefined> {
  const clientId = clientIdOf(config);
  if (clientId === undefined) return realmId;
  return (await db.client.findFirst({ where: { realmId, clientId }, select: { id: true } }))?.id;
}

const finders: Readonly<Record<string, Find>> = {
  async 'hardcoded-ldap-role-mapper'(db, realmId, config) {
    const role = await findRole(db, { id: realmId }, one(config, 'role') ?? '');
    return role && { kind: 'role', ids: [role.id], places: [] };
  },
  async 'hardcoded-ldap-group-mapper'(db, realmId, config) {
    return { kind: 'group', ids: await groupsAt(db, realmId, pathOfGroup(config)), places: [] };
  },
  async 'role-ldap-mapper'(db, realmId, config) {
    const container = await containerOf(db, realmId, config);
    if (container === undefined) return undefined;
    return { kind: 'role', ids: rolesIn(container), places: [container] };
  },
  async 'group-ldap-mapper'(db, realmId, config) {
    const root = rootOf({ config });
    const ids = groupsAtOrBelow(realmId, root);
    return { kind: 'group', ids, places: root === '' ? [realmId] : await groupsAt(db, realmId, root) };
  },
};

/** What a mapper may give to users; nothing for one that gives no roles and groups. */
export const givenBy = async (
  db: Db,
  realmId: string,
  { providerId, config }: GivingMapper,
): Promise<Given | undefined> => finders[providerId]?.(db, realmId, config);

/** One query for all that is given of a kind. */
function idsOf(db: Db, given: readonly Given[], kind: Kind): Prisma.Sql | undefined {
  const queries = given
    .filter((one) => one.kind === kind)
    .map(({ ids }) => (Array.isArray(ids) ? listed(db, ids, 'id') : (ids as Prisma.Sql)));
  return queries.length === 0 ? undefined : unionOf(queries);
}

/** The roles and groups that these mappers may give to users. */
export async function grantsOfMappers(
  { db }: Context,
  { realm }: Target,
  mappers: readonly GivingMapper[],
): Promise<Grants | undefined> {
  const given = (await Promise.all(mappers.map((mapper) => givenBy(db, realm.id, mapper)))).flatMap((one) => one ?? []);
  if (given.length === 0) return undefined;
  return { roles: idsOf(db, given, 'role'), groups: idsOf(db, given, 'group'), use: 'settings' };
}

/** What users of these storages of the realm may be given by their directories. */
export async function grantsOfStorages(
  ctx: Context,
  target: Target,
  ids: readonly string[],
): Promise<Grants | undefined> {
  const known = target.realm.components.flatMap(({ id }) => (ids.includes(id) ? id : []));
  if (known.length === 0) return undefined;
  return grantsOfMappers(ctx, target, await mappersOf(ctx.db, target.realm.id, known));
}

/** The mappers below these storages. */
export async function mappersOf(
  db: Db,
  realmId: string,
  parents: readonly string[],
): Promise<(GivingMapper & { id: string })[]> {
  const mappers = await db.component.findMany({
    where: { realmId, parentId: { in: [...parents] }, providerType: storageMapper },
    select: { id: true, providerId: true, config: true },
  });
  return mappers.map(({ id, providerId, config }) => ({ id, providerId, config: config as Config }));
}
