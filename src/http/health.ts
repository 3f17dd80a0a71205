import type { Services } from '../services/core/context.js';
import { type Answer, unavailable } from './answer.js';
import type { Metrics } from './metrics.js';
import { isOneOfSeveral, shareMetrics } from './worker-metrics.js';

/** Looks whether the database answers, once for all concurrent requests. */
export function readiness({ database, log }: Services): () => Promise<Answer> {
  let looking: Promise<Answer> | undefined;
  const look = async (): Promise<Answer> => {
    try {
      await database.read.realm.count({ where: { name: 'master' } });
      return { status: 200, body: { status: 'UP' } };
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return { ...unavailable, body: { status: 'DOWN' } };
    } finally {
      looking = undefined;
    }
  };
  return () => (looking ??= look());
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
