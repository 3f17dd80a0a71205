import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { addressOf, type Parameters, parametersOf, realmWithEverything, titleOf } from '../matrix/addresses.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let nobody: Caller;
let params: Parameters;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  nobody = callerWith(server, undefined);
  await admin.send('POST', '/', realmWithEverything('headed'));
  params = await parametersOf(admin, 'headed');
});

interface Sent {
  status: number;
  headers: [string, string][];
  text: string;
}

/** A request whose answer's headers are seen as they were sent. */
function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Sent> {
  return new Promise((done, failed) => {
    const asked = request(`${server.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const raw = response.rawHeaders;
        const pairs = Array.from({ length: raw.length / 2 }, (_, at): [string, string] => [
          raw[2 * at] ?? '',
          raw[2 * at + 1] ?? '',
        ]);
        done({ status: response.statusCode ?? 0, headers: pairs, text });
      });
    });
    asked.on('error', failed);
    asked.end(body);
  });
}

const valuesOf = ({ headers }: Sent, name: string): string[] =>
  headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);

/** Documents that hold nothing of a caller. */
const open =
  /^\/$|^\/auth\/openapi\.json$|^\/auth\/realms\/[^/]+(\/\.well-known\/[^/]+|\/protocol\/openid-connect\/certs)?$/;

function expectProtected(path: string, answer: Sent): void {
  expect(valuesOf(answer, 'x-content-type-options')).toEqual(['nosniff']);
  const isOpen = answer.status === 200 && open.test(path.split('?')[0] ?? '');
  expect(valuesOf(answer, 'cache-control')).toEqual([isOpen ? 'no-cache' : 'no-store']);
  const names = answer.headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'set-cookie');
  expect(names.length).toBe(new Set(names).size);
  if (!/html/.test(valuesOf(answer, 'content-type')[0] ?? '')) return;
  expect(valuesOf(answer, 'content-security-policy').join()).not.toBe('');
  expect(valuesOf(answer, 'referrer-policy')).toEqual(['no-referrer']);
}

const protocol = '/protocol/openid-connect';
const ofBrowsers = [
  `${protocol}/auth`,
  `${protocol}/registrations`,
  `${protocol}/forgot-credentials`,
  `${protocol}/logout`,
  `${protocol}/login-status-iframe.html`,
  `${protocol}/login-status-iframe.html/init`,
  `${protocol}/3p-cookies/step1.html`,
  `${protocol}/3p-cookies/step2.html`,
  '/login-actions/authenticate',
  '/login-actions/reset-credentials',
  '/login-actions/registration',
  '/login-actions/restart',
  '/login-actions/action-token',
  '/device',
  '/clients-registrations/default/no-such-client',
  '/clients-registrations/install/no-such-client',
  '/no-such-place',
];
const ofClients = [
  `${protocol}/token`,
  `${protocol}/token/introspect`,
  `${protocol}/revoke`,
  `${protocol}/auth/device`,
  `${protocol}/ext/par/request`,
  `${protocol}/logout`,
  `${protocol}/userinfo`,
  `${protocol}/auth`,
  '/login-actions/authenticate',
  '/login-actions/logout-confirm',
  '/device',
  '/clients-registrations/default',
  '/clients-registrations/openid-connect',
];
const documents = ['', '/.well-known/openid-configuration', '/.well-known/uma2-configuration', `${protocol}/certs`];
const pages = ['/', '/health/live', '/health/ready', '/metrics', '/auth/openapi.json', '/no-such-place', '/graphql'];
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const reads = routes.filter(({ method }) => method === 'GET');

describe('headers that protect an answer', () => {
  it.each(
    sampled(
      reads.map((route) => [titleOf(route), route] as const),
      30,
    ),
  )('are there once: %s', async (_title, route) => {
    const path = `/auth${addressOf(route, params)}`;
    const known: Record<string, string> = { authorization: `Bearer ${admin.token}` };
    for (const headers of [{}, known]) {
      expectProtected(path, await send('GET', path, headers));
    }
    expectProtected(path, await send('GET', path, { accept: 'text/html', authorization: `Bearer ${admin.token}` }));
  });

  it.each([...ofBrowsers, ...documents].map((path) => `/auth/realms/headed${path}`))(
    'are there once: GET %s',
    async (path) => {
      expectProtected(path, await send('GET', path));
      expectProtected(path, await send('GET', path, { accept: 'text/html' }));
    },
  );

  it.each(ofClients.map((path) => `/auth/realms/headed${path}`))('are there once: POST %s', async (path) => {
    for (const body of ['', 'grant_type=password&client_id=admin-cli&username=plain&password=secret-1&token=x']) {
      expectProtected(path, await send('POST', path, form, body));
    }
  });

  it.each(pages)('are there once: %s', async (path) => {
    for (const accept of ['application/json', 'text/html']) expectProtected(path, await send('GET', path, { accept }));
  });

  it('are there on answers of GraphQL, which may hold secrets', async () => {
    for (const authorization of [`Bearer ${admin.token}`, 'none']) {
      const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
      expectProtected(
        '/graphql',
        await send('POST', '/graphql', headers, '{"query":"{ realm(name: \\"headed\\") { name } }"}'),
      );
    }
  });

  it('keep pages of others from framing the explorer, the welcome page and the login', async () => {
    const client = '?client_id=account&response_type=code&redirect_uri=/auth/realms/headed/account/';
    for (const path of ['/', '/graphql', `/auth/realms/headed${protocol}/auth${client}`]) {
      const answer = await send('GET', path, { accept: 'text/html' });
      expect(valuesOf(answer, 'content-type')[0]).toMatch(/^text\/html/);
      expect(valuesOf(answer, 'content-security-policy').join()).toMatch(/frame-ancestors '(none|self)'/);
    }
  });
});

it('lets pages of clients frame the status of a session', async () => {
  for (const page of ['login-status-iframe.html', '3p-cookies/step1.html', '3p-cookies/step2.html']) {
    const answer = await send('GET', `/auth/realms/headed${protocol}/${page}`, { accept: 'text/html' });
    expect(valuesOf(answer, 'x-frame-options')).toEqual([]);
    expect(valuesOf(answer, 'content-security-policy').join()).not.toContain('frame-ancestors');
  }
});

describe('what a caller sends', () => {
  const planted = '"><img src=x onerror=alert(1)>';
  const encoded = encodeURIComponent(planted);

  const expectNotShown = (answer: Sent): void => {
    const type = valuesOf(answer, 'content-type')[0] ?? '';
    if (/html|svg|xml/.test(type)) expect(answer.text).not.toContain('<img src=x');
    for (const [, value] of answer.headers) expect(value).not.toContain('<img src=x');
  };

  it.each(
    sampled(
      routes.map((route) => [titleOf(route), route] as const),
      40,
    ),
  )('never comes back as a page: %s', async (_title, route) => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' };
    const known = `/auth${addressOf(route, params)}`;
    const names = [...new Set([...route.query, 'search', 'q'])];
    const query = names.map((name) => `${name}=${encoded}`).join('&');
    const unknown = known.replace(/[^/]+$/, encoded);
    const bodies =
      route.method === 'GET' || route.method === 'DELETE'
        ? [undefined]
        : [`{${JSON.stringify(planted)}:${JSON.stringify(planted)}}`, planted, JSON.stringify([planted])];
    for (const accept of ['application/json', 'text/html', planted]) {
      for (const body of bodies) {
        // what would be done is not: an address with an unknown last part, or a body that is refused
        if (route.method !== 'DELETE' && (route.method === 'GET' || route.takes === 'json')) {
          expectNotShown(await send(route.method, `${known}?${query}`, { ...headers, accept }, body));
        }
        expectNotShown(await send(route.method, `${unknown}?${query}`, { ...headers, accept }, body));
      }
    }
  });

  const parameters = [
    'client_id',
    'redirect_uri',
    'state',
    'scope',
    'response_type',
    'nonce',
    'prompt',
    'login_hint',
    'kc_locale',
    'ui_locales',
    'tab_id',
    'session_code',
    'key',
    'user_code',
    'device_user_code',
    'id_token_hint',
    'post_logout_redirect_uri',
    'error',
    'error_description',
    'username',
    'grant_type',
    'claims',
    'request',
    'request_uri',
    'code_challenge',
    'response_mode',
  ];

  it.each([...ofBrowsers, ...ofClients, ...documents, `/${encoded}`])(
    'never comes back as a page below a realm: %s',
    async (path) => {
      const query = parameters.map((name) => `${name}=${encoded}`).join('&');
      const alone = [
        'client_id=account',
        ...parameters.map(
          (name) =>
            `client_id=account&redirect_uri=${server.url}/auth/realms/headed/account/&response_type=code&${name}=${encoded}`,
        ),
      ];
      for (const realm of ['headed', encoded]) {
        const address = `/auth/realms/${realm}${path}`;
        expectNotShown(await send('GET', `${address}?${query}`, { accept: 'text/html' }));
        expectNotShown(await send('POST', address, { ...form, accept: 'text/html' }, query));
      }
      for (const one of alone)
        expectNotShown(await send('GET', `/auth/realms/headed${path}?${one}`, { accept: 'text/html' }));
    },
  );

  it('never comes back as a page of GraphQL', async () => {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      for (const path of [
        `/graphql?query=${encoded}`,
        `/graphql?query={realm(name:"${encoded}"){name}}&operationName=${encoded}`,
      ]) {
        const answer = await send('GET', path.replaceAll('"', '%22'), {
          accept,
          authorization: `Bearer ${admin.token}`,
        });
        expectNotShown({ ...answer, text: answer.text.length > 1_000_000 ? '' : answer.text });
      }
    }
    expect((await nobody.send('GET', `/${encoded}`)).status).toBe(401);
  });
});
