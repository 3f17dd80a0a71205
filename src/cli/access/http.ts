import { setTimeout as pause } from 'node:timers/promises';
import { isUnknownAuthority } from '../../database/unknown-authority.js';
import { isObject } from '../../services/core/json.js';

/** A request to a server. It can be sent again without a second effect. */
export interface ServerRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams;
}

const mostAttempts = 4;
/** Maximum wait for an answer, in milliseconds. A large realm takes a minute. */
const patience = 300_000;
/** Maximum pause before another attempt, in seconds, even if the server asks for a longer one. */
const longestPause = 30;

/**
 * Sends a request. Repeats it while the server answers 503, after the time in the answer, or drops the connection.
 * Throws a sentence if the server cannot be reached or redirects the caller.
 */
export async function exchange({ url, ...request }: ServerRequest): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === mostAttempts;
    try {
      const response = await answered(url, request);
      if (response.status >= 300 && response.status < 400) throw movedTo(url, response);
      if (response.status !== 503 || isLast) return response;
      await response.body?.cancel();
      await pause(secondsAsked(response, attempt) * 1000);
    } catch (error) {
      const reason = unreachable(error);
      if (reason === undefined) throw error;
      if (isLast || !isPassing(reason)) {
        const remedy = isUnknownAuthority(reason)
          ? 'name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS'
          : 'check --url and the network';
        throw new Error(`The server ${new URL(url).origin} cannot be reached (${reason}): ${remedy}.`);
      }
      await pause(secondsOf(attempt) * 1000);
    }
  }
}

/** The answer to one attempt. A timer keeps the process alive: a request whose connection ends early may otherwise never settle. */
async function answered(url: string, request: Omit<ServerRequest, 'url'>): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new TypeError(`no answer within ${patience / 1000} seconds`)), patience);
  try {
    return await fetch(url, { ...request, redirect: 'manual', signal: limit.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Names of faults after which the next attempt can succeed: the server restarts, or has closed an idle connection. */
const isPassing = (reason: string): boolean => ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EAI_AGAIN'].includes(reason);

/** The reason why `fetch` got no answer; undefined for other errors. */
function unreachable(error: unknown): string | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [cause];
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : (first ?? cause).message;
}

const secondsOf = (attempt: number): number => Math.min(longestPause, 0.2 * 2 ** (attempt - 1));

function secondsAsked({ headers }: Response, attempt: number): number {
  const asked = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(asked) ? Math.min(longestPause, Math.max(0, asked)) : secondsOf(attempt);
}

function movedTo(url: string, { status, headers }: Response): Error {
  const location = headers.get('location');
  const target = location && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : '';
  return new Error(
    `The server ${new URL(url).origin} redirects${target} (${status}): give --url the address it redirects to.`,
  );
}

/** The JSON of an answer; undefined for other content. */
export async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}

/** The error message in an answer, if it has one. */
export function reasonOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const text = body.errorMessage ?? body.error_description ?? body.error;
  return typeof text === 'string' && text !== '' && text !== 'unknown_error' ? text : undefined;
}
