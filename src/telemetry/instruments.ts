import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of parts that exist once in a process. The metrics of a server are in `http/metrics.ts`. */
export const processRegistry = new Registry();

/** In seconds: from an answer of a cache to a request that its client has given up. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Description<Label extends string> {
  name: string;
  help: string;
  /** Values of labels are from a fixed set: no names that callers choose. */
  labelNames?: Label[];
}

/** Makes a metric that only increases. */
export const counter = <Label extends string = never>(description: Description<Label>): Counter<Label> =>
  new Counter({ ...description, registers: [processRegistry] });

/** Makes a metric of durations in seconds. */
export const durations = <Label extends string = never>(
  description: Description<Label> & { buckets?: number[] },
): Histogram<Label> => new Histogram({ buckets: latencyBuckets, ...description, registers: [processRegistry] });

/**
 * Makes a metric that is set when it is read. `together` determines how the values of several processes are combined.
 */
export const gauge = <Label extends string = never>(
  description: Description<Label>,
  collect: (gauge: Gauge<Label>) => void | Promise<void>,
  { together = 'sum', registry = processRegistry }: { together?: 'sum' | 'max' | 'first'; registry?: Registry } = {},
): Gauge<Label> =>
  new Gauge({
    ...description,
    aggregator: together,
    registers: [registry],
    collect() {
      return collect(this);
    },
  });
