import { delegateOf } from '../../database/delegate.js';
import { type Context, loader } from '../../services/core/context.js';
import { listsByKey } from '../../services/core/lists-by-key.js';
import { batchLoader } from '../../services/core/pace.js';
import { notFound, requireAll } from '../../services/core/refusal.js';
import { parseId } from './node.js';

type Row = Readonly<Record<string, string>>;

/** A type whose objects are referred to by name in the contract, and by object in GraphQL. */
interface Named {
  typename: string;
  /** delegate of the model */
  model: string;
  /** column of the name, unique in a realm */
  column: string;
  /** its name in refusals */
  what: string;
}

export const namedFlow: Named = {
  typename: 'AuthenticationFlow',
  model: 'authenticationFlow',
  column: 'alias',
  what: 'Authentication flow',
};

export const namedScope: Named = {
  typename: 'ClientScope',
  model: 'clientScope',
  column: 'name',
  what: 'Client scope',
};

/**
 * The names of objects of a realm, by the paths of the inputs with their IDs. Refuses every invalid ID, and every ID
 * that the realm does not have.
 */
export async function namesOfIds(
  ctx: Context,
  realmId: string,
  { typename, model, column, what }: Named,
  given: readonly (readonly [path: string, globalId: string])[],
): Promise<ReadonlyMap<string, string>> {
  const ids: [path: string, id: string][] = [];
  requireAll(
    ...given.map(
      ([path, globalId]) =>
        () =>
          void ids.push([path, parseId(globalId, path, typename).id]),
    ),
  );
  if (ids.length === 0) return new Map();
  const rows = await delegateOf<Row>(ctx.db, model).findMany({
    where: { realmId, id: { in: [...new Set(ids.map(([, id]) => id))] } },
    select: { id: true, [column]: true },
  });
  const names = new Map(rows.map((row) => [row.id, row[column]]));
  const found = new Map<string, string>();
  requireAll(
    ...ids.map(([path, id]) => () => {
      const name = names.get(id);
      if (name === undefined) throw notFound(`${what} not found`, path);
      found.set(path, name);
    }),
  );
  return found;
}

/** A name in a realm. */
export interface Wanted {
  realmId: string;
  name: string;
}

/** A key for a name in a realm. */
export const keyOfName = ({ realmId, name }: Wanted): string => JSON.stringify([realmId, name]);

/** The filter of rows with one of these names in a column, each in its realm. */
export function named<C extends string>(wanted: readonly Wanted[], column: C) {
  const names = listsByKey(wanted.map(({ realmId, name }) => [realmId, name]));
  const inColumn = (among: string[]) => ({ [column]: { in: among } }) as Record<C, { in: string[] }>;
  return { OR: [...names].map(([realmId, among]) => ({ realmId, ...inColumn(among) })) };
}

/** Finds objects of realms by their names. Concurrent lookups share one statement. */
export function byName<R extends { realmId: string }>(model: string, column: keyof R & string, select: object) {
  const find = async (ctx: Context, wanted: readonly Wanted[]): Promise<(R | null)[]> => {
    const rows = await delegateOf<R>(ctx.db, model).findMany({ where: named(wanted, column), select });
    const found = new Map(rows.map((row) => [keyOfName({ realmId: row.realmId, name: String(row[column]) }), row]));
    return wanted.map((one) => found.get(keyOfName(one)) ?? null);
  };
  return (ctx: Context, realmId: string, name: string): Promise<R | null> =>
    loader(
      ctx,
      `${model} by ${column}`,
      // a mutation of the same request may rename one, so results are not cached
      () => batchLoader<Wanted, R | null>(ctx, (wanted) => find(ctx, wanted), { cache: false }),
    ).load({ realmId, name });
}
