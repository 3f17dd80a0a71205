import {
  context,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
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
import { ATTR_ERROR_TYPE, ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions';
import type { ExportSettings } from './export-settings.js';
import { exportedMetrics, type MetricValues } from './exported-metrics.js';
import type { Span, SpanStart, Tracer } from './tracer.js';

/** An export that runs. */
export interface Exporting {
  readonly tracer: Tracer | undefined;
  /** Has the metrics exported that `read` gives. */
  exportMetrics(read: () => Promise<MetricValues[]>): void;
  /** Exports what there is, and ends. */
  stop(): Promise<void>;
}

/** Exports to the collector of the settings. `onFailure` is called when that fails. */
export function exportTo(settings: ExportSettings, endpoint: string, onFailure: () => void): Exporting {
  setGlobalErrorHandler(onFailure);
  const resource = resourceFromAttributes({
    'service.instance.id': `${process.pid}`,
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

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

function tracerOf(provider: BasicTracerProvider): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('realmgate');
  return {
    async inSpan<T>({ name, kind, attributes, headers }: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
      const parent = headers ? propagation.extract(ROOT_CONTEXT, headers) : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      const own = spanOf(span);
      try {
        return await context.with(trace.setSpan(parent, span), () => work(own));
      } catch (error) {
        own.fail(nameOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    place() {
      const active = trace.getSpanContext(context.active());
      return active && { trace_id: active.traceId, span_id: active.spanId };
    },
  };
}

function spanOf(span: OtelSpan): Span {
  let hasFailed = false;
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      if (hasFailed) return;
      hasFailed = true;
      span.setAttribute(ATTR_ERROR_TYPE, type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
