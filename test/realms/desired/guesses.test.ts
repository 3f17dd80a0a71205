import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';

// What a plan or its digest tells must not answer guesses at what the caller may not read.
const realm = 'guessed';
let admin: Caller;
let boss: Caller;
let auditor: Caller;

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  const rights = ['realm', 'users', 'clients', 'identity-providers', 'events', 'authorization'];
  const user = (username: string, roles: string[]) => ({
    ...{ username, enabled: true, credentials: [{ type: 'password', value: 'pw' }] },
    clientRoles: { 'realm-management': roles },
  });
  const users = [
    user('boss', ['realm-admin']),
    user(
      'auditor',
      rights.map((right) => `view-${right}`),
    ),
  ];
  for (const name of [realm, 'elsewhere'])
    expect((await admin.send('POST', '/', { realm: name, enabled: true, users })).status).toBe(201);
  boss = await userOf(server, realm, 'boss', 'pw');
  auditor = await userOf(server, realm, 'auditor', 'pw');
});

const send = (caller: Caller, action: 'plan' | 'apply', desired: object, more: object) =>
  caller.send('POST', `/admin/realms/${realm}/${action}`, { desired, ...more });
const plan = (caller: Caller, desired: object, more: object) => send(caller, 'plan', desired, more);

describe('secrets of objects with the same name', () => {
  const storage = 'org.keycloak.storage.UserStorageProvider';
  const directory = (priority: string, bindCredential: string) => ({
    ...{ name: 'twin', providerId: 'ldap' },
    config: { enabled: ['false'], priority: [priority], bindDn: ['cn=admin'], bindCredential: [bindCredential] },
  });
  const settings = (siteKey: string, secret: string) => ({ alias: 'twin', config: { 'site.key': siteKey, secret } });

  it('are told apart only for those who may export them', async () => {
    const directories = { components: { [storage]: [directory('1', 'first'), directory('2', 'second')] } };
    expect((await send(boss, 'apply', directories, { modes: { components: 'KEEP' } })).status).toBe(200);
    const create = async (path: string, body: object) => {
      const { status, headers } = await admin.send('POST', `/admin/realms/${realm}/authentication${path}`, body);
      expect([path, status]).toEqual([path, 201]);
      return headers.get('location')?.split('/').at(-1);
    };
    await create('/flows', { alias: 'twins', providerId: 'basic-flow', topLevel: true, builtIn: false });
    await create('/flows/twins/executions/flow', {
      ...{ alias: 'form of twins', type: 'form-flow', provider: 'registration-page-form' },
    });
    for (const { config } of [settings('one', 'first'), settings('two', 'second')]) {
      const provider = 'registration-recaptcha-action';
      const id = await create('/flows/form%20of%20twins/executions/execution', { provider });
      await create(`/executions/${id}/config`, { alias: 'twin', config });
    }
    const modes = { modes: { components: 'KEEP', authenticatorConfig: 'KEEP' } };
    const guesses = (guess: string) => [
      { components: { [storage]: [directory('2', guess)] } },
      { authenticatorConfig: [settings('two', guess)] },
    ];
    for (const [at, right] of guesses('second').entries()) {
      const wrong = guesses('a-guess')[at] as object;
      const [hit, miss] = [await plan(auditor, right, modes), await plan(auditor, wrong, modes)];
      expect([hit.status, hit.body]).toEqual([200, miss.body]);
      expect((await plan(boss, right, modes)).body.changes).toEqual([]);
    }
  });
});

describe('a digest', () => {
  it('cannot be made elsewhere of a guess at what an apply has changed', async () => {
    const file = { desired: { roles: { realm: [{ name: 'guessed' }] } }, modes: { roles: 'KEEP' } };
    const planned = (name: string) => admin.send('POST', `/admin/realms/${name}/plan`, file);
    const [own, other, again] = [await planned(realm), await planned('elsewhere'), await planned(realm)];
    expect(own.body.changes).toEqual(other.body.changes);
    expect(own.body.digest).not.toBe(other.body.digest);
    expect(own.body.digest).toBe(again.body.digest);
  });
});

it('the digest of a plan stays the same when the realm first needs its keys', async () => {
  const fresh = { realm: 'without-keys', enabled: true };
  expect((await admin.send('POST', '/admin/realms', fresh)).status).toBe(201);
  const input = { desired: { displayName: 'With keys' } };
  const { digest } = (await admin.send('POST', '/admin/realms/without-keys/plan', input)).body;
  expect((await admin.send('GET', '/admin/realms/without-keys/keys')).body.keys.length).toBeGreaterThan(0);
  const { status } = await admin.send('POST', '/admin/realms/without-keys/apply', { ...input, expectedDigest: digest });
  expect(status).toBe(200);
});
