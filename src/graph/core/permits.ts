import { type Context, loader } from '../../services/core/context.js';
import { batchLoader } from '../../services/core/pace.js';
import { permitFor, permitOf } from '../../services/core/permit.js';
import type { Permit } from '../../services/core/ports.js';
import { realmById } from '../../services/realms/locate.js';
import { visibleAmong } from '../../services/realms/visible.js';

/** The caller's permit in the realm with this ID. Concurrent requests are found together. */
export const permitById = async (ctx: Context, realmId: string): Promise<Permit> =>
  ctx.permits.get(realmId) ??
  loader(ctx, 'permits in realms', () =>
    batchLoader<string, Permit>(ctx, (ids) => permitsIn(ctx, [...new Set(ids)], ids), { cache: false }),
  ).load(realmId);

async function permitsIn(ctx: Context, realmIds: readonly string[], asked: readonly string[]) {
  const realms = await Promise.allSettled(realmIds.map((id) => realmById(ctx, id)));
  // administration roles in other realms are found for many realms at once; the caller's own realm may grant more than
  // these
  const others = realmIds.length === 1 ? [] : realmIds.filter((id) => id !== ctx.caller.realmId);
  const among = others.length === 0 ? undefined : await visibleAmong(ctx, others);
  const found = new Map<string, Permit | Error>();
  for (const [at, id] of realmIds.entries()) {
    const realm = realms[at];
    if (realm?.status !== 'fulfilled') {
      found.set(id, realm?.reason);
      continue;
    }
    const permit = others.includes(id) ? (among?.get(id) ?? permitOf(new Set())) : await permitFor(ctx, realm.value);
    ctx.permits.set(id, permit);
    found.set(id, permit);
  }
  return asked.map((id) => found.get(id) ?? new Error('Every realm has a permit'));
}
