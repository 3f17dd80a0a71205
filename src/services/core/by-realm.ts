import type DataLoader from 'dataloader';
import { type Context, loader } from './context.js';
import { batchLoader } from './pace.js';

/**
 * Loads data of realms by realm ID. Requests of the same moment are one call of `find`. The results are not cached,
 * because a mutation of the same request may change them.
 */
export const byRealm = <V>(
  ctx: Context,
  name: string,
  find: (realmIds: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): DataLoader<string, V | undefined> =>
  loader(ctx, `${name} by realm`, () =>
    batchLoader<string, V | undefined>(
      ctx,
      async (asked) => {
        const found = await find([...new Set(asked)]);
        return asked.map((id) => found.get(id));
      },
      { cache: false },
    ),
  );
