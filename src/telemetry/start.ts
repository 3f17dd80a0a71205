import type { ExportSettings } from './export-settings.js';
import type { MetricValues } from './exported-metrics.js';
import { recordSpans } from './tracer.js';

/** The export of traces and metrics to a collector. */
export interface Telemetry {
  exportMetrics(read: () => Promise<MetricValues[]>): void;
  /** Exports the remaining data, within two seconds. */
  stop(): Promise<void>;
}

const off: Telemetry = { exportMetrics: () => undefined, stop: async () => undefined };
/** Milliseconds that a collector can hold up the end of the process, and between log messages about its failure. */
const patience = 2000;
const between = 60_000;

/**
 * Starts to export traces and metrics, if the settings name a collector: the packages of OpenTelemetry are loaded only
 * then. Data that a failing or slow collector does not accept is lost; nothing waits for it.
 */
export async function startTelemetry(
  settings: ExportSettings,
  log: { warn(fields: object, text: string): void },
): Promise<Telemetry> {
  const { otlpEndpoint, otelDisabled, otelTracesExporter, otelMetricsExporter } = settings;
  const isWanted = otelTracesExporter === 'otlp' || otelMetricsExporter === 'otlp';
  if (otlpEndpoint === undefined || otelDisabled || !isWanted) return off;
  const { exportTo } = await import('./opentelemetry.js');
  let silentUntil = 0;
  const exporting = exportTo(settings, otlpEndpoint, (reason) => {
    if (performance.now() < silentUntil) return;
    silentUntil = performance.now() + between;
    log.warn({ endpoint: otlpEndpoint, reason }, 'traces or metrics could not be exported; they are lost');
  });
  recordSpans(exporting.tracer);
  return {
    exportMetrics: exporting.exportMetrics,
    async stop() {
      recordSpans(undefined);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((done) => {
        timer = setTimeout(done, patience);
      });
      await Promise.race([exporting.stop().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}
