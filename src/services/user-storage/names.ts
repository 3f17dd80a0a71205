import DataLoader from 'dataloader';
import type { Db } from '../../database/db.js';
import { type Context, loader } from '../core/context.js';
import type { Target } from '../core/target.js';
import { rolesNamedEach } from './role-name.js';

/** Finds objects that settings of a realm name. Concurrent lookups share one statement for each kind. */
export interface Names {
  /** the IDs of the roles that a text may mean, the most likely first */
  roles(text: string): Promise<string[]>;
  /** the IDs of the groups with a path */
  groups(path: string): Promise<string[]>;
  /** the ID of a client */
  client(clientId: string): Promise<string | undefined>;
}

/** The names in a realm, read from a database or within a transaction. */
export function namesIn(db: Db, realmId: string): Names {
  const idsBy = (rows: readonly { id: string; key: string }[], keys: readonly string[]) =>
    keys.map((wanted) => rows.flatMap(({ id, key }) => (key === wanted ? id : [])));
  const roles = async (texts: readonly string[]) =>
    (await rolesNamedEach(db, { id: realmId }, texts)).map((found) => found.map(({ id }) => id));
  const groups = async (paths: readonly string[]) => {
    const rows = await db.group.findMany({
      where: { realmId, path: { in: [...paths] } },
      select: { id: true, path: true },
    });
    return idsBy(
      rows.map(({ id, path }) => ({ id, key: path })),
      paths,
    );
  };
  const clients = async (clientIds: readonly string[]) => {
    const rows = await db.client.findMany({
      where: { realmId, clientId: { in: [...clientIds] } },
      select: { id: true, clientId: true },
    });
    return idsBy(
      rows.map(({ id, clientId }) => ({ id, key: clientId })),
      clientIds,
    );
  };
  // a name may mean another object the next time, so results are not cached
  const each = (find: (texts: readonly string[]) => Promise<string[][]>) => {
    const found = new DataLoader<string, string[]>(find, { cache: false, maxBatchSize: 1000 });
    return (text: string) => found.load(text);
  };
  const client = each(clients);
  return { roles: each(roles), groups: each(groups), client: async (clientId) => (await client(clientId))[0] };
}

/** The names in a realm, for all of a request. */
export const namesFor = (ctx: Context, { realm }: Target): Names =>
  loader(ctx, `names in ${realm.id}`, () => namesIn(ctx.db, realm.id));
