import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { limit } from '../config/limits.js';
import type { GraphqlHandler } from '../graph/server.js';
import { restHandler } from '../rest/handle.js';
import { failurePage } from '../rest/login/failure-page.js';
import { openidEndpoints } from '../rest/openid.js';
import { routes } from '../rest/routes.js';
import { errorBody } from '../scim/errors.js';
import { isScimPath, scimHandler } from '../scim/handler.js';
import { scimType } from '../scim/request.js';
import { publishedMetadata } from '../services/brokering/saml/published-metadata.js';
import type { Services } from '../services/core/context.js';
import { createRealmScopedCache } from '../services/core/scoped-cache.js';
import { publishedKeys } from '../services/tokens/client-keys.js';
import type { Parties, SessionInUse } from '../services/tokens/types.js';
import { createBearerVerifier } from '../services/tokens/verify.js';
import { type Answer, type Handled, unavailable } from './answer.js';
import { authenticator, requestIdOf } from './authenticate.js';
import type { RequestLimiter } from './request-limiter.js';
import { gone, send } from './send.js';

/** What answers requests below a path. */
export type Surface = 'graphql' | 'openid' | 'rest' | 'scim';

/** Answers a request of a surface. `path` has no query string, `search` is that without the question mark. */
type SurfaceHandler = (
  message: IncomingMessage,
  response: ServerResponse,
  path: string,
  search: string,
) => Promise<Handled>;

export interface Surfaces extends Record<Surface, SurfaceHandler> {
  /** The handler of GraphQL, which is made at its first request, so that a start does not wait for it. */
  graphqlHandler(): Promise<GraphqlHandler>;
}

/** The surface that a path belongs to; undefined if none. */
export function surfaceOf(path: string): Surface | undefined {
  if (path === '/graphql') return 'graphql';
  if (isScimPath(path)) return 'scim';
  if (path.startsWith('/auth/realms/')) return 'openid';
  return path === '/auth' || path.startsWith('/auth/') ? 'rest' : undefined;
}

/** The answer to a request that failed in the form of a surface: a page for browsers that log in. Other answers have the contract's form already. */
export function inFormOf(surface: Surface, answer: Answer, request: IncomingMessage): Answer {
  if (surface === 'openid' && answer.status >= 500 && request.headers.accept?.includes('text/html')) {
    const page = failurePage(answer.status, requestIdOf(request));
    return { ...page, headers: { ...page.headers, ...answer.headers } };
  }
  if (answer.status !== unavailable.status || surface === 'rest') return answer;
  const { errorMessage: message } = answer.body as { errorMessage: string };
  if (surface === 'scim') return { ...answer, body: JSON.stringify(errorBody(answer.status, message)), type: scimType };
  const body =
    surface === 'openid'
      ? { error: 'temporarily_unavailable', error_description: message }
      : { errors: [{ message, extensions: { code: 'BUSY' } }] };
  return { ...answer, body };
}

/** Sends an answer; returns what logs and metrics say of it. */
export function answered(
  message: IncomingMessage,
  response: ServerResponse,
  operation: string,
  answer: Answer,
): Handled {
  send(response, answer, message.method === 'HEAD');
  return { operation, status: response.headersSent ? answer.status : gone.status };
}

/** Loads GraphQL in parts, between which others are answered: it takes hundreds of milliseconds. */
async function loadGraphql(): Promise<typeof import('../graph/server.js')> {
  const parts = [
    () => import('../graph/core/builder.js'),
    () => import('../graph/types.js'),
    () => import('../graph/schema.js'),
  ];
  for (const load of parts) {
    await load();
    await setImmediate();
  }
  return import('../graph/server.js');
}

/** The surfaces of a server, with one verifier of tokens. */
export function createSurfaces(services: Services, limiter: RequestLimiter): Surfaces {
  const tokens = tokenServices(services);
  const verifier = createBearerVerifier(tokens);
  services.feed.subscribe(({ realmId, touches }) => {
    if (touches.some((key) => /^(realm|client|keys):/.test(key))) verifier.forgetTokens(realmId);
    for (const key of touches) if (key.startsWith('user:')) verifier.recheckUser(key.slice('user:'.length));
    if (touches.some((key) => key.startsWith('keys:') || key.startsWith('realm:'))) services.keyring.forget(realmId);
  });
  const authenticate = authenticator(services, verifier);
  const openid = openidEndpoints(withFormLimit(services), tokens, verifier);
  let graphql: Promise<GraphqlHandler> | undefined;
  const graphqlHandler = (): Promise<GraphqlHandler> =>
    (graphql ??= loadGraphql().then((module) => module.graphqlHandler(services, authenticate, limiter)));
  return {
    graphqlHandler,
    graphql: async (message, response) =>
      answered(message, response, 'graphql', await (await graphqlHandler()).answer(message, response)),
    openid: async (message, response, path) =>
      answered(message, response, endpointOf(message, path), await openid(message, path)),
    rest: restHandler(services, routes, authenticate, limiter),
    scim: scimHandler(services, authenticate),
  };
}

/** What issuing and verifying tokens needs. */
const tokenServices = (services: Services) => ({
  database: services.database,
  sealer: services.sealer,
  keyring: services.keyring,
  now: services.now,
  newId: services.newId,
  touches: services.sessions,
  peopleRead: services.peopleRead,
  feed: services.feed,
  parties: createRealmScopedCache<Parties>(services.feed, 'parties', services.now, ({ realm }) => realm.id),
  sessionsInUse: createRealmScopedCache<SessionInUse | undefined>(
    services.feed,
    'sessions',
    services.now,
    (found) => found?.session.realmId,
  ),
  publishedKeys: publishedKeys(services.fetchPublic),
  publishedMetadata: publishedMetadata(services.fetchPublic, services.now),
  fetchPublic: services.fetchPublic,
  config: services.config,
});

/** Name of an endpoint for metrics: without the ids in paths, of which there is no end. */
const endpointOf = ({ method }: IncomingMessage, path: string): string => {
  if (method === 'OPTIONS') return 'preflight';
  const [, tail = ''] = /^\/auth\/realms\/[^/]+(\/.*?)?\/?$/.exec(path) ?? [];
  return /^\/(clients-registrations|authz\/protection)\//.exec(tail)?.[1] ?? (tail.split('/').at(-1) || 'realm');
};

/** Largest body of a token request, in bytes: less than node:http takes in unasked, so that it is there when it is read. */
const formLimit = limit('Requests', 'Body of a token request, a login, and of other forms', 15 * 1024, 'bytes', '413');

const withFormLimit = (services: Services): Services => ({
  ...services,
  config: { ...services.config, bodyLimit: Math.min(services.config.bodyLimit, formLimit) },
});
