import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

/** A metric as prom-client reads it. */
export interface MetricValues {
  name: string;
  help: string;
  /** a text; prom-client's types have the numbers of an enum */
  type: string | number;
  values: { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }[];
}

/** Passes the metrics of `/metrics` to OpenTelemetry, so that both show the same values. */
export function exportedMetrics(resource: Resource, read: () => Promise<MetricValues[]>): MetricProducer {
  const start = millisToHrTime(Date.now());
  return {
    async collect() {
      const now = millisToHrTime(Date.now());
      const metrics = (await read()).flatMap((metric) => dataOf(metric, start, now) ?? []);
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'realmgate' }, metrics }] }, errors: [] };
    },
  };
}

/** OpenTelemetry has no form for summaries; there are none. */
function dataOf(
  { name, help, type, values }: MetricValues,
  startTime: HrTime,
  endTime: HrTime,
): MetricData | undefined {
  const common = {
    descriptor: { name, description: help, unit: name.endsWith('_seconds') ? 's' : '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = (): DataPoint<number>[] =>
    values
      .filter(({ value }) => Number.isFinite(value))
      .map(({ value, labels }) => ({ startTime, endTime, attributes: attributesOf(labels), value }));
  if (type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() };
  if (type === 'gauge') return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() };
  if (type !== 'histogram') return undefined;
  const dataPoints = histograms(values).map((one) => ({ startTime, endTime, ...one }));
  return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

const attributesOf = (labels: Partial<Record<string, string | number>>): Attributes =>
  Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));

/** The buckets of prom-client are cumulative, the ones of OpenTelemetry are not. */
function histograms(values: MetricValues['values']): { attributes: Attributes; value: Histogram }[] {
  const found = new Map<
    string,
    { attributes: Attributes; bounds: number[]; within: number[]; sum: number; count: number }
  >();
  for (const { value, labels, metricName = '' } of values) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    const one = found.get(key) ?? { attributes: attributesOf(others), bounds: [], within: [], sum: 0, count: 0 };
    found.set(key, one);
    if (metricName.endsWith('_sum')) one.sum = value;
    else if (metricName.endsWith('_count')) one.count = value;
    else if (le !== undefined && Number.isFinite(Number(le))) {
      one.bounds.push(Number(le));
      one.within.push(value);
    }
  }
  return [...found.values()].map(({ attributes, bounds, within, sum, count }) => ({
    attributes,
    value: {
      buckets: { boundaries: bounds, counts: [...within, count].map((total, at) => total - (within[at - 1] ?? 0)) },
      sum,
      count,
    },
  }));
}
