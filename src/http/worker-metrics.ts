import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, type PrometheusContentType } from 'prom-client';
import type { MetricOfProcess } from './metrics.js';

/** What processes ask each other: a worker wants the metrics of all, and the process that started it wants those of each. */
type Message =
  | { kind: 'metrics of all wanted'; id: number }
  | { kind: 'metrics of all'; id: number; text: string }
  | { kind: 'metrics wanted'; id: number }
  | { kind: 'metrics'; id: number; values: MetricOfProcess[] };

/** How long the others have to answer, in milliseconds: one that computes for longer is left out. */
const patience = 2000;
const longer = 2 * patience;
let last = 0;

/**
 * In a worker: answers the process that started it with the metrics of this one. Returns a function that gets the text of the
 * metrics of all workers.
 */
export function shareMetrics(values: () => Promise<MetricOfProcess[]>): () => Promise<string> {
  process.on('message', (message: Message) => {
    if (message.kind !== 'metrics wanted') return;
    values().then(
      (own) => process.send?.({ kind: 'metrics', id: message.id, values: own } satisfies Message),
      () => undefined, // the others are shown without it
    );
  });
  return () =>
    new Promise((done, failed) => {
      const id = ++last;
      const end = (): void => {
        clearTimeout(timer);
        process.off('message', hear);
      };
      const hear = (message: Message): void => {
        if (message.kind !== 'metrics of all' || message.id !== id) return;
        end();
        done(message.text);
      };
      const timer = setTimeout(() => {
        end();
        failed(new Error('The metrics of the workers could not be read in time'));
      }, longer);
      process.on('message', hear);
      process.send?.({ kind: 'metrics of all wanted', id } satisfies Message);
    });
}

/** In the process that starts workers: has a worker get the metrics of all that serve at the time. */
export function gatherMetrics(worker: Worker, serving: () => readonly Worker[]): void {
  worker.on('message', (message: Message) => {
    if (message.kind !== 'metrics of all wanted') return;
    Promise.all(serving().map(valuesOf))
      .then((all) => together(all.filter((values) => values.length > 0)))
      .then(
        (text) =>
          worker.isConnected() && worker.send({ kind: 'metrics of all', id: message.id, text } satisfies Message),
        () => undefined, // the worker stops to wait
      );
  });
}

const together = (all: MetricOfProcess[][]): Promise<string> =>
  AggregatorRegistry.aggregate<PrometheusContentType>(all).metrics();

/** The metrics of a worker; none if it does not answer in time or ends. */
const valuesOf = (worker: Worker): Promise<MetricOfProcess[]> =>
  new Promise((done) => {
    const id = ++last;
    const end = (values: MetricOfProcess[]): void => {
      clearTimeout(timer);
      worker.off('message', hear);
      worker.off('exit', gone);
      done(values);
    };
    const gone = (): void => end([]);
    const hear = (message: Message): void => {
      if (message.kind === 'metrics' && message.id === id) end(message.values);
    };
    const timer = setTimeout(gone, patience);
    worker.on('message', hear);
    worker.once('exit', gone);
    if (worker.isConnected()) worker.send({ kind: 'metrics wanted', id } satisfies Message);
    else gone();
  });

/** Whether this process is one of several whose metrics are shown together. */
export const isOneOfSeveral = (): boolean => cluster.isWorker;
