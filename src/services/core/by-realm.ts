import type DataLoader from 'dataloader';
import { type Context, loader } from './context.js';
import { batchLoader } from './pace.js';

/**
 * Finds what realms have, by the ID of a realm. Realms that are asked for at the same time are one call of `find`. Remembers
 * nothing, because a mutation of the same request may change it.
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
