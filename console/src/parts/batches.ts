import type { Outcome } from '../session/graphql.js';

/** How many objects the API takes at a time. */
const mostAtOnce = 1000;

/** Sends items in batches, up to the first one that is refused. */
export async function inBatches<Item>(
  items: readonly Item[],
  send: (batch: Item[]) => Promise<Outcome<object>>,
): Promise<Outcome<object>> {
  const payloads: [string, unknown][] = [];
  for (let at = 0; at < items.length; at += mostAtOnce) {
    const { data, errors } = await send(items.slice(at, at + mostAtOnce));
    for (const [name, payload] of Object.entries(data ?? {})) payloads.push([`${name} ${at}`, payload]);
    if (errors.length > 0) return { data: Object.fromEntries(payloads), errors };
  }
  return { data: Object.fromEntries(payloads), errors: [] };
}
