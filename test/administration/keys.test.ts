import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { makeHostileRealm } from './fixture.js';

// Whoever has a key of a realm can sign tokens of its administrators.
const realm = 'keys';
const keyProvider = 'org.keycloak.keys.KeyProvider';
const kinds = ['rsa', 'rsa-generated', 'hmac-generated', 'aes-generated', 'ecdsa-generated'];
let server: TestServer;
let admin: Caller;
let boss: Caller;
let manager: Caller;

interface Component {
  id: string;
  name: string;
  providerId: string;
  providerType: string;
  config: Record<string, string[]>;
}

const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const providers = async (): Promise<Component[]> =>
  (await admin.send('GET', `/${realm}/components?type=${keyProvider}`)).body;

beforeAll(async () => {
  server = await startServer();
  ({ admin } = await makeHostileRealm(server, realm));
  await admin.send('PUT', `/${realm}/events/config`, { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  boss = await userOf(server, realm, 'boss', 'pw');
  manager = await userOf(server, realm, 'manage-realm', 'pw');
});

describe('keys of a realm', () => {
  it.each(kinds)('of the kind %s are not for manage-realm', async (providerId) => {
    const before = await providers();
    const config = { priority: ['500'], ...(providerId === 'rsa' && { privateKey: [own] }) };
    const made = { name: 'mine', providerId, providerType: keyProvider, config };
    expect((await manager.send('POST', `/${realm}/components`, made)).status).toBe(403);
    for (const { id, config: settings, ...provider } of before) {
      const path = `/${realm}/components/${id}`;
      expect((await manager.send('PUT', path, { ...provider, config: { ...settings, priority: ['1'] } })).status).toBe(
        403,
      );
      expect((await manager.send('PUT', path, { ...provider, providerId, config: {} })).status).toBe(403);
      expect((await manager.send('DELETE', path)).status).toBe(403);
    }
    expect(await providers()).toEqual(before);
  });

  it('are for who may do everything in the realm', async () => {
    const made = { name: 'theirs', providerId: 'rsa', providerType: keyProvider, config: { privateKey: [own] } };
    const answer = await boss.send('POST', `/${realm}/components`, made);
    expect(answer.status).toBe(201);
    expect(
      (await boss.send('DELETE', `/${realm}/components/${answer.headers.get('location')?.split('/').at(-1)}`)).status,
    ).toBe(204);
  });

  it('do not become those of another kind, which would show them', async () => {
    for (const provider of await providers()) {
      const providerId = provider.providerId === 'rsa-generated' ? 'hmac-generated' : 'rsa-generated';
      const answer = await admin.send('PUT', `/${realm}/components/${provider.id}`, { ...provider, providerId });
      expect(answer).toMatchObject({ status: 400 });
      expect(answer.body.errorMessage ?? answer.body.error).toContain('provider');
      const storage = 'org.keycloak.storage.UserStorageProvider';
      const other = { ...provider, providerId: 'ldap', providerType: storage };
      expect((await admin.send('PUT', `/${realm}/components/${provider.id}`, other)).status).toBe(400);
    }
  });

  it('are made by the server: nobody plants what it generates', async () => {
    const planted = { secret: ['cGxhbnRlZC1zZWNyZXQtcGxhbnRlZC1zZWNyZXQ'], kid: ['planted'], privateKey: [own] };
    for (const providerId of kinds.filter((kind) => kind !== 'rsa')) {
      const config = { priority: ['900'], ...planted };
      const made = { name: `planted-${providerId}`, providerId, providerType: keyProvider, config };
      expect((await admin.send('POST', `/${realm}/components`, made)).status).toBe(201);
      const component = (await providers()).find(({ name }) => name === made.name) as Component;
      await admin.send('PUT', `/${realm}/components/${component.id}`, { ...component, config });
    }
    const { body } = await admin.send('GET', `/${realm}/keys`);
    expect(JSON.stringify(body)).not.toContain('planted"');
    expect(body.keys.length).toBeGreaterThan(5);
  });

  it('are never in answers and audit records', async () => {
    const config = { secret: ['shown-secret'], ecdsaPrivateKey: ['shown-secret'], privateKey: [own] };
    const made = { name: 'odd', providerId: 'rsa', providerType: keyProvider, config };
    const answer = await admin.send('POST', `/${realm}/components`, made);
    expect(answer.status).toBe(201);
    const id = answer.headers.get('location')?.split('/').at(-1);
    const shown = await admin.send('GET', `/${realm}/components/${id}`);
    await admin.send('PUT', `/${realm}/components/${id}`, { ...made, config: { ...config, priority: ['2'] } });
    const events = await admin.send('GET', `/${realm}/admin-events?resourceTypes=COMPONENT&max=200`);
    expect(events.body.length).toBeGreaterThan(2);
    for (const text of [JSON.stringify(shown.body), JSON.stringify(events.body)]) {
      expect(text).not.toContain('shown-secret');
      expect(text).not.toContain('planted-secret');
      expect(text).not.toContain('PRIVATE KEY');
    }
  });
});

describe('keys in the file of a realm', () => {
  const planted = Buffer.from('planted-secret-planted-secret-32').toString('base64url');
  const file = (name: string) => ({
    realm: name,
    enabled: true,
    components: {
      [keyProvider]: [
        {
          name: 'hmac',
          providerId: 'hmac-generated',
          config: { priority: ['100'], algorithm: ['HS256'], secret: [planted], kid: ['planted'] },
        },
        { name: 'rsa', providerId: 'rsa-generated', config: { priority: ['100'], kid: ['planted'] } },
      ],
    },
  });

  it('that the server generates are taken from administrators of everything alone', async () => {
    const users = { username: 'maker', enabled: true, credentials: [{ type: 'password', value: 'pw' }] };
    await admin.send('POST', '/master/users', users);
    const [{ id }] = (await admin.send('GET', '/master/users?username=maker')).body;
    const role = (await admin.send('GET', '/master/roles/create-realm')).body;
    await admin.send('POST', `/master/users/${id}/role-mappings/realm`, [role]);
    const maker = await userOf(server, 'master', 'maker', 'pw');
    expect((await maker.send('POST', '/', file('made'))).status).toBe(201);
    expect((await admin.send('POST', '/', file('moved'))).status).toBe(201);
    const kids = async (name: string) =>
      (await admin.send('GET', `/${name}/keys`)).body.keys.map(({ kid }: { kid: string }) => kid);
    expect(await kids('made')).not.toContain('planted');
    expect(await kids('moved')).toContain('planted');
  });
});
