// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let manager: Caller;

const withRoles = (username: string, ...roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'pw' }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const answer = await admin.send('POST', '/', {
    realm: 'shop',
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    users: [withRoles('viewer', 'view-clients'), withRoles('manager', 'manage-clients', 'view-clients')],
  });
  expect(answer.status).toBe(201);
  viewer = await userOf(server, 'shop', 'viewer', 'pw');
  manager = await userOf(server, 'shop', 'manager', 'pw');
});

/** Creates a client and returns its id. */
async function created(body: object, by = admin): Promise<string> {
  const answer = await by.send('POST', '/shop/clients', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.headers.get('location')?.split('/').at(-1) ?? '';
}

const read = async (id: string, by = admin) => (await by.send('GET', `/shop/clients/${id}`)).body;
const row = (id: string) => server.database.read.client.findUniqueOrThrow({ where: { id } });
const eventsOf = (id: string) =>
  server.database.read.adminEvent.findMany({ where: { resourcePath: { startsWith: `clients/${id}` } } });

describe('the secret of a client', () => {
  it('is sealed, read apart, and in no event', async () => {
    const id = await created({ clientId: 'sealed', secret: 'very-secret' });
    expect((await row(id)).secret).not.toBe('very-secret');
    expect(JSON.stringify(await read(id))).not.toContain('very-secret');
    expect((await admin.send('GET', `/shop/clients/${id}/client-secret`)).body).toEqual({
      type: 'secret',
      value: 'very-secret',
    });
    await admin.send('PUT', `/shop/clients/${id}`, { secret: 'other-secret' });
    const { body } = await admin.send('POST', `/shop/clients/${id}/client-secret`);
    expect(body.value).toMatch(/^\w{32}$/);
    const events = JSON.stringify(await eventsOf(id), (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
    for (const secret of ['very-secret', 'other-secret', body.value]) expect(events).not.toContain(secret);
    await admin.send('DELETE', `/shop/clients/${id}`);
  });

  it('survives a mask and a body without it, and goes when the client becomes public', async () => {
    const id = await created({ clientId: 'kept', secret: 'mine' });
    const secret = async () => (await admin.send('GET', `/shop/clients/${id}/client-secret`)).body.value;
    await admin.send('PUT', `/shop/clients/${id}`, { secret: '**********', name: 'Kept' });
    expect(await secret()).toBe('mine');
    await admin.send('PUT', `/shop/clients/${id}`, { publicClient: true });
    expect(await secret()).toBeUndefined();
    await admin.send('DELETE', `/shop/clients/${id}`);
  });
});

describe('the signing key of a SAML client', () => {
  it('is sealed in the database, masked in events, and shown to those who manage clients', async () => {
    const id = await created({ clientId: 'https://sp.example.org', protocol: 'saml' });
    const name = 'saml.signing.private.key';
    const whole = (await read(id, manager)).attributes[name];
    expect(whole).toMatch(/^[A-Za-z0-9+/=]{1000,}$/);
    expect((await read(id, viewer)).attributes[name]).toBe('**********');
    expect(((await row(id)).attributes as Record<string, string>)[name]).not.toBe(whole);
    const [event] = await eventsOf(id);
    expect(event?.representation).toContain('"saml.signing.private.key":"**********"');
    const document = await read(id, viewer);
    expect((await admin.send('PUT', `/shop/clients/${id}`, document)).status).toBe(204);
    expect((await read(id)).attributes[name]).toBe(whole);
  });
});

describe('the service account', () => {
  it('comes and goes with its switch, with the default role, and keeps its name in step', async () => {
    const id = await created({ clientId: 'Robot', serviceAccountsEnabled: true });
    const user = async () => (await admin.send('GET', `/shop/clients/${id}/service-account-user`)).body;
    const first = await user();
    expect(first.username).toBe('service-account-robot');
    const roles = await server.database.read.userRole.findMany({
      where: { userId: first.id },
      select: { role: { select: { name: true } } },
    });
    expect(roles.map(({ role }) => role.name)).toEqual(['default-roles-shop']);
    await admin.send('PUT', `/shop/clients/${id}`, { clientId: 'machine' });
    expect(await user()).toMatchObject({ id: first.id, username: 'service-account-machine' });
    await admin.send('PUT', `/shop/clients/${id}`, { name: 'says nothing of the account' });
    expect((await user()).id).toBe(first.id);
    await admin.send('PUT', `/shop/clients/${id}`, { serviceAccountsEnabled: false });
    expect((await admin.send('GET', `/shop/clients/${id}/service-account-user`)).status).toBe(400);
    expect(await server.database.read.user.count({ where: { id: first.id } })).toBe(0);
    await admin.send('DELETE', `/shop/clients/${id}`);
  });

  it('does not take the name of a user who is there', async () => {
    const realm = await server.database.read.realm.findUniqueOrThrow({ where: { name: 'shop' } });
    await server.database.transaction((tx) =>
      tx.user.createMany({
        data: {
          id: 'squatter',
          realmId: realm.id,
          username: 'service-account-taken',
          search: '\nservice-account-taken\n',
        },
      }),
    );
    const answer = await admin.send('POST', '/shop/clients', { clientId: 'taken', serviceAccountsEnabled: true });
    expect(answer.status).toBe(409);
    expect((await admin.send('GET', '/shop/clients?clientId=taken')).body).toEqual([]);
  });
});

describe('what a client cannot be', () => {
  it.each([
    [{ clientId: 'x', protocol: 'no-such' }, 400],
    [{ clientId: 'x'.repeat(256) }, 400],
    [{ clientId: 'x', authorizationServicesEnabled: true }, 400],
    [{ clientId: 'x', authorizationServicesEnabled: true, serviceAccountsEnabled: true, publicClient: true }, 400],
    [{ clientId: 'x', authenticationFlowBindingOverrides: { browser: 'no-such' } }, 400],
    [{ clientId: 'x', protocolMappers: [{ name: 'a' }, { name: 'a' }] }, 409],
    [{ clientId: 'account' }, 409],
  ])('%j is refused', async (body, status) => {
    expect((await admin.send('POST', '/shop/clients', body)).status).toBe(status);
    expect((await admin.send('GET', '/shop/clients?clientId=x')).body).toEqual([]);
  });

  it('its id cannot be that of a realm or client scope, whose roles and mappers it would get', async () => {
    const [scope] = (await admin.send('GET', '/shop/client-scopes')).body;
    const realm = (await admin.send('GET', '/shop')).body;
    for (const id of [realm.id, scope.id, 'master']) {
      expect((await admin.send('POST', '/shop/clients', { id, clientId: 'intruder' })).status).toBe(409);
    }
  });

  it('the client that a realm is administered with stays as long as the realm, under its name', async () => {
    const [{ id }] = (await admin.send('GET', '/master/clients?clientId=shop-realm')).body;
    expect((await admin.send('DELETE', `/master/clients/${id}`)).status).toBe(400);
    expect((await admin.send('PUT', `/master/clients/${id}`, { clientId: 'other' })).status).toBe(400);
    expect((await admin.send('PUT', `/master/clients/${id}`, { name: 'Shop' })).status).toBe(204);
  });
});

describe('lists', () => {
  it('search in the clientId only, whatever the case, and by attributes', async () => {
    await created({ clientId: 'Alpha-1', name: 'omega', attributes: { env: 'prod', team: 'a b' } });
    await created({ clientId: 'beta', name: 'alpha', attributes: { env: 'test' } });
    const names = async (query: string) =>
      (await viewer.send('GET', `/shop/clients?${query}`)).body.map(({ clientId }: { clientId: string }) => clientId);
    expect(await names('clientId=ALPHA&search=true')).toEqual(['Alpha-1']);
    expect(await names('clientId=%25&search=true')).toEqual([]);
    expect(await names('q=env:prod')).toEqual(['Alpha-1']);
    expect(await names(`q=${encodeURIComponent('env:prod team:"a b"')}`)).toEqual(['Alpha-1']);
    expect(await names('q=env:prod%20team:c')).toEqual([]);
    expect(await names('q=saml.signing.private.key:x')).toEqual([]);
  });

  it('take the same number of statements for any number of clients', async () => {
    const cost = async () => {
      const { result, statements } = await measureStatements(server, () => viewer.send('GET', '/shop/clients'));
      return { rows: result.body.length, statements };
    };
    await cost();
    const few = await cost();
    for (let at = 0; at < 12; at += 1) await created({ clientId: `many-${at}` });
    await cost();
    const many = await cost();
    expect(many.rows).toBe(few.rows + 12);
    expect(many.statements).toBeLessThanOrEqual(few.statements);
  });

  it('tell each caller what it may do', async () => {
    const [seen] = (await viewer.send('GET', '/shop/clients?clientId=account')).body;
    expect(seen.access).toEqual({ view: true, configure: false, manage: false });
    const [managed] = (await manager.send('GET', '/shop/clients?clientId=account')).body;
    expect(managed.access).toEqual({ view: true, configure: true, manage: true });
    expect((await viewer.send('POST', '/shop/clients', { clientId: 'no' })).status).toBe(403);
    expect((await viewer.send('PUT', `/shop/clients/${seen.id}`, { name: 'no' })).status).toBe(403);
    expect((await viewer.send('DELETE', `/shop/clients/${seen.id}`)).status).toBe(403);
  });
});

describe('a change of the protocol', () => {
  it('brings the scopes of the new one and hides the others', async () => {
    const id = await created({ clientId: 'turncoat', defaultClientScopes: ['profile'] });
    await admin.send('PUT', `/shop/clients/${id}`, { protocol: 'saml' });
    expect((await read(id)).defaultClientScopes).toEqual(['role_list']);
    const names = (await admin.send('GET', `/shop/clients/${id}/default-client-scopes`)).body;
    expect(names.map(({ name }: { name: string }) => name)).toEqual(['role_list']);
  });
});

describe('versions', () => {
  it('an update of an outdated version is refused', async () => {
    const id = await created({ clientId: 'versioned' });
    const etag = (await admin.send('GET', `/shop/clients/${id}`)).headers.get('etag') ?? '';
    const put = (name: string) => admin.send('PUT', `/shop/clients/${id}`, { name }, { 'if-match': etag });
    expect((await put('first')).status).toBe(204);
    expect((await put('second')).status).toBe(412);
    expect((await read(id)).name).toBe('first');
  });
});
