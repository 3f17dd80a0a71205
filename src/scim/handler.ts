import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Handled } from '../http/answer.js';
import { requestIdOf, useAddressOf } from '../http/authenticate.js';
import { readJson } from '../http/body.js';
import { openTo, preflight } from '../http/cors.js';
import { gone, send } from '../http/send.js';
import type { Context, Services } from '../services/core/context.js';
import { ignoredFields } from '../services/core/ignored-fields.js';
import { notFound } from '../services/core/refusal.js';
import { errorAnswer, errorBody } from './errors.js';
import { decodedSegment, findRoute } from './find-route.js';
import { invalidValue } from './refusals.js';
import { type ScimRequest, scimType } from './request.js';
import { scimRoutes } from './routes.js';

/** Makes the context of a request. Throws `unauthenticated`. */
type Authenticate = (message: IncomingMessage) => Promise<Context>;

const below = /^\/auth\/realms\/([^/]+)\/scim\/v2(\/.*)?$/;

/** Whether a path belongs to this surface. */
export const isScimPath = (path: string): boolean => below.test(path);

const find = findRoute(scimRoutes);
const longestHeader = 2000;

/** SCIM 2.0 (RFC 7643, RFC 7644) on the operations of users and groups, as a handler of node:http requests. */
export function scimHandler(services: Services, authenticate: Authenticate) {
  return async (message: IncomingMessage, response: ServerResponse, path: string, search: string): Promise<Handled> => {
    const [, realm = '', tail = ''] = below.exec(path) ?? [];
    const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET');
    const { route, id, methods } = find(method, tail.replace(/\/$/, ''));
    let operation = route?.name ?? 'unknown';
    let answer: Answer;
    let ctx: Context | undefined;
    try {
      if (method === 'OPTIONS') {
        operation = 'preflight';
        answer = { status: 200, headers: preflight(message, [...methods, 'OPTIONS'].join(', ')) };
      } else {
        const realmName = decodedSegment(realm);
        const known = await services.realms.byName(services.database.read, realmName);
        if (known) useAddressOf(message, services, known);
        ctx = await authenticate(message);
        if (methods.length === 0) throw notFound(`There is no ${tail.slice(0, 200)}`);
        answer = route ? await route.handle(requestOf(ctx, message, realmName, id, search)) : notAllowed(methods);
      }
    } catch (error) {
      answer = errorAnswer(error, services, requestIdOf(message));
    }
    if (ctx) answer = { ...answer, headers: { ...answer.headers, ...ignoredIn(ctx), ...corsOf(message, ctx) } };
    send(response, answer, message.method === 'HEAD');
    const shown = route && `/auth/realms/{realm}/scim/v2${route.path}`;
    return { operation, status: response.writableEnded ? answer.status : gone.status, route: shown };
  };

  function requestOf(
    ctx: Context,
    message: IncomingMessage,
    realmName: string,
    id: string,
    search: string,
  ): ScimRequest {
    let body: Promise<unknown> | undefined;
    return {
      ctx,
      realmName,
      id,
      query: queryOf(search),
      headers: message.headers,
      body: () => (body ??= readJson(message, services.config.bodyLimit, [scimType, 'application/json'])),
    };
  }
}

/** The parameters of a query, each of them once. */
function queryOf(search: string): Record<string, string> {
  const parameters = new URLSearchParams(search);
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1) throw invalidValue(`\`${name.slice(0, 100)}\` must be given once`);
  }
  return Object.fromEntries(parameters);
}

const notAllowed = (methods: readonly string[]): Answer => ({
  status: 405,
  headers: { allow: [...methods, 'OPTIONS'].join(', ') },
  body: JSON.stringify(errorBody(405, `The path has the methods ${methods.join(', ')}`)),
  type: scimType,
});

const corsOf = (message: IncomingMessage, { caller }: Context) =>
  openTo(message, caller.allowedOrigins ?? [], 'ETag, Location');

/** The header that names ignored attributes. */
function ignoredIn(ctx: Context): Record<string, string> {
  const { paths, count } = ignoredFields(ctx);
  if (count === 0) return {};
  const shown = paths.map((path) => path.replace(/[^\w.:-]/g, '?')).join(', ');
  return { 'x-ignored-fields': `${count}: ${shown.slice(0, longestHeader)}` };
}
