import { counter } from '../../telemetry/instruments.js';

const requests = counter({
  name: 'realmgate_cache_requests_total',
  help: 'Number of values that a cache was asked for, by cache and result (hit, miss).',
  labelNames: ['cache', 'result'],
});

/** Counts the reads of a cache, and how many found a value. */
export function askedOf(cache: string): (isKnown: boolean) => void {
  const hits = requests.labels(cache, 'hit');
  const misses = requests.labels(cache, 'miss');
  return (isKnown) => (isKnown ? hits : misses).inc();
}
