import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../enter.js';
import type { Gate } from '../gate.js';
import type { Context, Services } from '../services/core/context.js';
import { Refusal } from '../services/core/refusal.js';
import type { Answer } from './answer.js';
import { failure } from './errors.js';
import { type RestRequest, readJson, readText } from './request.js';
import { adminMount, documentedMount, type Match, routerOf } from './router.js';
import type { Route } from './table.js';

/** Makes the context of a request: who sends it, from where, under which address. Throws `unauthenticated`. */
export type Enter = (message: IncomingMessage) => Promise<Context>;

export interface Handled {
  /** name of the operation, for logs and metrics */
  operation: string;
  status: number;
}

/** The REST contract on both of its mounts as a handler of node:http requests. `path` has no query string. */
export function restHandler(services: Services, routes: readonly Route[], enter: Enter, gate: Gate) {
  const documented = routerOf(documentedMount, routes);
  const admin = routerOf(adminMount, routes);

  return async (message: IncomingMessage, response: ServerResponse, path: string, search: string): Promise<Handled> => {
    let operation = 'unknown';
    let answer: Answer;
    try {
      const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET');
      const find = path.startsWith('/auth/admin/') ? admin : documented;
      const match = find(method, withoutTrailingSlash(path));
      if (!match) {
        // below the admin mount nobody learns what there is without a token
        if (find === admin) await enter(message);
        throw new Refusal('notFound', 'RESTEASY003210: Could not find resource for full path');
      }
      const { route } = match;
      if (!route) {
        answer = {
          status: 405,
          headers: { allow: [...match.methods, 'OPTIONS'].join(', ') },
          body: { error: `RESTEASY003650: No resource method found for ${method}` },
        };
      } else {
        operation = route.operation.name;
        const ctx = await enter(message);
        const work = () => route.handle(requestOf(services, message, match, route, ctx, search));
        const result = route.large ? await gate.passLarge(message, response, work) : await work();
        answer = result ? absolute(result, ctx, match) : gone;
      }
    } catch (error) {
      answer = failure(error, services.log, requestIdOf(message));
    }
    send(response, answer, message.method === 'HEAD');
    return { operation, status: response.writableEnded ? answer.status : gone.status };
  };
}

/** For the logs and the metrics: whom it would be sent to has hung up. */
export const gone: Answer = { status: 499 };

const withoutTrailingSlash = (path: string): string =>
  path.length > 6 && path.endsWith('/') ? path.slice(0, -1) : path;

function requestOf(
  { config }: Services,
  message: IncomingMessage,
  { params, mount }: Match,
  route: Route,
  ctx: Context,
  search: string,
): RestRequest {
  const limit = route.large ? config.importBodyLimit : config.bodyLimit;
  return {
    ctx,
    params,
    query: new URLSearchParams(search),
    headers: message.headers,
    mount: ctx.baseUrl + mount.prefix.slice('/auth'.length),
    body: () => readJson(message, limit),
    text: (...types) => readText(message, limit, types),
  };
}

/** Locations are relative to the realm, or with a slash in front to the mount; callers get the whole address. */
function absolute(answer: Answer, ctx: Context, { params, mount }: Match): Answer {
  const location = answer.headers?.location;
  if (location === undefined) return answer;
  const start = ctx.baseUrl + mount.prefix.slice('/auth'.length);
  const whole = location.startsWith('/')
    ? start + location
    : `${start}/${encodeURIComponent(params.realm ?? '')}/${location}`;
  return { ...answer, headers: { ...answer.headers, location: whole } };
}

/** Sends an answer. */
export function send(response: ServerResponse, answer: Answer, headOnly = false): void {
  if (response.headersSent || response.destroyed) return;
  const headers: Record<string, string | number> = { ...answer.headers };
  let bytes: string | Buffer | undefined;
  if (answer.body !== undefined) {
    const raw = answer.type !== undefined;
    bytes = raw ? (answer.body as string | Buffer) : JSON.stringify(answer.body);
    headers['content-type'] = answer.type ?? 'application/json';
    headers['content-length'] = Buffer.byteLength(bytes);
  }
  headers['cache-control'] ??= 'no-cache';
  response.writeHead(answer.status, headers);
  if (headOnly || bytes === undefined) response.end();
  else response.end(bytes);
}
