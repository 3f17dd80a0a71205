import { z } from 'zod';
import { optional, required, type Setting } from './setting.js';
import { flag, pairs, parsedUrl, wholeNumber } from './setting-values.js';

const collectorUrl = z
  .string()
  .refine((text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? '') && !/[?#@]/.test(text));
const exporter = z.enum(['otlp', 'none']);

/** The settings of OpenTelemetry, under the names of its specification. */
export const telemetryDefinitions = {
  otlpEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    collectorUrl,
    'an http or https URL',
    'Base URL of an OpenTelemetry collector that receives traces and metrics by OTLP over HTTP, e.g. `http://localhost:4318`. Default: nothing is exported.',
  ),
  otlpHeaders: optional(
    'OTEL_EXPORTER_OTLP_HEADERS',
    pairs,
    'names and values such as name=value, separated by commas',
    'Headers of requests to the OpenTelemetry collector: `name=value`, separated by commas, with percent-encoded values.',
    true,
  ),
  otlpTimeout: required(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    '10000',
    wholeNumber(1, 600_000),
    'a number of milliseconds from 1 to 600000',
    'Milliseconds that the OpenTelemetry collector has to receive an export.',
  ),
  otelServiceName: required(
    'OTEL_SERVICE_NAME',
    'realmgate',
    z.string().min(1).max(255),
    'a text of at most 255 characters',
    'Name of the service in exported traces and metrics.',
  ),
  otelResourceAttributes: optional(
    'OTEL_RESOURCE_ATTRIBUTES',
    pairs,
    'names and values such as name=value, separated by commas',
    'Attributes of the process in exported traces and metrics: `name=value`, separated by commas, with percent-encoded values.',
  ),
  otelTracesExporter: required(
    'OTEL_TRACES_EXPORTER',
    'otlp',
    exporter,
    'otlp or none',
    'Whether traces are exported to `OTEL_EXPORTER_OTLP_ENDPOINT` (`otlp`), or not (`none`).',
  ),
  otelMetricsExporter: required(
    'OTEL_METRICS_EXPORTER',
    'otlp',
    exporter,
    'otlp or none',
    'Whether metrics are exported to `OTEL_EXPORTER_OTLP_ENDPOINT` (`otlp`), or not (`none`).',
  ),
  otelSampler: required(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    z.enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ]),
    'always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off or parentbased_traceidratio',
    'Requests that are traced: all, none, or the share `OTEL_TRACES_SAMPLER_ARG`. With `parentbased_`, the caller decides if the request has a `traceparent` header.',
  ),
  otelSamplerRatio: required(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    z
      .string()
      .regex(/^(0|1|0?\.\d{1,12}|1\.0+)$/)
      .transform(Number),
    'a number from 0 to 1',
    'Share of requests that are traced with the sampler `traceidratio` or `parentbased_traceidratio`.',
  ),
  otelMetricInterval: required(
    'OTEL_METRIC_EXPORT_INTERVAL',
    '60000',
    wholeNumber(100, 3_600_000),
    'a number of milliseconds from 100 to 3600000',
    'Milliseconds between two exports of metrics.',
  ),
  otelDisabled: required(
    'OTEL_SDK_DISABLED',
    'false',
    flag,
    'true or false',
    'Whether nothing is exported, although `OTEL_EXPORTER_OTLP_ENDPOINT` is set.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;
