import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm, userOf } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let plain: Caller;

const providerType = 'org.keycloak.keys.KeyProvider';

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm: 'keyed',
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      users: [{ username: 'plain', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
    },
    { secretsKey: Buffer.alloc(32, 7) },
  ));
  plain = await userOf(server, 'keyed', 'plain', 'pw');
});

interface KeyValue {
  kid: string;
  algorithm: string;
  providerId: string;
  status: string;
  publicKey?: string;
}

async function added(providerId: string, config: Record<string, string[]>): Promise<string> {
  const answer = await admin.send('POST', '/keyed/components', { name: providerId, providerId, providerType, config });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

const keyOf = async (id: string): Promise<KeyValue | undefined> =>
  (await admin.send('GET', '/keyed/keys')).body.keys.find((key: KeyValue) => key.providerId === id);

const change = (id: string, providerId: string, config: Record<string, string[]>) =>
  admin.send('PUT', `/keyed/components/${id}`, { providerId, providerType, config });

describe('a provider of keys', () => {
  it('is in use with the next request, and gone with the next', async () => {
    const id = await added('rsa-generated', { priority: ['500'] });
    const key = await keyOf(id);
    expect((await admin.send('GET', '/keyed/keys')).body.active.RS256).toBe(key?.kid);
    await change(id, 'rsa-generated', { active: ['false'] });
    expect(await keyOf(id)).toMatchObject({ kid: key?.kid, status: 'PASSIVE' });
    expect((await admin.send('DELETE', `/keyed/components/${id}`)).status).toBe(204);
    expect(await keyOf(id)).toBeUndefined();
  });

  it('keeps its key when its priority changes, and makes a new one for another size or curve', async () => {
    const ecdsa = await added('ecdsa-generated', {});
    const first = await keyOf(ecdsa);
    await change(ecdsa, 'ecdsa-generated', { priority: ['7'] });
    expect((await keyOf(ecdsa))?.kid).toBe(first?.kid);
    await change(ecdsa, 'ecdsa-generated', { ecdsaEllipticCurveKey: ['P-521'] });
    const second = await keyOf(ecdsa);
    expect(second).toMatchObject({ algorithm: 'ES512' });
    expect(second?.kid).not.toBe(first?.kid);
    const hmac = await added('hmac-generated', { secretSize: ['32'] });
    const before = await keyOf(hmac);
    await change(hmac, 'hmac-generated', { secretSize: ['64'] });
    expect((await keyOf(hmac))?.kid).not.toBe(before?.kid);
  });

  it('keeps the secrets that it was given to itself', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const id = await added('rsa', { privateKey: [text], priority: ['9'] });
    const shown = (await admin.send('GET', `/keyed/components/${id}`)).body;
    expect(shown.config.privateKey).toEqual(['**********']);
    const { kid } = (await keyOf(id)) ?? {};
    await admin.send('PUT', `/keyed/components/${id}`, shown);
    expect((await keyOf(id))?.kid).toBe(kid);
    const row = await server.database.read.component.findUniqueOrThrow({ where: { id } });
    expect(JSON.stringify(row)).not.toContain(text.slice(40, 80));
    const events = await server.database.read.adminEvent.findMany({ where: { resourcePath: `components/${id}` } });
    expect(events).toHaveLength(2);
    for (const { representation, before } of events) {
      expect(`${representation} ${before}`).not.toContain(text.slice(40, 80));
    }
  });

  it('is refused with settings that cannot work, and to those without manage-realm', async () => {
    const wrong = await admin.send('POST', '/keyed/components', {
      providerId: 'rsa-generated',
      providerType,
      config: { keySize: ['512'] },
    });
    expect(wrong).toMatchObject({ status: 400, body: { errorMessage: `'Key size' should be 1024, 2048 or 4096` } });
    expect((await plain.send('GET', '/keyed/keys')).status).toBe(403);
    expect((await plain.send('POST', '/keyed/components', { providerId: 'aes-generated', providerType })).status).toBe(
      403,
    );
  });

  it('is never below itself, however it gets its parent', async () => {
    const component = { providerId: 'aes-generated', providerType, config: {} };
    const [top, below] = ['circle-top', 'circle-below'];
    const errorMessage = '`parentId` must not be the component itself or one below it';
    const refusal = { status: 400, body: { errorMessage } };
    const create = (id: string, parentId?: string) =>
      admin.send('POST', '/keyed/components', { ...component, id, ...(parentId && { parentId }) });
    expect(await create(top, top)).toMatchObject(refusal);
    expect((await create(below, top)).status).toBe(201);
    expect(await create(top, below)).toMatchObject(refusal);
    expect((await create(top)).status).toBe(201);
    for (const parentId of [top, below])
      expect(await admin.send('PUT', `/keyed/components/${top}`, { ...component, parentId })).toMatchObject(refusal);
    expect((await admin.send('GET', `/keyed/components?parent=${top}`)).body).toHaveLength(1);
    await admin.send('DELETE', `/keyed/components/${top}`);
  });

  it('deleted, takes those below it along, but nothing of another realm', async () => {
    await admin.send('POST', '/', { realm: 'other', enabled: true });
    const id = await added('aes-generated', {});
    const below = { providerId: 'aes-generated', providerType, parentId: id, config: {} };
    await admin.send('POST', '/keyed/components', below);
    // while there is such a component in one realm, nothing of another one can be below it
    expect((await admin.send('POST', '/other/components', below)).status).toBe(400);
    await admin.send('DELETE', `/keyed/components/${id}`);
    expect((await admin.send('POST', '/other/components', below)).status).toBe(201);
    expect((await admin.send('GET', `/keyed/components?parent=${id}`)).body).toHaveLength(0);
    expect((await admin.send('GET', `/other/components?parent=${id}`)).body).toHaveLength(1);
  });
});

describe('Realm.keys', () => {
  it('shows the same keys, to those who may see the realm', async () => {
    const { data } = await admin.graphql<{ realm: { keys: { kid: string }[] } }>(
      '{ realm(name: "keyed") { keys { kid algorithm use status type publicKey certificate priority } } }',
    );
    const { keys } = (await admin.send('GET', '/keyed/keys')).body as { keys: KeyValue[] };
    expect(data.realm.keys.map(({ kid }) => kid).sort()).toEqual(keys.map(({ kid }) => kid).sort());
  });
});
