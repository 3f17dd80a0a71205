import type { z } from 'zod';
import type { Context } from '../../services/core/context.js';
import type { Listing } from '../../services/core/operation.js';
import { performList } from '../../services/core/perform.js';
import type { Target } from '../../services/core/target.js';
import { realmById } from '../../services/realms/locate.js';
import { type ConnectionValue, connectionOf } from '../core/connection.js';
import { type OrderKey, type Page, type PageArgs, pageOf } from '../core/page.js';

/** Newest first. Events of one millisecond have a fixed order, so that a cursor lies between two of them. */
export const newestFirst: readonly OrderKey[] = [
  { path: 'time', descending: true },
  { path: 'id', descending: true },
];

interface Access<R> {
  find(page: Page['args']): Promise<R[]>;
  count(where: object): Promise<number>;
}

/** A page of the events of a realm that the listing selects and the filter passes. */
export async function eventPage<R extends object>(
  ctx: Context,
  listing: Listing<Target, z.ZodUndefined, object>,
  realmId: string,
  args: PageArgs,
  filter: object,
  { find, count }: Access<R>,
): Promise<ConnectionValue<R>> {
  const { where } = await performList(ctx, listing, async (at) => ({ realm: await realmById(at, realmId) }));
  const all = { AND: [where, filter] };
  const page = pageOf(args, newestFirst, all);
  const rows = (await find(page.args)) as (R & Record<string, unknown>)[];
  return connectionOf(
    page,
    rows,
    (row) => row as R,
    () => count(all),
  );
}
