import type { IncomingMessage } from 'node:http';
import { type Span, traced } from '../telemetry/tracer.js';
import type { Handled } from './answer.js';
import { requestIdOf } from './authenticate.js';

/**
 * Answers a request in a span, which belongs to that of the caller's `traceparent` header. Its path is not in it, as it can name people, and
 * neither is the query string, as it can contain tokens.
 */
export const inRequestSpan = (message: IncomingMessage, work: (span?: Span) => Promise<void>): Promise<void> =>
  traced(
    () => ({
      name: message.method ?? '',
      kind: 'server',
      attributes: {
        'http.request.method': message.method ?? '',
        'network.protocol.version': message.httpVersion,
        'realmgate.request_id': requestIdOf(message),
      },
      headers: message.headers,
    }),
    work,
  );

/** Notes in the span of a request what it turned out to be, and how it was answered. */
export function describeAnswer(
  span: Span,
  { method = '' }: IncomingMessage,
  { surface, operation, status, route }: Handled & { surface: string },
): void {
  span.rename(`${method} ${operation}`);
  span.set({
    'realmgate.surface': surface,
    'realmgate.operation': operation,
    'http.response.status_code': status,
    ...(route !== undefined && { 'http.route': route }),
  });
  if (status >= 500) span.fail(String(status));
}
