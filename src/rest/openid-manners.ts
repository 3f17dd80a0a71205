import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.js';
import { preflight } from '../http/cors.js';
import { Refusal } from '../services/core/refusal.js';

// What the endpoints answer to OPTIONS, as recorded; the methods are those of the preflight's answer.
const methodsOf = new Map([
  ['', 'GET, HEAD, OPTIONS'],
  ['/.well-known/openid-configuration', 'GET'],
  ['/protocol/openid-connect/certs', 'GET'],
  ['/protocol/openid-connect/token', 'OPTIONS, POST'],
  ['/protocol/openid-connect/userinfo', 'GET, HEAD, OPTIONS'],
  ['/protocol/openid-connect/logout', 'GET, HEAD, OPTIONS'],
]);

/** The answer to OPTIONS below a realm's public address; `tail` is the path from there on. */
export function optionsAnswer(message: IncomingMessage, tail: string): Answer {
  const methods = methodsOf.get(tail);
  if (methods !== undefined) return { status: 200, headers: preflight(message, methods) };
  if (/^\/account(\/|$)/.test(tail)) return { status: 200, headers: preflight(message) };
  if (tail.startsWith('/authz/')) {
    const error_description = 'Could not obtain bearer access_token from request.';
    return { status: 403, body: { error: 'invalid_bearer_token', error_description } };
  }
  return { status: 200, body: { error: 'unknown_error' } };
}

/** The refusal of a path below a realm's public address that is not there. */
export function nothingBelow(tail: string): Refusal {
  const [, first, second] = tail.split('/');
  if (first !== 'protocol') return new Refusal('notFound', 'HTTP 404 Not Found');
  if (second !== 'openid-connect') return new Refusal('notFound', 'Protocol not found');
  return new Refusal('notFound', 'RESTEASY003210: Could not find resource for full path');
}
