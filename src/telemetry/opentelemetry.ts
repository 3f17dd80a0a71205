import { randomUUID } from 'node:crypto';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { ExportSettings } from './export-settings.js';
import { exportedMetrics, type MetricValues } from './exported-metrics.js';
import { tracerOf } from './span-recorder.js';
import type { Tracer } from './tracer.js';

/** An export that runs. */
export interface Exporting {
  readonly tracer: Tracer | undefined;
  /** Exports the metrics that `read` returns. */
  exportMetrics(read: () => Promise<MetricValues[]>): void;
  /** Exports the remaining data, and ends. */
  stop(): Promise<void>;
}

/** Exports to the collector of the settings. `onFailure` is called with the reason when that fails. */
export function exportTo(settings: ExportSettings, endpoint: string, onFailure: (reason: string) => void): Exporting {
  setGlobalErrorHandler((error) => onFailure(typeof error === 'string' ? error : (error.message ?? 'unknown')));
  const resource = resourceFromAttributes({
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    ...settings.otelResourceAttributes,
    [ATTR_SERVICE_NAME]: settings.otelServiceName,
  });
  const to = (signal: string) => ({
    url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`,
    headers: { ...settings.otlpHeaders },
    timeoutMillis: settings.otlpTimeout,
  });
  const provider =
    settings.otelTracesExporter === 'otlp'
      ? new BasicTracerProvider({
          resource,
          sampler: samplerOf(settings),
          spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(to('traces')))],
        })
      : undefined;
  let meters: MeterProvider | undefined;
  return {
    tracer: provider && tracerOf(provider),
    exportMetrics(read) {
      if (settings.otelMetricsExporter !== 'otlp') return;
      meters = metersOf(resource, settings, new OTLPMetricExporter(to('metrics')), read);
    },
    async stop() {
      await Promise.all([provider?.shutdown(), meters?.shutdown()]);
    },
  };
}

function metersOf(
  resource: Resource,
  { otelMetricInterval, otlpTimeout }: ExportSettings,
  exporter: OTLPMetricExporter,
  read: () => Promise<MetricValues[]>,
): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: otelMetricInterval,
    exportTimeoutMillis: Math.min(otlpTimeout, otelMetricInterval),
    metricProducers: [exportedMetrics(resource, read)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function samplerOf({ otelSampler, otelSamplerRatio }: ExportSettings): Sampler {
  const isParentBased = otelSampler.startsWith('parentbased_');
  const root = rootSampler(otelSampler.replace('parentbased_', ''), otelSamplerRatio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
