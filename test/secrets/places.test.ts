import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/db.js';
import { openDatabase } from '../../src/database/open.js';
import { createSealer } from '../../src/services/core/seal.js';
import { placeOfFederatedToken, type SealedModel, sealedColumns } from '../../src/services/core/sealed-columns.js';
import { objectColumns, textColumns } from '../../src/services/secrets-key/store.js';
import { type Agent, agentOf, authorizationUrl, type Page } from '../login/agent.js';
import { atEndOfFile, freshDatabaseUrl } from '../support/database.js';
import { type Caller, callerWith, login } from '../support/fixture.js';
import { type Run, ready, start } from '../support/process.js';
import type { TestServer } from '../support/server.js';
import { anywhereIn, nameOf, plant, type Stored, storedIn } from './stored.js';

// Two realms with a secret in each place for one. What is sealed in the one is copied to the other, as somebody could who
// can write to the database.
const key = new Uint8Array(randomBytes(32));
const callback = 'http://app.example/callback';
const secretOf = (realm: string, what: string) => `${realm}-${what}-5e3a`;

let run: Run;
let server: TestServer;
let database: Database;
let admin: Caller;
/** what is sealed in each of both realms, by column */
const stored = { here: new Map<string, Stored[]>(), there: new Map<string, Stored[]>() };
/** a browser at the login page of the second realm */
let browser: { agent: Agent; page: Page };
/** ids in the second realm */
const there = { app: '', webhook: '' };

const representation = (realm: string) => ({
  realm,
  enabled: true,
  smtpServer: {
    host: 'mail.example',
    from: 'a@mail.example',
    auth: 'true',
    user: 'u',
    password: secretOf(realm, 'smtp'),
  },
  clients: [
    { clientId: 'rotated', serviceAccountsEnabled: true, secret: secretOf(realm, 'rotated') },
    { clientId: 'app', secret: secretOf(realm, 'client'), serviceAccountsEnabled: true },
    { clientId: 'page', publicClient: true, directAccessGrantsEnabled: true, redirectUris: [callback] },
  ],
  users: [
    {
      username: 'ann',
      enabled: true,
      credentials: [{ type: 'password', value: secretOf(realm, 'password') }],
      clientRoles: { broker: ['read-token'] },
      federatedIdentities: [{ identityProvider: 'op', userId: 'ann' }],
    },
  ],
  identityProviders: [
    { alias: 'op', providerId: 'oidc', storeToken: true, config: { clientSecret: secretOf(realm, 'provider') } },
  ],
  webhooks: [{ name: 'hook', url: 'https://hooks.example/', secret: secretOf(realm, 'webhook') }],
});

const storage = (realm: string) => ({
  name: 'people',
  providerId: 'ldap',
  providerType: 'org.keycloak.storage.UserStorageProvider',
  config: {
    enabled: ['false'],
    vendor: ['other'],
    connectionUrl: ['ldap://ldap.example'],
    usersDn: ['ou=people'],
    authType: ['simple'],
    bindDn: ['cn=admin'],
    bindCredential: [secretOf(realm, 'directory')],
    usernameLDAPAttribute: ['uid'],
    rdnLDAPAttribute: ['uid'],
    uuidLDAPAttribute: ['entryUUID'],
    userObjectClasses: ['inetOrgPerson'],
  },
});

/** Stores tokens of the identity provider, as a login with it does. */
async function storeTokens(realm: string): Promise<void> {
  const [{ id: userId }] = (await admin.send('GET', `/${realm}/users?username=ann`)).body;
  const id = `token-${realm}`;
  const token = createSealer({ key }).seal(
    JSON.stringify({ access_token: secretOf(realm, 'tokens') }),
    placeOfFederatedToken({ id, userId }),
  );
  await database.transaction((tx) =>
    tx.federatedToken.createMany({ data: { id, userId, identityProvider: 'op', token } }),
  );
}

/** Makes a realm, and lists what is sealed for it. */
async function fill(realm: 'here' | 'there'): Promise<void> {
  const before = new Set((await storedIn(database.read)).map(({ sealed }) => sealed));
  const made = await admin.send('POST', '/', representation(realm));
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const kept = await admin.send('POST', `/${realm}/components`, storage(realm));
  expect(kept.status, JSON.stringify(kept.body)).toBe(201);
  const [{ id }] = (await admin.send('GET', `/${realm}/clients?clientId=app`)).body;
  expect((await admin.send('POST', `/${realm}/clients/${id}/certificates/jwt.credential/generate`)).status).toBe(200);
  expect((await admin.send('POST', `/${realm}/roles`, { name: 'r' }, { 'idempotency-key': realm })).status).toBe(201);
  expect((await admin.send('GET', `/${realm}/keys`)).status).toBe(200);
  const [step] = (await admin.send('GET', `/${realm}/authentication/flows/registration/executions`)).body;
  const settings = { alias: 'captcha', config: { secret: secretOf(realm, 'captcha') } };
  const configured = await admin.send('POST', `/${realm}/authentication/executions/${step.id}/config`, settings);
  expect(configured.status).toBe(201);
  expect((await admin.send('POST', `/${realm}/apply`, { desired: { displayName: realm } })).status).toBe(200);
  const [webhook] = (await admin.send('GET', `/${realm}/export?secrets=true`)).body.webhooks;
  const node = Buffer.from(`Webhook:${webhook.id}`).toString('base64');
  const rotate = `mutation { webhookRotateSecret(input: { id: "${node}" }) { secret userErrors { message } } }`;
  const rotated = await admin.graphql<{ webhookRotateSecret: { userErrors: object[] } }>(rotate);
  expect(rotated.data.webhookRotateSecret.userErrors).toEqual([]);
  const [client] = (await admin.send('GET', `/${realm}/clients?clientId=rotated`)).body;
  const replace = `mutation { clientRotateSecret(input: { id: "${Buffer.from(`Client:${client.id}`).toString('base64')}" }) { userErrors { message } } }`;
  const replaced = await admin.graphql<{ clientRotateSecret: { userErrors: object[] } }>(replace);
  expect(replaced.data.clientRotateSecret.userErrors).toEqual([]);
  const agent = agentOf(server);
  const request = { client_id: 'page', redirect_uri: callback, response_type: 'code', scope: 'openid' };
  browser = { agent, page: await agent.get(authorizationUrl(realm, request)) };
  expect(browser.page.status).toBe(200);
  Object.assign(there, { app: id, webhook: node });
  await storeTokens(realm);
  for (const found of await storedIn(database.read)) {
    if (before.has(found.sealed)) continue;
    stored[realm].set(found.column, [...(stored[realm].get(found.column) ?? []), found]);
  }
}

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  const secretsKey = Buffer.from(key).toString('hex');
  run = start({
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: secretsKey,
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'admin',
    LOG_LEVEL: 'error',
  });
  server = { url: await ready(run) } as TestServer;
  database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  atEndOfFile(() => database.close());
  admin = callerWith(server, await login(server, 'master', 'admin', 'admin'));
  await fill('here');
  await fill('there');
}, 60_000);

const known = [...textColumns, ...objectColumns].map(nameOf);
/** Those of which each realm has its own. The proofs of the audit chain are of all realms: test/audit has them. */
const columns = known.filter((column) => column !== 'AuditBlock.proof');

describe('the columns that hold sealed texts', () => {
  it('are those of which the schema says so', () => {
    const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
    const said = [...schema.matchAll(/^model (\w+) \{([\s\S]*?)^\}/gm)].flatMap(([, model = '', body = '']) =>
      [...body.matchAll(/\/\/\/.*\bsealed\b.*\n\s+(\w+)/g)].map(([, column]) => `${model}.${column}`),
    );
    expect(said.toSorted()).toEqual(known.toSorted());
  });

  it('hold all that there are, and something in both realms', async () => {
    const texts = (await storedIn(database.read)).map(({ sealed }) => sealed);
    const check = await database.read.secretsKeyCheck.findMany({});
    expect([...texts, ...check.map(({ value }) => value)].toSorted()).toEqual(
      (await anywhereIn(database.read)).toSorted(),
    );
    for (const realm of [stored.here, stored.there]) expect([...realm.keys()].toSorted()).toEqual(columns.toSorted());
  });

  it('have the realm or user that each row belongs to, where it has one', () => {
    const schema = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
    for (const model of Object.keys(sealedColumns) as SealedModel[]) {
      const [, body = ''] = new RegExp(`^model ${model} \\{([\\s\\S]*?)^\\}`, 'm').exec(schema) ?? [];
      const owner = /^\s+(realmId|userId)\s.*\n\s+(realm|user)\s/m.exec(body)?.[1] ?? null;
      expect([model, sealedColumns[model].owner]).toEqual([model, owner]);
    }
  });
});

it('each sealed text opens in its own place, and in none of the others', async () => {
  const sealer = createSealer({ key });
  const all = await storedIn(database.read);
  for (const { sealed, place } of all) {
    expect(sealer.open(sealed, place)).not.toBe('');
    const opened = all.filter((other) => {
      if (other.place === place) return false;
      try {
        sealer.open(sealed, other.place);
        return true;
      } catch {
        return false;
      }
    });
    expect(opened).toEqual([]);
  }
});

const grant = async (form: Record<string, string>) => {
  const address = `${server.url}/auth/realms/there/protocol/openid-connect/token`;
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.text() };
};
const get = (path: string) => () => admin.send('GET', `/there${path}`);
const whole = get('/export?secrets=true&users=false');
const asked = async (query: string) => {
  const { errors, data } = await admin.graphql(query);
  return { status: errors ? 409 : 200, body: { errors, data } };
};

/** Requests that use what each column holds, with what they would answer if they could: all are refused. */
const uses: Record<string, (() => Promise<{ status: number; body: unknown }>)[]> = {
  'Realm.smtpPassword': [whole],
  'Client.secret': [
    () => admin.send('GET', `/there/clients/${there.app}/client-secret`),
    () => grant({ grant_type: 'client_credentials', client_id: 'app', client_secret: secretOf('here', 'client') }),
    () =>
      asked(`{ node(id: "${Buffer.from(`Client:${there.app}`).toString('base64')}") { ... on Client { secret } } }`),
    whole,
  ],
  'Client.previousSecret': [
    () => grant({ grant_type: 'client_credentials', client_id: 'rotated', client_secret: secretOf('here', 'rotated') }),
  ],
  'Client.attributes': [
    () => admin.send('GET', `/there/clients/${there.app}`),
    () => admin.send('GET', `/there/clients/${there.app}/certificates/jwt.credential`),
  ],
  'Credential.secretData': [
    () => grant({ grant_type: 'password', client_id: 'page', username: 'ann', password: secretOf('here', 'password') }),
  ],
  'FederatedToken.token': [
    async () => {
      const user = { username: 'ann', password: secretOf('there', 'password') };
      const { body } = await grant({ grant_type: 'password', client_id: 'page', ...user });
      return callerWith(server, JSON.parse(body).access_token).send('GET', '/realms/there/broker/op/token');
    },
  ],
  'Component.secrets': [whole],
  'IdentityProvider.secrets': [whole],
  'AuthenticatorConfig.config': [whole],
  'Webhook.secret': [whole],
  'Webhook.previousSecret': [
    async () => {
      const answer = await asked(
        `mutation { webhookPing(input: { id: "${there.webhook}" }) { error userErrors { code } } }`,
      );
      const { data } = answer.body as { data?: { webhookPing?: { userErrors: object[] } } };
      return data?.webhookPing?.userErrors.length ? { ...answer, status: 409 } : answer;
    },
  ],
  'RealmApply.inverse': [
    async () => {
      const [{ id }] = (await admin.send('GET', '/there/applies')).body;
      return admin.send('GET', `/there/applies/${id}/revert-plan`);
    },
  ],
  'OneTimeToken.payload': [
    async () => {
      const { status, text } = await browser.agent.submit(browser.page, { username: 'ann', password: 'x' });
      return { status, body: text };
    },
  ],
  'IdempotencyKey.outcome': [() => admin.send('POST', '/there/roles', { name: 'r' }, { 'idempotency-key': 'there' })],
};

describe('a secret that was copied from another realm', () => {
  it('is tried in each column', () => {
    expect(Object.keys(uses).toSorted()).toEqual(columns.toSorted());
  });

  it.each(columns)('is refused in %s, and logged', async (column) => {
    const source = stored.here.get(column)?.[0];
    const targets = stored.there.get(column) ?? [];
    if (!source) throw new Error(`Nothing is sealed in ${column}`);
    const fill = (textOf: (target: Stored) => string) =>
      database.transaction(async (tx) => {
        for (const target of targets) await plant(tx, target.place, textOf(target));
      });
    await fill(() => source.sealed);
    try {
      for (const use of uses[column] ?? []) {
        const { status, body } = await use();
        expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
        expect(status, JSON.stringify(body)).toBeLessThan(500);
        expect(JSON.stringify(body)).not.toMatch(/here-\w+-5e3a/);
      }
      const model = column.split('.')[0];
      const ids = targets.map(({ place }) => place.id).join('|');
      await expect.poll(run.output).toMatch(new RegExp(`"model":"${model}".*"id":"(${ids})".*cannot be used`));
    } finally {
      await fill(({ sealed }) => sealed);
    }
    // the server may remember a client for a moment
    for (const use of uses[column] ?? [])
      await expect.poll(async () => (await use()).status, { timeout: 10_000 }).not.toBe(409);
  });

  it('does not show in the log, nor does anything else that is sealed', () => {
    expect(run.output()).not.toMatch(/5e3a|gcm\d:/);
  });
});
