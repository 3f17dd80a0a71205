import {
  type Context,
  context,
  createContextKey,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { Span, Tracer } from './tracer.js';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** Whether the span of a context is still open. */
const opened = createContextKey('realmgate.opened');

/**
 * The context of the current work. Work that outlives its request, such as a loop that delivers to webhooks, would
 * otherwise belong to the request's trace forever.
 */
function present(): Context {
  const active = context.active();
  const own = active.getValue(opened) as { isOver: boolean } | undefined;
  return own?.isOver ? ROOT_CONTEXT : active;
}

/** Records spans by OpenTelemetry. */
export function tracerOf(provider: BasicTracerProvider): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('realmgate');
  return {
    async inSpan({ name, kind, attributes, headers, isPart }, work) {
      const parent = headers ? propagation.extract(ROOT_CONTEXT, headers) : present();
      if (isPart && !trace.getSpan(parent)) return work();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      const own = spanOf(span);
      const state = { isOver: false };
      try {
        return await context.with(trace.setSpan(parent, span).setValue(opened, state), () => work(own));
      } catch (error) {
        own.fail(nameOf(error));
        throw error;
      } finally {
        state.isOver = true;
        span.end();
      }
    },
    place() {
      const active = trace.getSpanContext(present());
      return active && { trace_id: active.traceId, span_id: active.spanId };
    },
    headers() {
      const carrier: Record<string, string> = {};
      propagation.inject(present(), carrier);
      return carrier;
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
