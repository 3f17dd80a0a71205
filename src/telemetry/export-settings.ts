import type { Config } from '../config/config.js';

/** The settings of the export. */
export type ExportSettings = Pick<
  Config,
  | 'otlpEndpoint'
  | 'otlpHeaders'
  | 'otlpTimeout'
  | 'otelServiceName'
  | 'otelResourceAttributes'
  | 'otelTracesExporter'
  | 'otelMetricsExporter'
  | 'otelSampler'
  | 'otelSamplerRatio'
  | 'otelMetricInterval'
  | 'otelDisabled'
>;
