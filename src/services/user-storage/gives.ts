import type { Db } from '../../database/db.js';
import { listed, unionOf } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { type Context, loader } from '../core/context.js';
import type { Grants } from '../core/grants.js';
import { ownMember } from '../core/json.js';
import { batchLoader } from '../core/pace.js';
import type { Target } from '../core/target.js';
import { groupsAtOrBelow } from '../groups/store.js';
import { rolesIn } from '../roles/store.js';
import { type Config, clientIdOf, one, pathOfGroup, rootOf, storageMapper } from './config.js';
import { type Names, namesFor } from './names.js';
import type { Kind } from './store.js';

/** A mapper, stored or before it is stored. */
export interface GivingMapper {
  providerId: string;
  config: Config;
}

/** The roles or groups that a mapper may give to users, now or after changes in the directory. */
export interface Given {
  kind: Kind;
  /** the role or groups that the mapper names, or a query for everything at the places that it fills */
  ids: readonly string[] | Prisma.Sql;
  /**
   * IDs of the realm, client, or groups in which the directory decides which roles or groups are given; empty if the
   * mapper decides
   */
  places: readonly string[];
}

type Find = (names: Names, realmId: string, config: Config) => Promise<Given | undefined>;

async function containerOf(names: Names, realmId: string, config: Config): Promise<string | undefined> {
  const clientId = clientIdOf(config);
  return clientId === undefined ? realmId : names.client(clientId);
}

const finders: Readonly<Record<string, Find>> = {
  async 'hardcoded-ldap-role-mapper'(names, _realmId, config) {
    const [role] = await names.roles(one(config, 'role') ?? '');
    return role === undefined ? undefined : { kind: 'role', ids: [role], places: [] };
  },
  async 'hardcoded-ldap-group-mapper'(names, _realmId, config) {
    return { kind: 'group', ids: await names.groups(pathOfGroup(config)), places: [] };
  },
  async 'role-ldap-mapper'(names, realmId, config) {
    const container = await containerOf(names, realmId, config);
    if (container === undefined) return undefined;
    return { kind: 'role', ids: rolesIn(container), places: [container] };
  },
  async 'group-ldap-mapper'(names, realmId, config) {
    const root = rootOf({ config });
    const ids = groupsAtOrBelow(realmId, root);
    return { kind: 'group', ids, places: root === '' ? [realmId] : await names.groups(root) };
  },
};

/** The roles or groups that a mapper may give to users; undefined for other mappers. */
export const givenBy = async (
  names: Names,
  realmId: string,
  { providerId, config }: GivingMapper,
): Promise<Given | undefined> => ownMember(finders, providerId)?.(names, realmId, config);

/** One query for all given objects of a kind. */
function idsOf(db: Db, given: readonly Given[], kind: Kind): Prisma.Sql | undefined {
  const queries = given
    .filter((one) => one.kind === kind)
    .map(({ ids }) => (Array.isArray(ids) ? listed(db, ids, 'id') : (ids as Prisma.Sql)));
  return queries.length === 0 ? undefined : unionOf(queries);
}

/** The roles and groups that these mappers may give to users. */
export async function grantsOfMappers(
  ctx: Context,
  target: Target,
  mappers: readonly GivingMapper[],
): Promise<Grants | undefined> {
  const { db } = ctx;
  const names = namesFor(ctx, target);
  const found = await Promise.all(mappers.map((mapper) => givenBy(names, target.realm.id, mapper)));
  const given = found.flatMap((one) => one ?? []);
  if (given.length === 0) return undefined;
  return { roles: idsOf(db, given, 'role'), groups: idsOf(db, given, 'group'), use: 'settings' };
}

/** The roles and groups that the directories of these storages may give to users. */
export async function grantsOfStorages(
  ctx: Context,
  target: Target,
  ids: readonly string[],
): Promise<Grants | undefined> {
  const known = target.realm.components.flatMap(({ id }) => (ids.includes(id) ? id : []));
  if (known.length === 0) return undefined;
  const below = loader(ctx, `mappers of storages of ${target.realm.id}`, () => {
    const find = async (parents: readonly string[]) => {
      const mappers = await mappersOf(ctx.db, target.realm.id, parents);
      return parents.map((parent) => mappers.filter(({ parentId }) => parentId === parent));
    };
    return batchLoader(ctx, find, { cache: false });
  });
  const mappers = await Promise.all(known.map((id) => below.load(id)));
  return grantsOfMappers(ctx, target, mappers.flat());
}

interface StoredMapper extends GivingMapper {
  id: string;
  parentId: string | null;
}

/** The mappers of these storages. */
export async function mappersOf(db: Db, realmId: string, parents: readonly string[]): Promise<StoredMapper[]> {
  const mappers = await db.component.findMany({
    where: { realmId, parentId: { in: [...parents] }, providerType: storageMapper },
    select: { id: true, parentId: true, providerId: true, config: true },
  });
  return mappers.map(({ config, ...mapper }) => ({ ...mapper, config: config as Config }));
}
