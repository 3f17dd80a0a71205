import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { closedPort } from '../cli/run.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { type Caller, callerWith, login } from '../support/fixture.js';
import { type Run, ready, start } from '../support/process.js';
import { admin } from '../support/server.js';

type Line = Record<string, unknown>;

const realm = 'logged';
const headers = { 'x-request-id': 'request-of-the-test' };

const linesOf = ({ output }: Run): Line[] =>
  output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

/** Asks for a token with the password grant. */
const askToken = (url: string, fields: Record<string, string>) =>
  fetch(`${url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...fields }),
  });

describe('the log of a process', () => {
  let run: Run;
  let url: string;
  let root: Caller;
  const lines = (msg: string | RegExp) => linesOf(run).filter((line) => new RegExp(msg).test(String(line.msg)));

  beforeAll(async () => {
    const settings = { ACCESS_LOG: 'true', WEBHOOK_PRIVATE_ADDRESSES: 'true', WEBHOOK_RETRY_WAIT: '1' };
    run = start({ DATABASE_URL: await preparedDatabaseUrl(), ...settings });
    url = await ready(run);
    root = callerWith({ url }, await login({ url }, 'master', admin.username, admin.password));
    const smtpServer = { host: '127.0.0.1', port: String(await closedPort()), from: 'a@b.example' };
    const users = [
      { username: 'alice', email: 'a@b.example', enabled: true, credentials: [{ type: 'password', value: 'right' }] },
    ];
    const made = await root.send('POST', '/', { realm, enabled: true, adminEventsEnabled: true, smtpServer, users });
    expect(made.status).toBe(201);
  });

  it('has JSON lines only, with the names of levels, and begins with the version, the database, and the URL', () => {
    expect(linesOf(run).every(({ level }) => ['info', 'warn'].includes(String(level)))).toBe(true);
    const [line] = lines('Realmgate is ready');
    expect(line).toMatchObject({
      level: 'info',
      version: expect.stringMatching(/^\d/),
      url,
      database: expect.any(String),
    });
  });

  it('states refused logins, on the page and at the token endpoint, which the filter for fail2ban finds', async () => {
    expect((await askToken(url, { username: 'alice', password: 'wrong' })).status).toBe(401);
    expect((await askToken(url, { username: 'alice', client_id: 'nobody' })).status).toBe(400);
    const path = `/auth/realms/${realm}/protocol/openid-connect/auth`;
    const query = new URLSearchParams({
      client_id: 'account',
      response_type: 'code',
      redirect_uri: 'https://else.example',
    });
    expect((await fetch(`${url}${path}?${query}`, { headers })).status).toBe(400);
    const common = { realm, address: '127.0.0.1', requestId: headers['x-request-id'] };
    await expect
      .poll(() => lines('login refused'), { timeout: 5000 })
      .toEqual([
        expect.objectContaining({
          ...common,
          client: 'admin-cli',
          user: 'alice',
          reason: 'invalid_grant: Invalid user credentials',
        }),
        expect.objectContaining({
          ...common,
          client: 'nobody',
          user: 'alice',
          reason: expect.stringContaining('client'),
        }),
        expect.objectContaining({ ...common, client: 'account', reason: 'invalid_redirect_uri' }),
      ]);
    const filter = /^failregex = (.*)$/m.exec(readFileSync('docs/security.md', 'utf8'))?.[1] ?? 'none';
    const pattern = new RegExp(filter.replace('<HOST>', '(?<host>[\\d.:a-f]+)'));
    const found = run
      .output()
      .split('\n')
      .flatMap((line) => pattern.exec(line)?.groups?.host ?? []);
    expect(found).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    // nobody can have another address banned by a name
    await askToken(url, {
      username: '","address":"192.0.2.1","requestId":"x","msg":"login refused"}',
      password: 'wrong',
    });
    await expect.poll(() => lines('login refused').length, { timeout: 5000 }).toBe(4);
    const last =
      run
        .output()
        .split('\n')
        .filter((line) => line.includes('login refused'))
        .at(-1) ?? '';
    expect(pattern.exec(last)?.groups?.host).toBe('127.0.0.1');
  });

  it('has a line for each request if ACCESS_LOG says so, without the query', async () => {
    await fetch(`${url}/auth/realms/${realm}?secret=1`, { headers });
    const found = () => lines('answered').find(({ path }) => path === `/auth/realms/${realm}`);
    await expect.poll(found, { timeout: 5000 }).toMatchObject({ method: 'GET', status: 200, address: '127.0.0.1' });
  });

  it('states once that a webhook or a mail server cannot be reached', async () => {
    const { data } = await root.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const hook = {
      realm: data.realm.id,
      name: 'gone',
      url: `http://127.0.0.1:${await closedPort()}/`,
      includesAdminEvents: true,
    };
    await root.graphql(
      'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { userErrors { message } } }',
      { input: hook },
    );
    const { body: users } = await root.send('GET', `/${realm}/users?username=alice`);
    const mail = () => root.send('PUT', `/${realm}/users/${users[0].id}/execute-actions-email`, ['UPDATE_PASSWORD']);
    expect([(await mail()).status, (await mail()).status]).toEqual([500, 500]);
    await root.send('PUT', `/${realm}`, { displayName: 'Logged' });
    await expect.poll(() => lines('a webhook cannot be reached').length, { timeout: 10_000 }).toBe(1);
    expect(lines('emails of a realm cannot be sent')).toEqual([expect.objectContaining({ level: 'warn', realm })]);
  });
});

it('hashes the names of users if LOG_USERS says so', async () => {
  const run = start({ DATABASE_URL: await preparedDatabaseUrl(), LOG_USERS: 'hash' });
  const url = await ready(run);
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: 'admin-cli',
    username: 'carol',
    password: 'wrong',
  });
  for (let times = 0; times < 2; times += 1)
    await fetch(`${url}/auth/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
  const hashes = () => linesOf(run).flatMap(({ userHash }) => userHash ?? []);
  await expect.poll(hashes, { timeout: 5000 }).toEqual([expect.stringMatching(/^[\da-f]{16}$/), hashes()[0]]);
  expect(run.output()).not.toContain('carol');
});
