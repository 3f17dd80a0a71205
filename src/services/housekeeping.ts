import { catchUp } from '../database/upkeep.js';
import { durations } from '../telemetry/instruments.js';
import { traced } from '../telemetry/tracer.js';
import { removeSpentInitialAccess } from './client-registration/initial-access.js';
import { removeExpiredSecrets } from './clients/secret-expiry.js';
import { clockDifference } from './clock.js';
import { batchSize, inBatches } from './core/batches.js';
import type { Services } from './core/context.js';
import { idempotencyLifetime } from './core/idempotency.js';
import { inTransaction } from './core/unit-of-work.js';
import { removeExpiredAdminEvents, removeExpiredEvents } from './events/expiry.js';
import { removeExpiredInverses } from './realms/applied/expiry.js';
import { removeRests } from './realms/deletion.js';
import { removeExpired } from './sessions/expiry.js';

const interval = 10 * 60 * 1000;
const expiryInterval = 60 * 1000;
/** An instance that was disconnected for longer does not need older changes: its cached values have expired by then. */
const changeLifetime = 24 * 60 * 60 * 1000;

/** Deletes expired outcomes of idempotency keys (a thousand at once: they may be large) and expired change rows. */
async function tidyUp({ database, now }: Pick<Services, 'database' | 'now'>): Promise<void> {
  const before = (lifetime: number) => BigInt(now() - lifetime);
  await inBatches(async () => {
    const keys = await database.upkeep.read.idempotencyKey.findMany({
      where: { createdAt: { lt: before(idempotencyLifetime) } },
      select: { id: true },
      take: batchSize,
    });
    const ids = keys.map(({ id }) => id);
    if (ids.length > 0)
      await inTransaction(database.upkeep, (tx) => tx.idempotencyKey.deleteMany({ where: { id: { in: ids } } }));
    return ids.length;
  });
  await inTransaction(database.upkeep, (tx) => tx.change.deleteMany({ where: { at: { lt: before(changeLifetime) } } }));
}

const tasks = durations({
  name: 'realmgate_housekeeping_duration_seconds',
  help: 'Duration of housekeeping by task and outcome (ok, failed).',
  labelNames: ['task', 'outcome'],
  buckets: [0.01, 0.1, 1, 10, 60, 600],
});

/** Operations that change the size of many tables. */
const large = new Set(['realm.create', 'realm.partialImport', 'realm.delete', 'realm.apply', 'realm.revert']);
/** Whether an operation can write so many rows that the plans of statements no longer fit the tables. */
const isLarge = (operation: string): boolean => large.has(operation) || operation.endsWith('Many');
const settleTime = 2000;
const catchUpTime = 1000;
const clockInterval = 60_000;

/**
 * Cleans up every ten minutes until the returned function is called. Updates the database statistics then and soon
 * after imports, and runs the upkeep soon after writes of users. A failure is logged, and the task runs again later.
 */
export function startHousekeeping(services: Services): () => void {
  const { database, feed, log } = services;
  const stopping = new AbortController();
  const attempt = (task: string, work: () => Promise<void>) => {
    const started = performance.now();
    const ended = (outcome: string) => tasks.observe({ task, outcome }, (performance.now() - started) / 1000);
    // separate from the trace of the request that causes it
    traced(() => ({ name: `housekeeping ${task}`, kind: 'internal', attributes: {}, headers: {} }), work).then(
      () => ended('ok'),
      (error) => {
        ended('failed');
        log.warn({ err: error }, 'housekeeping failed');
      },
    );
  };
  const soon = (task: string, milliseconds: number, work: () => Promise<void>) => {
    let planned: NodeJS.Timeout | undefined;
    const plan = () => {
      planned ??= setTimeout(() => {
        planned = undefined;
        attempt(task, work);
      }, milliseconds).unref();
    };
    return { plan, cancel: () => clearTimeout(planned) };
  };
  const statistics = soon('statistics', settleTime, () => database.optimize());
  const backlog = soon('backlog', catchUpTime, () => catchUp(database.upkeep));
  const timer = setInterval(() => {
    attempt('tidy', () =>
      tidyUp(services)
        .then(() => removeExpiredSecrets(services))
        .then(() => removeExpiredInverses(services))
        .then(() => removeRests(services, stopping.signal))
        .then(() => catchUp(database.upkeep))
        .then(() => database.optimize()),
    );
  }, interval).unref();
  const expiry = setInterval(
    () =>
      attempt('expiry', () =>
        removeExpired(services)
          .then(() => removeSpentInitialAccess(services))
          .then(() => removeExpiredEvents(services))
          .then(() => removeExpiredAdminEvents(services)),
      ),
    expiryInterval,
  ).unref();
  const lookAtClock = () => attempt('clock', async () => void (await clockDifference(services)));
  const clock = setInterval(lookAtClock, clockInterval).unref();
  const unsubscribe = feed.subscribe(({ operation, touches }) => {
    if (isLarge(operation)) statistics.plan();
    if (isLarge(operation) || touches.some((key) => key.startsWith('users:'))) backlog.plan();
  });
  attempt('statistics', () => database.optimize().then(() => catchUp(database.upkeep)));
  lookAtClock();
  attempt('deletion', () => removeRests(services, stopping.signal));
  return () => {
    stopping.abort();
    unsubscribe();
    clearInterval(timer);
    clearInterval(expiry);
    clearInterval(clock);
    statistics.cancel();
    backlog.cancel();
  };
}
