// @both-databases
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEndOfFile, preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, login, startWithRealm, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { countStatements } from '../support/statements.js';
import { comparable } from './comparable.js';

const realm = 'whole';
const secret = 'client-secret-of-the-export';
let server: TestServer;
let databaseUrl: string;
let admin: Caller;

const representation = {
  realm,
  enabled: true,
  passwordPolicy: 'hashIterations(1)',
  smtpServer: { host: 'mail.example', from: 'a@mail.example', auth: 'true', user: 'a', password: 'smtp-secret' },
  roles: {
    realm: [
      { name: 'clerk', attributes: { a: ['1', '2'] } },
      { name: 'chief', composite: true, composites: { realm: ['clerk'] } },
    ],
    client: { shop: [{ name: 'seller' }] },
  },
  groups: [{ name: 'staff', realmRoles: ['clerk'], subGroups: [{ name: 'night', attributes: { floor: ['2'] } }] }],
  clients: [{ clientId: 'shop', secret, serviceAccountsEnabled: true, redirectUris: ['https://shop.example/*'] }],
  identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'idp-secret' } }],
  identityProviderMappers: [
    { name: 'm', identityProviderAlias: 'partner', identityProviderMapper: 'any', config: { a: 'b' } },
  ],
  localizationTexts: { de: { hello: 'Hallo' } },
  authenticationFlows: [{ alias: 'own', providerId: 'basic-flow', topLevel: true, authenticationExecutions: [] }],
  authenticatorConfig: [{ alias: 'captcha', config: { 'site.key': 'public', secret: 'captcha-secret' } }],
  webhooks: [
    {
      name: 'audit',
      url: 'https://audit.example/told',
      secret: 'webhook-secret',
      loginEvents: false,
      resourceTypes: ['USER'],
    },
  ],
  users: Array.from({ length: 600 }, (_, n) => ({
    username: `user-${String(n).padStart(3, '0')}`,
    enabled: true,
    email: `user-${n}@mail.example`,
    attributes: { shoe: ['42', '43'] },
    ...(n % 100 === 0 && { credentials: [{ type: 'password', value: `pw-${n}` }] }),
    realmRoles: ['clerk'],
    clientRoles: { shop: ['seller'] },
    groups: ['/staff/night'],
    federatedIdentities: [{ identityProvider: 'partner', userId: `there-${n}`, userName: `There ${n}` }],
  })),
};

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  ({ server, admin } = await startWithRealm(representation, { databaseUrl }, slowClock));
});

const get = async (caller: Caller, query = '') => caller.send('GET', `/${realm}/export${query}`);

describe('a whole export', () => {
  it('goes into another server and comes out the same, and its users log in there', async () => {
    const first = (await get(admin, '?secrets=true')).body;
    expect(first.users).toHaveLength(601);
    const other = await startServer();
    const boss = await administrator(other);
    const imported = await boss.send('POST', '/', first);
    expect([imported.status, imported.body]).toEqual([201, expect.anything()]);
    const second = (await get(boss, '?secrets=true')).body;
    expect(second.webhooks).toMatchObject(representation.webhooks);
    expect(second.authenticatorConfig).toContainEqual(
      expect.objectContaining(representation.authenticatorConfig[0] ?? {}),
    );
    expect(comparable(second)).toEqual(comparable(first));
    expect(await login(other, realm, 'user-100', 'pw-100')).toBeTypeOf('string');
  });

  it('has masks instead of secrets, and no credentials, unless they are asked for', async () => {
    const text = JSON.stringify((await get(admin)).body);
    for (const hidden of [
      secret,
      'smtp-secret',
      'captcha-secret',
      'webhook-secret',
      'idp-secret',
      'secretData',
      'privateKey":["MI',
    ]) {
      expect(text).not.toContain(hidden);
    }
    expect(JSON.parse(text).users).toHaveLength(601);
    expect(JSON.parse(text).webhooks).toMatchObject([{ name: 'audit', url: 'https://audit.example/told' }]);
    expect((await get(admin, '?users=false')).body.users).toBeUndefined();
  });

  it('with secrets is for who manages all of the realm, and is recorded', async () => {
    const path = `/${realm}/users`;
    const make = async (username: string, roles: string[]) => {
      const user = { username, enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
      await admin.send('POST', '/', { realm: `${realm}-x` });
      const id = (await admin.send('POST', path, user)).headers.get('location')?.split('/').at(-1);
      const client = (await admin.send('GET', `/${realm}/clients?clientId=realm-management`)).body[0].id;
      const all = (await admin.send('GET', `/${realm}/clients/${client}/roles`)).body as { name: string }[];
      await admin.send(
        'POST',
        `${path}/${id}/role-mappings/clients/${client}`,
        all.filter(({ name }) => roles.includes(name)),
      );
      return userOf(server, realm, username, 'pw');
    };
    const viewer = await make('viewer', [
      'view-realm',
      'view-users',
      'view-clients',
      'view-identity-providers',
      'view-events',
      'view-authorization',
    ]);
    expect((await get(viewer)).status).toBe(200);
    expect((await get(viewer, '?secrets=true')).status).toBe(403);
    const partly = await make('partly', ['view-realm', 'view-clients']);
    expect((await get(partly)).status).toBe(403);
    const managing = ['realm', 'users', 'clients', 'identity-providers', 'events', 'authorization'].map(
      (kind) => `manage-${kind}`,
    );
    const almost = await make('almost', managing);
    expect((await get(almost)).status).toBe(200);
    expect((await get(almost, '?secrets=true')).status).toBe(403);
    const noted = await server.database.read.adminEvent.count({ where: { operation: 'realm.exportSecrets' } });
    await get(admin, '?secrets=true');
    expect(await server.database.read.adminEvent.count({ where: { operation: 'realm.exportSecrets' } })).toBe(
      noted + 1,
    );
  });

  it('takes a number of statements that goes with batches of users, not with users', async () => {
    expect(await countStatements(server, () => get(admin))).toBeLessThan(40);
  });

  it('is a field in GraphQL', async () => {
    const { data, errors } = await admin.graphql<{ realm: { export: { realm: string; users: object[] } } }>(
      `{ realm(name: "${realm}") { export } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.realm.export.users.length).toBeGreaterThan(600);
  });

  it('is written by a command, to a file that only its owner reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'realmgate-export-'));
    atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'realm.json');
    const run = promisify(execFile);
    const command = fileURLToPath(new URL('../../dist/cli/realmgate.js', import.meta.url));
    await run(process.execPath, [command, 'export', '--realm', realm, '--out', file], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(comparable(written)).toEqual(comparable((await get(admin, '?secrets=true')).body));
    expect(statSync(file).mode & 0o077).toBe(0);
    const failed = run(process.execPath, [command, 'export', '--realm', 'nowhere'], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    });
    await expect(failed).rejects.toThrow(/Realm "nowhere" not found/);
  });
});
