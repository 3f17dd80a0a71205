/** Values with the names of OpenTelemetry's semantic conventions. They must not contain secrets. */
type SpanAttributes = Record<string, string | number | boolean>;

/** The initial data of a span. */
export interface SpanStart {
  name: string;
  /** `server` for a received request, `client` for a sent one */
  kind: 'server' | 'client' | 'internal';
  attributes: SpanAttributes;
  /** headers of the request, whose `traceparent` names the parent span; without one, the span begins a trace */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** whether it is recorded only within another span: a part is useless without the whole */
  isPart?: boolean;
}

/** A running span. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. The type is a short name of the error, never its message, which may quote values. */
  fail(type: string): void;
}

/** The trace and span of the current work, in the form of log lines. */
export interface TracePlace {
  trace_id: string;
  span_id: string;
}

/** Records spans. */
export interface Tracer {
  inSpan<T>(start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T>;
  /** The span of the present work; undefined outside of all. */
  place(): TracePlace | undefined;
  /** The headers that name the span of the present work to another server. */
  headers(): Record<string, string>;
}

let tracer: Tracer | undefined;

/** Records spans with this tracer; undefined: with none. For the start and the end of the process. */
export function recordSpans(by: Tracer | undefined): void {
  tracer = by;
}

/** Runs `work` in a span, if spans are recorded. `start` is called only then. */
export const traced = <T>(start: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(start(), work) : work();

/** The span of the current work for a log line; empty if there is none. */
export const tracePlace = (): TracePlace | object => tracer?.place() ?? {};

/**
 * The headers with which another server continues the trace of the current work (W3C Trace Context); empty if there is
 * none.
 */
export const traceHeaders = (): Record<string, string> => tracer?.headers() ?? {};
