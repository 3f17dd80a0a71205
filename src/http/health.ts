import type { Services } from '../services/core/context.js';
import { type Answer, unavailable } from './answer.js';
import type { Metrics } from './metrics.js';
import type { RequestLimiter } from './request-limiter.js';

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

/** What the service counts, in the text format of Prometheus. */
export async function metricsAnswer(metrics: Metrics, limiter: RequestLimiter): Promise<Answer> {
  const { text, type } = await metrics.read();
  return { status: 200, body: `${text}${await limiter.metrics()}`, type };
}
