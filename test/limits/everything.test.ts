import { type GraphQLInputType, getNamedType, isInterfaceType, isListType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../src/graph/server.js';
import { oauthCallerTable } from '../../src/rest/oauth-caller-table.js';
import { publicRoutes } from '../../src/rest/public-routes.js';
import { routes } from '../../src/rest/routes.js';
import { actionOf } from '../login/agent.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { addressOf, type Parameters, parametersOf, titleOf } from '../matrix/addresses.js';
import { least, leastWith, placesIn } from '../matrix/inputs.js';
import { administrator, type Caller } from '../support/fixture.js';
import { longestHold } from '../support/hold.js';
import { exchange, type HttpAnswer } from '../support/http.js';
import { isThorough, sampled } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { createLarge, realm } from './large.js';
import { idsIn, numberedItem } from './large-ids.js';
import {
  largestHeaders,
  largestRequests,
  longestForm,
  longestQuery,
  parametersOfAddress,
  queriesOf,
} from './largest-requests.js';
import { bare, filterOf, largest, largestBodies } from './largest-values.js';
import { writesOf } from './largest-writes.js';
import { callerToken, fieldsOnPage, prepareLogins, usualParameters, type Visit, waysToPages } from './login-pages.js';
import { isConnection, type Place, placesBelow, queryAt } from './places.js';
import { fieldsOf, nodeTypeOf } from './selections.js';

// Every operation on a realm with very much in it, with the largest that its limits allow: for how long it keeps the server from all
// others. A statement of SQLite that takes long belongs into a thread, and long lists are worked through with breaks.

/** Milliseconds of a processor for which nobody else is answered. */
const mostHeld = 250;
/** Minutes that a case may take: many requests, each of which may take as long as statements may. */
const patience = 30 * 60_000;

const schema = graphqlSchema();
let admin: Caller;
let url: string;
let token: string;
let realmId: string;
let params: Parameters;
let mailbox: Mailbox;
let roles: Record<string, unknown>[];
let users: string[];

beforeAll(async () => {
  // guesses are limited, and here all requests are to be looked at
  const server = await startServer({ failuresAddress: 0, failuresAccount: 0 });
  url = server.url;
  // longer than all of this takes
  await (await administrator(server)).send('PUT', '/master', { accessTokenLifespan: 36_000 });
  admin = await administrator(server);
  token = admin.token;
  await createLarge(admin);
  params = await parametersOf(admin, realm);
  mailbox = await openMailbox();
  await prepareLogins(admin, realm, mailbox);
  // what is loaded with the first request of its kind is none of the others
  expect((await admin.graphql('{ __typename }')).errors).toBeUndefined();
  realmId = (await admin.send('GET', `/${realm}`)).body.id;
  roles = (await admin.send('GET', `/${realm}/roles`)).body;
  users = (await admin.send('GET', `/${realm}/users?max=1500`)).body.map(({ id }: { id: string }) => id);
}, patience);

/** Waits for an answer; what the request keeps from others is within the limit, and it is no fault of the server but `fault`. */
async function answered<A extends { status: number }>(about: string, ask: () => Promise<A>, fault = 503): Promise<A> {
  let answer: A | undefined;
  const held = await longestHold(async () => {
    answer = await ask();
  });
  expect(held, about).toBeLessThan(mostHeld);
  expect(answer?.status, about).toSatisfy((status: number) => status < 500 || status === fault);
  return answer as A;
}

/** Sends a request of the administrator, and waits for its answer as `answered` does. */
function sent(operation: string, method: string, path: string, body?: string): Promise<HttpAnswer> {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, ...type };
  const about = `${operation}: ${method} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`;
  return answered(about, () => exchange(`${url}${path}`, method, headers, body));
}

const reads = routes.filter(({ method }) => method === 'GET');

describe('nobody waits for a read of the REST contract', () => {
  it.each(sampled(reads, 18).map((route) => [titleOf(route), route] as const))(
    '%s',
    async (_title, route) => {
      for (const query of queriesOf(route))
        await sent(route.operation.name, 'GET', `/auth${addressOf(route, params)}?${query}`);
    },
    patience,
  );
});

describe('nobody waits for a file of the whole realm', () => {
  it.each(['plan', 'apply'])(
    '%s',
    async (name) => {
      const { text } = await exchange(`${url}/auth/${realm}/export`, 'GET', { authorization: `Bearer ${token}` });
      const planned = await sent(`realm.${name}`, 'POST', `/auth/${realm}/${name}`, `{"desired":${text}}`);
      expect(JSON.parse(planned.text)).toMatchObject({ summary: { create: 0, update: 0, delete: 0 } });
    },
    patience,
  );
});

const asked = (operation: string, query: string, variables?: object): Promise<HttpAnswer> =>
  sent(operation, 'POST', '/graphql', JSON.stringify({ query, variables }));
const isTooMuch = ({ text }: HttpAnswer): boolean => /"code":"(TOO_COSTLY|LIMIT|BUSY|BAD_FILTER)"/.test(text);

/** Asks for less and less until it is not too much. */
async function mostOf(most: number, ask: (count: number) => Promise<HttpAnswer>): Promise<void> {
  for (let count = most; count > 0; count = Math.floor(count / 2)) if (!isTooMuch(await ask(count))) return;
}

const lists = placesBelow(realm).filter(
  ({ field }) => isConnection(field) && field.args.some(({ name }) => name === 'first'),
);

describe('nobody waits for a list of GraphQL', () => {
  it.each(sampled(lists, 10).map((place) => [place.name, place] as const))(
    '%s',
    async (name, { field, before }: Place) => {
      const connection = getNamedType(field.type);
      const node = isObjectType(connection) ? nodeTypeOf(connection) : undefined;
      const own = isObjectType(node) || isInterfaceType(node) ? fieldsOf(node).map(([, one]) => one) : [];
      const selection = `totalCount edges { node { __typename ${own.join(' ')} } }`;
      // a large page of so much can take as long as statements may
      await mostOf(isThorough ? 500 : 5, (count) =>
        asked(name, queryAt(before, `${field.name}(first: ${count}) { ${selection} }`)),
      );
      const filter = field.args.find((arg) => arg.name === 'filter');
      if (!filter || !filterOf(filter.type, 1)) return;
      const query = queryAt(before, `${field.name}(first: 5, filter: $filter) { totalCount }`);
      await mostOf(480, (count) =>
        asked(name, `query ($filter: ${filter.type}) ${query}`, { filter: filterOf(filter.type, count) }),
      );
    },
    patience,
  );
});

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
describe('nobody waits for a mutation', () => {
  it.each(sampled(mutations, 8).map((mutation) => [mutation.name, mutation] as const))(
    '%s',
    async (name, { args: [argument] }) => {
      const type = argument?.type as GraphQLInputType;
      const idOf = idsIn(params, { Realm: [realmId], Role: roles.map(({ id }) => String(id)), User: users });
      const query = `mutation ($input: ${type}) @dryRun { ${name}(input: $input) { userErrors { code } } }`;
      for (const { path, of, field } of placesIn(type)) {
        const inner = bare(field.type);
        const item = (at: number) =>
          isListType(inner)
            ? numberedItem(
                least(inner.ofType, of, field.name, (named) => idOf(named, at)),
                at,
              )
            : undefined;
        for (const value of largest(field.type, item)) {
          const input = leastWith(type, path, value, idOf);
          expect((await asked(name, query, { input })).status, path.join('.')).toBeLessThan(503);
        }
      }
    },
    patience,
  );
});

const ticketGrant = 'urn:ietf:params:oauth:grant-type:uma-ticket';
const below = `/auth/realms/${realm}`;

/** Asks an address of clients or browsers. A refusal that looks at nothing else would be no test. */
async function askedBelow(
  route: string,
  parameters: URLSearchParams,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const [method = '', path = ''] = route.split(' ');
  const isForm = method === 'POST';
  const type: Record<string, string> = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const address = `${url}${below}${path.replace('{alias}', 'partner')}${isForm ? '' : `?${parameters}`}`;
  const about = `${route}: ${parameters.toString().slice(0, 300)} ${JSON.stringify(headers).slice(0, 100)}`;
  const all = { accept: 'text/html,application/json,*/*', ...type, ...headers };
  const answer = await answered(about, () =>
    exchange(address, method, all, isForm ? parameters.toString() : undefined),
  );
  expect([413, 414, 429, 431], about).not.toContain(answer.status);
  return answer;
}

describe('nobody waits for a query or a form of clients and browsers', () => {
  it.each(sampled(publicRoutes, 7))(
    '%s',
    async (route) => {
      const usual = await usualParameters({ url }, realm);
      const discovery = await exchange(`${url}${below}/.well-known/openid-configuration`, 'GET', {});
      const supported: string[] = JSON.parse(discovery.text).grant_types_supported;
      const grants = route.endsWith('/token') ? [...supported, ticketGrant] : [undefined];
      for (const grant_type of sampled(grants, 2)) {
        const known = { ...usual, ...(grant_type !== undefined && { grant_type }) };
        const ask = (parameters: URLSearchParams) => askedBelow(route, parameters);
        const { names: read, least: usualRequest } = await parametersOfAddress(known, ask);
        const room = route.startsWith('POST') ? longestForm : longestQuery;
        for (const parameters of sampled(largestRequests(usualRequest, read, room), 6)) await ask(parameters);
        const left = longestQuery - (room === longestQuery ? usualRequest.toString().length : 0);
        for (const headers of sampled(largestHeaders(left), 2)) await askedBelow(route, usualRequest, headers);
      }
    },
    patience,
  );
});

const ways = Object.entries(waysToPages(realm, () => ({ url, admin, mailbox }))).flatMap(([page, way]) =>
  way ? [[page, way] as const] : [],
);

describe('nobody waits for the form of a page of a login', () => {
  it.each(sampled(ways, 3))(
    '%s',
    async (name, visit) => {
      const usual = {
        ...(await usualParameters({ url }, realm)),
        otp: '123456',
        totp: '123456',
        email: 'a@mail.example',
      };
      const submitted = (form: URLSearchParams, { agent, page }: Visit) => agent.post(actionOf(page), form);
      const { names: read } = await parametersOfAddress(usual, async (form) => submitted(form, await visit()));
      const fields = [...new Set([...fieldsOnPage((await visit()).page), ...read])];
      const least = new URLSearchParams(fields.map((field) => [field, 'x']));
      for (const form of sampled(largestRequests(least, fields, longestForm), 4)) {
        const there = await visit();
        const about = `${name}: ${form.toString().slice(0, 300)}`;
        const { status } = await answered(about, () => submitted(form, there));
        expect([413, 429], about).not.toContain(status);
      }
    },
    patience,
  );
});

const taking = oauthCallerTable.filter(({ takes, query }) => takes === 'json' || query.length > 0);

describe('nobody waits for clients that are registered, and for resource servers', () => {
  it.each(sampled(taking, 3).map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (title, { method, path, query, takes, accepts, operation }) => {
      const at = path
        .replace('{realm}', realm)
        .replace('{clientId}', 'app-1')
        .replace('{id}', params['resource-id'] ?? '');
      const headers = { authorization: `Bearer ${await callerToken({ url }, realm, path)}` };
      const ask = async (search: string, body?: string): Promise<void> => {
        const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
        const about = `${title} ${search.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`;
        const address = `${url}/auth${at}${search}`;
        const { status } = await answered(about, () => exchange(address, method, { ...headers, ...type }, body));
        expect([401, 413, 429, 431], about).not.toContain(status);
      };
      const queries = largestRequests(new URLSearchParams(), query, longestQuery - 2000);
      for (const parameters of sampled(queries, 4)) if (query.length > 0) await ask(`?${parameters}`);
      const bodies = takes === 'json' ? largestBodies(accepts ?? operation.input, longestForm) : [];
      for (const body of sampled(bodies, 4)) await ask('', body);
    },
    patience,
  );
});

// the last one, since it makes objects that are larger than those of the other cases
const writes = routes.filter(({ method }) => method !== 'GET');

describe('nobody waits for a write of the REST contract', () => {
  it.each(sampled(writes, 5).map((route) => [titleOf(route), route] as const))(
    '%s',
    async (_title, route) => {
      const { method, operation, path, query } = route;
      const address = `/auth${addressOf(route, params)}`;
      const read = await exchange(`${url}${address}`, 'GET', { authorization: `Bearer ${token}` });
      const isShort =
        read.status === 200 && read.headers.get('content-type')?.includes('json') && read.text.length < 1_000_000;
      const present: unknown = isShort ? JSON.parse(read.text) : undefined;
      // what is there stays for the other cases
      const isDry = method !== 'POST' || path === '' || operation.name.startsWith('realm.');
      const prefer: Record<string, string> = isDry ? { prefer: 'dry-run' } : {};
      const search = query.length > 0 ? `?${new URLSearchParams(query.map((name) => [name, 'x'.repeat(3000)]))}` : '';
      for (const large of sampled(writesOf(route, present, roles), 8)) {
        const type: Record<string, string> = large ? { 'content-type': large.type } : {};
        const headers = { accept: '*/*', authorization: `Bearer ${token}`, ...type, ...prefer };
        const about = `${operation.name}: ${method} ${address} ${large?.body.slice(0, 300) ?? ''}`;
        const ask = () => exchange(`${url}${address}${search}`, method, headers, large?.body);
        // the contract has 500 for an email that is not sent
        const { status } = await answered(about, ask, operation.name === 'realm.testSmtp' ? 500 : 503);
        expect([401, 413, 429, 431], about).not.toContain(status);
      }
    },
    patience,
  );
});
