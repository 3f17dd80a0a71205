import type { Services } from './context.js';
import { idempotencyLifetime } from './idempotency.js';

const interval = 10 * 60 * 1000;
/** What instances that were away for longer missed, they do not need: their caches are older than they may be. */
const changeLifetime = 24 * 60 * 60 * 1000;
const atOnce = 1000;

/** Deletes outcomes of idempotency keys (a thousand at once: they may be large) and change rows that have had their time. */
export async function tidyUp({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const before = (lifetime: number) => BigInt(now() - lifetime);
  for (;;) {
    const keys = await database.read.idempotencyKey.findMany({
      where: { createdAt: { lt: before(idempotencyLifetime) } },
      select: { id: true },
      take: atOnce,
    });
    if (keys.length === 0) break;
    await database.transaction((tx) =>
      tx.idempotencyKey.deleteMany({ where: { id: { in: keys.map(({ id }) => id) } } }),
    );
  }
  await database.transaction((tx) => tx.change.deleteMany({ where: { at: { lt: before(changeLifetime) } } }));
}

/** Tidies up every ten minutes until the returned function is called. A failure is logged and tried again later. */
export function startHousekeeping(services: Services): () => void {
  const timer = setInterval(() => {
    tidyUp(services).catch((error) => services.log.warn({ err: error }, 'housekeeping failed'));
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}
