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

/** Writes after which many tables have another size. */
const large = new Set(['realm.create', 'realm.partialImport']);
const settleTime = 2000;

/**
 * Tidies up every ten minutes until the returned function is called, and has the database renew its statistics then and
 * soon after imports. A failure is logged and tried again later.
 */
export function startHousekeeping(services: Services): () => void {
  const { database, feed, log } = services;
  let planned: NodeJS.Timeout | undefined;
  const attempt = (work: Promise<void>) => {
    work.catch((error) => log.warn({ err: error }, 'housekeeping failed'));
  };
  const timer = setInterval(() => {
    attempt(tidyUp(services).then(() => database.optimize()));
  }, interval).unref();
  const unsubscribe = feed.subscribe(({ operation }) => {
    if (!large.has(operation) || planned) return;
    planned = setTimeout(() => {
      planned = undefined;
      attempt(database.optimize());
    }, settleTime).unref();
  });
  attempt(database.optimize());
  return () => {
    unsubscribe();
    clearInterval(timer);
    clearTimeout(planned);
  };
}
