import type { Services } from '../services/core/context.js';
import { inTransaction } from '../services/core/unit-of-work.js';
import { type Answer, unavailable } from './answer.js';
import type { Metrics } from './metrics.js';
import { isOneOfSeveral, shareMetrics } from './worker-metrics.js';

/** What a server knows of itself. */
export interface ServerCondition {
  /** whether it is about to stop, and proxies are to send nothing any more */
  isDraining(): boolean;
  /** whether the last write was stored */
  takesWrites(): boolean;
}

/** Looks whether the database can be read and written, once for all concurrent requests. */
export function readiness(
  { database, config, newId, now }: Services,
  { isDraining, takesWrites }: ServerCondition,
): () => Promise<Answer> {
  let looking: Promise<Answer> | undefined;
  const reads = () => succeeds(database.read.realm.count({ where: { name: 'master' } }));
  /** Only after a failure, a row is written to find out, and removed in the same transaction. */
  const writes = async () => takesWrites() || succeeds(writeAndRemove({ database, newId, now }));
  const look = async (): Promise<Answer> => {
    try {
      const canRead = await reads();
      const canWrite = canRead && (await writes());
      const isReady = config.readyRequires === 'writes' ? canWrite : canRead;
      const body = { status: stateOf(isReady), reads: stateOf(canRead), writes: stateOf(canWrite) };
      return isReady ? { status: 200, body } : { ...unavailable, body };
    } finally {
      looking = undefined;
    }
  };
  return async () => {
    if (isDraining()) return { ...unavailable, body: { status: 'DOWN', reason: 'stopping' } };
    looking ??= look();
    return looking;
  };
}

const stateOf = (isUp: boolean): 'UP' | 'DOWN' => (isUp ? 'UP' : 'DOWN');

/** Whether it succeeds. The log states failures of the database. */
const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

function writeAndRemove({ database, newId, now }: Pick<Services, 'database' | 'newId' | 'now'>): Promise<void> {
  const id = `readiness ${newId()}`;
  return inTransaction(database.upkeep, async (tx) => {
    const row = { id, operation: 'readiness', requestHash: '', outcome: '', createdAt: BigInt(now()) };
    await tx.idempotencyKey.createMany({ data: [row] });
    await tx.idempotencyKey.deleteMany({ where: { id } });
  });
}

/**
 * Reads what the service counts, in the text format of Prometheus: of this process, or of all workers of WORKERS. Answers 503 if the
 * workers cannot be asked.
 */
export function metricsReader(metrics: Metrics, log: Services['log']): () => Promise<Answer> {
  const together = isOneOfSeveral() ? shareMetrics(metrics.values) : undefined;
  return async () => {
    try {
      return { status: 200, body: await (together ?? metrics.text)(), type: metrics.type };
    } catch (error) {
      log.warn({ err: error }, 'metrics cannot be read');
      return unavailable;
    }
  };
}
