import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Handled } from '../http/answer.js';
import { requestIdOf } from '../http/authenticate.js';
import { readFileBody, readJson, readJsonWithFiles, readMergePatch, readText } from '../http/body.js';
import { openTo, preflight } from '../http/cors.js';
import { failure } from '../http/errors.js';
import type { RequestLimiter } from '../http/request-limiter.js';
import { gone, send } from '../http/send.js';
import type { Context, Services } from '../services/core/context.js';
import { ignoredFields } from '../services/core/ignored-fields.js';
import { Refusal } from '../services/core/refusal.js';
import { accepted, answersText, asPage, notAcceptable, wantsPage } from './negotiation.js';
import type { RestRequest } from './request.js';
import { adminMount, documentedMount, type Find, type Match, type Mount, routerOf } from './router.js';
import type { Route } from './table.js';
import { readUpload } from './upload.js';

/** Makes the context of a request: who sends it, from where, under which address. Throws `unauthenticated`. */
export type Authenticate = (message: IncomingMessage) => Promise<Context>;

/** The REST contract on its mounts, as `REST_MOUNT` says, as a handler of node:http requests. `path` has no query string. */
export function restHandler(
  services: Services,
  routes: readonly Route[],
  authenticate: Authenticate,
  limiter: RequestLimiter,
) {
  const { restMount } = services.config;
  const routerFor = (mount: Mount, unless: string): Find =>
    restMount === unless ? () => undefined : routerOf(mount, routes);
  const documented = routerFor(documentedMount, 'admin');
  const admin = routerFor(adminMount, 'documented');

  return async (message: IncomingMessage, response: ServerResponse, path: string, search: string): Promise<Handled> => {
    let operation = 'unknown';
    let answer: Answer;
    let ctx: Context | undefined;
    let match: Match | undefined;
    try {
      const method = message.method === 'HEAD' ? 'GET' : (message.method ?? 'GET');
      const find = path.startsWith('/auth/admin/') ? admin : documented;
      if (method === 'OPTIONS') {
        operation = 'preflight';
        answer = { status: 200, headers: preflight(message) };
      } else {
        match = find(method, withoutTrailingSlash(path));
        // nobody learns without a token what there is
        ctx = await authenticate(message);
        if (!match) throw await nothingThere(ctx, find, path);
        const { route } = match;
        operation = route?.operation.name ?? operation;
        answer = route
          ? await answerOf(message, response, { ...match, route }, ctx, search)
          : {
              status: 405,
              headers: { allow: [...match.methods, 'OPTIONS'].join(', ') },
              body: { error: `RESTEASY003650: No resource method found for ${method}` },
            };
      }
    } catch (error) {
      answer = failure(error, services.log, requestIdOf(message));
      if (match?.route?.console && answer.status === 401) answer = { status: 401 };
      else if (wantsPage(message)) answer = asPage(answer);
    }
    if (ctx) {
      const { paths, count } = ignoredFields(ctx);
      if (count > 0) {
        services.log.warn(
          { operation, requestId: ctx.requestId, paths, count },
          'fields are ignored: this version does not know them, or they have no effect',
        );
        answer = { ...answer, headers: { ...answer.headers, 'x-ignored-fields': headerOf(paths, count) } };
      }
      const cors = openTo(message, ctx.caller.allowedOrigins ?? [], match?.route?.console ? undefined : 'Location');
      answer = { ...answer, headers: { ...answer.headers, ...cors } };
    }
    send(response, answer, message.method === 'HEAD');
    const route = match?.route && match.mount.address(match.route);
    return { operation, status: response.writableEnded ? answer.status : gone.status, route };
  };

  async function answerOf(
    message: IncomingMessage,
    response: ServerResponse,
    match: Match & { route: Route },
    ctx: Context,
    search: string,
  ): Promise<Answer> {
    const { route, params } = match;
    const takes = accepted(message, route.media);
    if (!takes.answer && answersText(route)) {
      // what is not there is told first, but for roles, which the contract finds last
      if (!route.path.endsWith('/roles/{role-name}')) await route.locate(ctx, params);
      return takes.html ? asPage(notAcceptable) : notAcceptable;
    }
    const work = () => route.handle(requestOf(services, message, match, route, ctx, search));
    const result = route.large ? await limiter.runLarge(message, response, work) : await work();
    return result ? absolute(result, ctx, match) : gone;
  }
}

const longestHeader = 2000;

/** The paths of ignored fields as a header: as many as have room in it, and how many there are. */
function headerOf(paths: string[], count: number): string {
  const shown = paths
    .map((path) => path.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, longestHeader);
  return `${count}: ${shown}`;
}

/** The refusal of a path that is not there: that of the thing which it would lie below, if that is not there either. */
async function nothingThere(ctx: Context, find: Find, path: string): Promise<Refusal> {
  let above = path;
  while (above.lastIndexOf('/') > '/auth'.length) {
    above = above.slice(0, above.lastIndexOf('/'));
    const match = find('GET', above);
    if (!match?.route) continue;
    await match.route.locate(ctx, match.params);
    break;
  }
  return new Refusal('notFound', 'RESTEASY003210: Could not find resource for full path');
}

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
    mount: addressOfMount(ctx, mount),
    body: () => (route.large ? readJsonWithFiles : readJson)(message, limit),
    mergePatch: () => readMergePatch(message, limit),
    file: (list) => readFileBody(message, limit, list),
    text: (...types) => readText(message, limit, types),
    upload: () => readUpload(message, limit),
  };
}

/** The address of a mount. The documented paths have the prefix `/auth` whatever that of the others is. */
const addressOfMount = ({ baseUrl }: Context, mount: Mount): string =>
  mount === documentedMount ? `${baseUrl.replace(/\/auth$/, '')}/auth` : baseUrl + mount.prefix.slice('/auth'.length);

/** Locations are relative to the realm, or with a slash in front to the mount; callers get the whole address. */
function absolute(answer: Answer, ctx: Context, { params, mount }: Match): Answer {
  const location = answer.headers?.location;
  if (location === undefined) return answer;
  const start = addressOfMount(ctx, mount);
  const whole = location.startsWith('/')
    ? start + location
    : `${start}/${encodeURIComponent(params.realm ?? '')}/${location}`;
  return { ...answer, headers: { ...answer.headers, location: whole } };
}
