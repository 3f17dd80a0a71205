import {
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { Database, StandbyLag } from '../database/db.js';
import { gauge, latencyBuckets, processRegistry } from '../telemetry/instruments.js';
import type { RequestLimiter } from './request-limiter.js';

/** The values of a metric, as they are passed between processes. */
export type MetricOfProcess = MetricObjectWithValues<MetricValue<string>>;

export interface Metrics {
  /** in the Prometheus exposition format */
  text(): Promise<string>;
  /** media type of the text */
  readonly type: string;
  /** The same as values. */
  values(): Promise<MetricOfProcess[]>;
  /** Counts a request that was answered. `seconds` is how long that took. */
  answered(surface: string, operation: string, status: number, seconds: number): void;
}

/** The metrics of one server, with those of its process. */
export function createMetrics(
  database: Pick<Database, 'statements' | 'pools' | 'standbyLags'>,
  limiter: Pick<RequestLimiter, 'counts'>,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'realmgate_request_duration_seconds',
    help: 'Duration of requests by surface, operation, and class of status.',
    labelNames: ['surface', 'operation', 'status'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  new Counter({
    name: 'realmgate_database_statements_total',
    help: 'Number of statements sent to the database.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(database.statements());
    },
  });
  showRequests(registry, limiter);
  showPools(registry, database);
  showStandbys(registry, database);
  const registries = [registry, processRegistry];
  return {
    text: async () => (await Promise.all(registries.map((one) => one.metrics()))).join('\n'),
    type: registry.contentType,
    values: async () => (await Promise.all(registries.map((one) => one.getMetricsAsJSON()))).flat(),
    answered(surface, operation, status, seconds) {
      requests.observe({ surface, operation, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
  };
}

function showRequests(registry: Registry, limiter: Pick<RequestLimiter, 'counts'>): void {
  const show = (state: 'running' | 'waiting', help: string) =>
    gauge(
      { name: `realmgate_requests_${state}`, help, labelNames: ['kind'] },
      (metric) => {
        for (const [kind, counts] of Object.entries(limiter.counts())) metric.set({ kind }, counts[state]);
      },
      { registry },
    );
  show('running', 'Number of running requests by what is limited: requests, tokens, large bodies.');
  show('waiting', 'Number of waiting requests by what is limited.');
  new Counter({
    name: 'realmgate_requests_refused_total',
    help: 'Number of requests that were refused with 503, as too many were waiting or for too long.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, { refused }] of Object.entries(limiter.counts())) this.inc({ kind }, refused);
    },
  });
}

function showPools(registry: Registry, { pools }: Pick<Database, 'pools'>): void {
  gauge(
    {
      name: 'realmgate_database_connections',
      help: 'Number of PostgreSQL connections by pool (primary, standbys) and state (in use, idle).',
      labelNames: ['pool', 'state'],
    },
    (metric) => {
      for (const { pool, inUse, idle } of pools()) {
        metric.set({ pool, state: 'in use' }, inUse);
        metric.set({ pool, state: 'idle' }, idle);
      }
    },
    { registry },
  );
  const show = (name: string, help: string, of: 'size' | 'waiting') =>
    gauge(
      { name, help, labelNames: ['pool'] },
      (metric) => {
        for (const state of pools()) metric.set({ pool: state.pool }, state[of]);
      },
      { registry },
    );
  show('realmgate_database_connections_max', 'Maximum number of PostgreSQL connections by pool.', 'size');
  show(
    'realmgate_database_connections_waiting',
    'Number of requests that wait for a PostgreSQL connection.',
    'waiting',
  );
}

function showStandbys(registry: Registry, { standbyLags }: Pick<Database, 'standbyLags'>): void {
  let asked: Promise<StandbyLag[]> | undefined;
  /** One question for all metrics that are read at the same time. Without the primary, nothing is known of standbys. */
  const lags = (): Promise<StandbyLag[]> =>
    (asked ??= standbyLags()
      .catch(() => [])
      .finally(() => {
        asked = undefined;
      }));
  const show = (name: string, help: string, of: (lag: StandbyLag) => number | undefined) =>
    gauge(
      { name, help, labelNames: ['standby'] },
      async (metric) => {
        const known = await lags();
        metric.reset();
        for (const lag of known) {
          const value = of(lag);
          if (value !== undefined) metric.set({ standby: lag.standby }, value);
        }
      },
      { together: 'max', registry },
    );
  show(
    'realmgate_replication_follows',
    'Whether a standby of DATABASE_READ_URL follows the primary (1) or not (0).',
    (lag) => Number(lag.follows),
  );
  show('realmgate_replication_lag_bytes', 'Bytes by which a standby of DATABASE_READ_URL is behind.', (lag) =>
    lag.follows ? lag.bytes : undefined,
  );
  show(
    'realmgate_replication_lag_seconds',
    'Age of the last write that a standby has applied, if it is behind.',
    (lag) => (lag.follows ? lag.seconds : undefined),
  );
}
