import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { freshDatabaseUrl } from '../support/database.js';
import { type Caller, callerWith, login } from '../support/fixture.js';
import { type Run, ready, start } from '../support/process.js';
import type { TestServer } from '../support/server.js';
import { contentOf, lookFor, mark, secret, secretsIn } from './planted.js';
import { callback, password, realm, representation } from './vault.js';

// Secrets are sent wherever they can be, rightly and wrongly, to a server that logs all that it can. Afterwards they are
// looked for wherever they should not be.
let databaseUrl: string;
let run: Run;
let server: TestServer;
let admin: Caller;
let realmId: string;
const answers: string[] = [];

/** A request whose answer, whatever it is, must not say the secret. */
async function send(method: string, path: string, init: { body?: string; headers?: Record<string, string> } = {}) {
  const response = await fetch(`${server.url}${path}`, { method, redirect: 'manual', ...init });
  const text = await response.text();
  answers.push(`${method} ${path.split('?')[0]} ${response.status} ${[...response.headers].join(' ')} ${text}`);
  return { status: response.status, text };
}
const bearer = () => ({ authorization: `Bearer ${admin.token}` });
const json = { 'content-type': 'application/json' };
const asAdmin = (method: string, path: string, body?: unknown) =>
  send(method, `/auth/admin/realms${path}`, {
    headers: { ...bearer(), ...json },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const openid = `/auth/realms/${realm}/protocol/openid-connect`;
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send('POST', `${openid}/${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const graphql = (query: string, variables?: unknown) =>
  send('POST', '/graphql', { headers: { ...bearer(), ...json }, body: JSON.stringify({ query, variables }) });

beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl();
  const adminPassword = secret('admin-password');
  run = start({
    DATABASE_URL: databaseUrl,
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: adminPassword,
    SECRETS_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'trace',
    WEBHOOK_PRIVATE_ADDRESSES: 'true',
  });
  server = { url: await ready(run) } as TestServer;
  admin = callerWith(server, lookFor(await login(server, 'master', 'admin', adminPassword)));
  const created = await asAdmin('POST', '', representation());
  expect(created.status, created.text).toBe(201);
  realmId = JSON.parse((await asAdmin('GET', `/${realm}`)).text).id;
});

const nodeId = (typename: string, id: string) => Buffer.from(`${typename}:${id}`).toString('base64');

describe('secrets that are sent', () => {
  it('by administrators over REST', async () => {
    await asAdmin('POST', `/${realm}/users`, {
      username: 'bob',
      enabled: true,
      credentials: [password(secret('bob'))],
    });
    const [bob] = JSON.parse((await asAdmin('GET', `/${realm}/users?username=bob`)).text);
    const reset = `/${realm}/users/${bob.id}/reset-password`;
    expect((await asAdmin('PUT', reset, password(secret('bob-2')))).status).toBe(204);
    expect((await asAdmin('PUT', `/${realm}`, { passwordPolicy: 'length(200)' })).status).toBe(204);
    expect((await asAdmin('PUT', reset, password(secret('too-short')))).status).toBe(400);
    expect((await asAdmin('PUT', `/${realm}`, { passwordPolicy: 'length(8)' })).status).toBe(204);
    const [app] = JSON.parse((await asAdmin('GET', `/${realm}/clients?clientId=app`)).text.replaceAll(mark, ''));
    answers.pop();
    await asAdmin('PUT', `/${realm}/clients/${app.id}`, { clientId: 'app', secret: secret('client-2') });
    answers.pop();
    await asAdmin('PUT', `/${realm}`, {
      smtpServer: { host: '127.0.0.1', port: '1', auth: 'true', user: 'id', password: secret('smtp-2') },
    });
    const smtp = {
      host: '127.0.0.1',
      port: '1',
      from: 'id@vault.example',
      auth: 'true',
      user: 'id',
      password: secret('smtp-3'),
    };
    await asAdmin('POST', `/${realm}/testSMTPConnection`, smtp);
    await asAdmin('POST', `/${realm}/partialImport`, {
      ifResourceExists: 'SKIP',
      users: [{ username: 'kim', enabled: true, credentials: [password(secret('kim'))] }],
    });
  });

  it('in bodies and addresses that are wrong', async () => {
    const text = secret('malformed');
    for (const body of [
      `{"username":"eve","credentials":[{"type":"password","value":"${text}"`,
      `{"username":"eve","passwort":"${text}"}`,
      `{"username":"eve","enabled":"${text}"}`,
      `{"username":"eve","credentials":"${text}"}`,
      `{"username":"eve","credentials":[{"type":"password","value":{"a":"${text}"}}]}`,
      `"${text}"`,
      text,
    ]) {
      expect((await asAdmin('POST', `/${realm}/users`, body)).status, body).toBeGreaterThanOrEqual(400);
    }
    await asAdmin('GET', `/${realm}/users?password=${encodeURIComponent(text)}&max=${encodeURIComponent(text)}`);
    await send('GET', `/auth/admin/realms/${realm}/users?access_token=${encodeURIComponent(text)}`);
    await send('GET', `/auth/admin/realms/${realm}/users`, { headers: { authorization: `Bearer ${text}` } });
    await send('GET', `/auth/admin/realms/${realm}/users`, { headers: { authorization: `Basic ${text}` } });
    await send('POST', `${openid}/token?password=${encodeURIComponent(text)}`);
    await send('POST', `${openid}/token`, { headers: json, body: `{"password":"${text}"}` });
    await send('GET', `/nothing?token=${encodeURIComponent(text)}`);
  });

  it('at the token endpoints, rightly and wrongly', async () => {
    const grant = { grant_type: 'password', client_id: 'page', username: 'bob' };
    const { access_token, refresh_token } = JSON.parse(
      (await form('token', { ...grant, password: secret('bob-2') })).text,
    );
    // the one answer that has to hold them
    answers.pop();
    lookFor(access_token);
    lookFor(refresh_token);
    expect((await form('token', { ...grant, password: secret('wrong') })).status).toBe(401);
    await form('token', { ...grant, username: 'nobody', password: secret('wrong') });
    await form('token', { grant_type: 'client_credentials', client_id: 'app', client_secret: secret('wrong-client') });
    const pair = Buffer.from(`app:${secret('wrong-basic')}`).toString('base64');
    await form('token', { grant_type: 'client_credentials' }, { authorization: `Basic ${pair}` });
    await form('token', { grant_type: 'refresh_token', client_id: 'page', refresh_token: secret('refresh') });
    await form('token', { grant_type: 'refresh_token', client_id: 'page', refresh_token: `${refresh_token}x` });
    await form('token', {
      grant_type: 'authorization_code',
      client_id: 'page',
      code: secret('code'),
      redirect_uri: callback,
      code_verifier: secret('verifier'),
    });
    await form('token', {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: secret('assertion'),
    });
    const client = { client_id: 'app', client_secret: secret('client-2') };
    await form('token/introspect', { ...client, token: secret('introspected') });
    await form('token/introspect', { ...client, token: access_token });
    await form('revoke', { ...client, token: secret('revoked') });
    await form('logout', { client_id: 'page', refresh_token: secret('logout') });
    await send('GET', `${openid}/userinfo`, { headers: { authorization: `Bearer ${secret('userinfo')}` } });
    await send('GET', `${openid}/logout?id_token_hint=${encodeURIComponent(secret('hint'))}`);
  });

  it('on the login page', async () => {
    const agent = agentOf(server);
    const address = authorizationUrl(realm, {
      client_id: 'page',
      redirect_uri: callback,
      response_type: 'code',
      scope: 'openid',
    });
    const page = await agent.get(address);
    const refused = await agent.submit(page, { username: 'bob', password: secret('wrong-page') });
    answers.push(refused.text);
    const entered = await agent.submit(refused, { username: 'bob', password: secret('bob-2') });
    const code = new URL(entered.location ?? '', server.url).searchParams.get('code');
    expect(code).not.toBeNull();
    lookFor(code ?? undefined);
    for (const [name, value] of agent.cookies) if (/IDENTITY|SESSION/.test(name)) lookFor(value);
  });

  it('over GraphQL, rightly and wrongly', async () => {
    const vault = nodeId('Realm', realmId);
    const create =
      'mutation ($input: UserCreateInput!) { userCreate(input: $input) { user { id } userErrors { code path message } } }';
    const made = await graphql(create, {
      input: { realm: vault, username: 'zoe', password: { value: secret('zoe') } },
    });
    const { id } = JSON.parse(made.text).data.userCreate.user;
    expect(id).toEqual(expect.any(String));
    const set =
      'mutation ($input: UserSetPasswordInput!) { userSetPassword(input: $input) { userErrors { message } } }';
    await graphql(set, { input: { id, value: secret('zoe-2') } });
    await graphql(set, { input: { id, value: { text: secret('zoe-3') } } });
    await graphql(set, { input: { id, value: [secret('zoe-4')], [secret('name')]: 1 } });
    await graphql(set, { input: secret('zoe-5') });
    await graphql(
      `mutation { userSetPassword(input: { id: "${id}", value: "${secret('inline')}" }) { userErrors { message } } }`,
    );
    await graphql(
      `mutation { userSetPassword(input: { id: "${id}", value: ${JSON.stringify(secret('literal'))}, isTemporary: "${secret('flag')}" }) { userErrors { message } } }`,
    );
    await graphql(`mutation { userSetPassword(input: { id: "${id}", value: "${secret('unterminated')}`);
    await graphql(`{ realm(name: "${realm}") { users(first: "${secret('number')}") { totalCount } } }`);
    await graphql(
      `{ realm(name: "${realm}") { loginEvents(filter: { types: ["${secret('enum')}"] }) { totalCount } } }`,
    );
    await send('GET', `/graphql?query=${encodeURIComponent(`{ nothing(token: "${secret('query')}") }`)}`, {
      headers: bearer(),
    });
    await send('POST', '/graphql', {
      headers: { ...bearer(), ...json },
      body: `{"query":"{ x }","variables":{"a":"${secret('body')}"`,
    });
    const hook = `mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { secret webhook { id } } }`;
    const input = { realm: vault, name: 'hook', url: 'http://127.0.0.1:1/', includesLoginEvents: true };
    const { webhookCreate } = JSON.parse((await graphql(hook, { input })).text).data;
    answers.pop();
    lookFor(webhookCreate.secret);
    await graphql(`mutation { webhookPing(input: { id: "${webhookCreate.webhook.id}" }) { error } }`);
    await graphql(
      `mutation { webhookCreate(input: { realm: "${vault}", name: "x", url: "https://me:${secret('in-url')}@hooks.example/" }) { userErrors { message } } }`,
    );
  });
});

describe('none of them is', () => {
  it('in an answer that was to something else', () => {
    expect(answers.flatMap(secretsIn)).toEqual([]);
  });

  it('in lists, events and metrics', async () => {
    const pages = [
      '',
      '/users?briefRepresentation=false',
      '/events?max=1000',
      '/admin-events?max=1000',
      '/identity-provider/instances',
      '/components',
      '/clients',
    ];
    for (const page of pages) {
      const { status, text } = await asAdmin('GET', `/${realm}${page}`);
      expect([page, status, secretsIn(text)]).toEqual([page, 200, []]);
    }
    const events = JSON.parse((await asAdmin('GET', `/${realm}/events?max=1000`)).text) as object[];
    const writes = JSON.parse((await asAdmin('GET', `/${realm}/admin-events?max=1000`)).text) as object[];
    expect(events.length).toBeGreaterThan(5);
    expect(writes.length).toBeGreaterThan(5);
    const list = '{ totalCount edges { node';
    const { text } = await graphql(`{ realm(name: "${realm}") {
      smtp { host user } attributes { name value }
      users(first: 50) ${list} { username credentials { id type label } attributes { name values } } } }
      clients(first: 50) ${list} { clientId attributes { name value } } } }
      webhooks ${list} { url disabledReason deliveries ${list} { eventType error } } } } } }
      loginEvents(first: 200) ${list} { type error details { name value } } } }
      adminEvents(first: 200) ${list} { operation resourcePath before after changes { path before after } } } } } }`);
    expect(text).not.toContain('GRAPHQL_VALIDATION_FAILED');
    expect(secretsIn(text)).toEqual([]);
    const metrics = await send('GET', '/metrics');
    expect(metrics.text).toContain('realmgate_');
    expect(secretsIn(metrics.text)).toEqual([]);
  });

  it('in the log', () => {
    expect(run.output().includes('"level":"debug"')).toBe(true);
    expect(secretsIn(run.output())).toEqual([]);
  });

  it('in the database, which is encrypted with a key', async () => {
    run.process.kill('SIGTERM');
    await new Promise((done) => run.process.once('exit', done));
    const content = await contentOf(databaseUrl);
    expect(content.includes('user.setPassword')).toBe(true);
    expect(secretsIn(content)).toEqual([]);
    expect(secretsIn(run.output())).toEqual([]);
  });
});
