/** Values by the names of OpenTelemetry's semantic conventions. None may contain a secret. */
type SpanAttributes = Record<string, string | number | boolean>;

/** The initial data of a span. */
export interface SpanStart {
  name: string;
  /** `server` for a request that is answered, `client` for one that is sent */
  kind: 'server' | 'client' | 'internal';
  attributes: SpanAttributes;
  /** headers of the request, whose `traceparent` names the span that this one belongs to; without one, it begins a trace of its own */
  headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** whether it is recorded only within another span: a part says nothing without the whole */
  isPart?: boolean;
}

/** A span that has begun. */
export interface Span {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. The type is a short name of the error, never its message, which may quote values. */
  fail(type: string): void;
}

/** Where the present work belongs, in the form of log lines. */
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

/** Has spans recorded by this tracer; by none with undefined. For the start and the end of the process. */
export function recordSpans(by: Tracer | undefined): void {
  tracer = by;
}

/** Runs `work` in a span, where spans are recorded. `start` is called only then. */
export const traced = <T>(start: () => SpanStart, work: (span?: Span) => Promise<T>): Promise<T> =>
  tracer ? tracer.inSpan(start(), work) : work();

/** The span of the present work for a log line; nothing where there is none. */
export const tracePlace = (): TracePlace | object => tracer?.place() ?? {};

/** The headers by which another server continues the trace of the present work (W3C Trace Context); none where there is none. */
export const traceHeaders = (): Record<string, string> => tracer?.headers() ?? {};
