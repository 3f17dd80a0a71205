import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** text in the Prometheus exposition format, and its media type */
  read(): Promise<{ text: string; type: string }>;
  /** Counts a request that was answered. `seconds` is how long that took. */
  answered(surface: string, operation: string, status: number, seconds: number): void;
}

/** The metrics of one server. */
export function createMetrics(statements: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'realmgate_request_duration_seconds',
    help: 'Duration of requests by surface, operation, and class of status.',
    labelNames: ['surface', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  new Counter({
    name: 'realmgate_database_statements_total',
    help: 'Number of statements sent to the database.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(statements());
    },
  });
  return {
    read: async () => ({ text: await registry.metrics(), type: registry.contentType }),
    answered(surface, operation, status, seconds) {
      requests.observe({ surface, operation, status: `${Math.floor(status / 100)}xx` }, seconds);
    },
  };
}
