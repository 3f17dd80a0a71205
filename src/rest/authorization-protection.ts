import type { IncomingMessage } from 'node:http';
import { type Protected, protectedBy } from '../services/authorization/protection/bearer.js';
import {
  changeResource,
  listProtected,
  readResource,
  registerResource,
  unregisterResource,
} from '../services/authorization/protection/resources.js';
import {
  addTicket,
  changeTicket,
  countTickets,
  createTicket,
  listTickets,
  removeTicket,
} from '../services/authorization/protection/tickets.js';
import {
  changeUserPolicy,
  listUserPolicies,
  readUserPolicy,
  removeUserPolicy,
  sharePolicy,
} from '../services/authorization/protection/user-policies.js';
import type { TokenContext } from '../services/tokens/context.js';
import { type Answer, json, noContent } from './answer.js';
import { nothingBelow } from './openid-manners.js';
import { each } from './paging.js';
import { flagParameter, readJson } from './request.js';
import { decodedSegment } from './router.js';

interface Asked {
  by: Protected;
  query: URLSearchParams;
  /** the last segment of the path, where that is an id */
  id: string;
  body(): Promise<unknown>;
  baseUrl: string;
}

type Part = (asked: Asked) => Promise<Answer>;

const page = each(100);
const texts = (query: URLSearchParams, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
const flags = (query: URLSearchParams, ...names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = flagParameter(query, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
const done = async (work: Promise<void>): Promise<Answer> => {
  await work;
  return noContent;
};
const ticketFilter = (query: URLSearchParams) => ({
  ...texts(query, 'resourceId', 'scopeId', 'owner', 'requester'),
  ...flags(query, 'granted'),
});

/** What there is below `/authz/protection`: UMA 2.0 Federated Authorization, with the reference's additions. */
const parts = new Map<string, Part>([
  [
    'GET /resource_set',
    async ({ by, query }) =>
      json(
        await listProtected(by, {
          ...texts(query, '_id', 'name', 'uri', 'type', 'scope', 'owner'),
          ...flags(query, 'exactName', 'matchingUri', 'deep'),
          ...page(query),
        }),
      ),
  ],
  ['POST /resource_set', async ({ by, body }) => json(await registerResource(by, await body()), 201)],
  ['GET /resource_set/{id}', async ({ by, id }) => json(await readResource(by, id))],
  ['PUT /resource_set/{id}', async ({ by, id, body }) => done(changeResource(by, id, await body()))],
  ['DELETE /resource_set/{id}', ({ by, id }) => done(unregisterResource(by, id))],
  ['POST /permission', async ({ by, body, baseUrl }) => json(await createTicket(by, await body(), baseUrl), 201)],
  [
    'GET /permission/ticket',
    async ({ by, query }) =>
      json(await listTickets(by, ticketFilter(query), { ...page(query), ...flags(query, 'returnNames') })),
  ],
  ['GET /permission/ticket/count', async ({ by, query }) => json(await countTickets(by, ticketFilter(query)))],
  ['POST /permission/ticket', async ({ by, body }) => json(await addTicket(by, await body()))],
  ['PUT /permission/ticket', async ({ by, body }) => done(changeTicket(by, await body()))],
  ['DELETE /permission/ticket/{id}', ({ by, id }) => done(removeTicket(by, id))],
  [
    'GET /uma-policy',
    async ({ by, query }) => {
      const found = await listUserPolicies(by, texts(query, 'name', 'resource', 'scope'), page(query));
      return found ? json(found) : noContent;
    },
  ],
  ['POST /uma-policy/{id}', async ({ by, id, body }) => json(await sharePolicy(by, id, await body()))],
  ['GET /uma-policy/{id}', async ({ by, id }) => json(await readUserPolicy(by, id))],
  [
    'PUT /uma-policy/{id}',
    async ({ by, id, body }) => {
      await changeUserPolicy(by, id, await body());
      return { status: 201 };
    },
  ],
  ['DELETE /uma-policy/{id}', ({ by, id }) => done(removeUserPolicy(by, id))],
]);

const methods = ['GET', 'POST', 'PUT', 'DELETE'];

/** Answers a request below `/authz/protection` of a realm; `tail` is what follows that. */
export async function protectionAnswer(
  tokens: TokenContext,
  message: IncomingMessage,
  at: { realmName: string; tail: string; baseUrl: string; limit: number },
): Promise<Answer> {
  const { realmName, tail, baseUrl, limit } = at;
  const id = decodedSegment(tail.slice(tail.lastIndexOf('/') + 1));
  const general = tail.replace(/\/[^/]*$/, '/{id}');
  const find = (method: string) => parts.get(`${method} ${tail}`) ?? parts.get(`${method} ${general}`);
  const part = find(message.method === 'HEAD' ? 'GET' : (message.method ?? ''));
  if (!part) {
    const others = methods.filter(find);
    if (others.length === 0) throw nothingBelow(tail);
    return {
      status: 405,
      headers: { allow: others.join(', ') },
      body: { error: 'RESTEASY003650: No resource method found' },
    };
  }
  const by = await protectedBy(tokens, realmName, message.headers.authorization);
  const query = new URL(message.url ?? '', 'http://localhost').searchParams;
  return part({ by, query, id, body: () => readJson(message, limit), baseUrl });
}
