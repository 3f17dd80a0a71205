import { durations } from '../../telemetry/instruments.js';
import { traced } from '../../telemetry/tracer.js';
import { databaseRefusal } from './database-refusal.js';
import { Refusal } from './refusal.js';

const operations = durations({
  name: 'realmgate_operation_duration_seconds',
  help: 'Duration of operations by name and outcome: ok, the kind of a refusal, or error.',
  labelNames: ['operation', 'outcome'],
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
});

/** Runs an operation in its own span, and records its duration and outcome. */
export async function observed<T>(operation: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  let outcome = 'ok';
  try {
    return await traced(
      () => ({ name: operation, kind: 'internal', attributes: { 'realmgate.operation': operation } }),
      async (span) => {
        try {
          return await work();
        } catch (error) {
          outcome = kindOf(error);
          span?.fail(outcome);
          throw error;
        }
      },
    );
  } finally {
    operations.observe({ operation, outcome }, (performance.now() - started) / 1000);
  }
}

function kindOf(error: unknown): string {
  const known = databaseRefusal(error);
  return known instanceof Refusal ? known.kind : 'error';
}
