// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let realmId: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({
    realm: 'core',
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
  }));
  realmId = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "core") { id } }')).data.realm.id;
});

const roleNames = async () =>
  ((await admin.send('GET', '/core/roles')).body as { name: string }[]).map(({ name }) => name);
const eventsOf = (resourcePath: string) => server.database.read.adminEvent.findMany({ where: { resourcePath } });

describe('a write', () => {
  it('has an audit record and a change row of the same transaction', async () => {
    await admin.send('POST', '/core/roles', { name: 'audited', description: 'seen' });
    const [event] = await eventsOf('roles/audited');
    expect(event).toMatchObject({
      operation: 'role.create',
      operationType: 'CREATE',
      resourceType: 'REALM_ROLE',
      listed: true,
    });
    expect(JSON.parse(event?.representation ?? '')).toMatchObject({ name: 'audited', description: 'seen' });
    const changes = await server.database.read.change.findMany({ where: { eventId: event?.id ?? '' } });
    expect(changes).toHaveLength(1);
  });

  it('records what was there before an update', async () => {
    await admin.send('POST', '/core/roles', { name: 'before', description: 'old' });
    await admin.send('PUT', '/core/roles/before', { name: 'before', description: 'new' });
    const update = (await eventsOf('roles/before')).find(({ operationType }) => operationType === 'UPDATE');
    expect(JSON.parse(update?.before ?? '')).toMatchObject({ description: 'old' });
  });

  it('that is refused leaves nothing behind', async () => {
    const before = await server.database.read.adminEvent.count();
    expect((await admin.send('POST', '/core/roles', { name: 'audited' })).status).toBe(409);
    expect((await admin.send('POST', '/core/roles', {})).status).toBe(400);
    expect(await server.database.read.adminEvent.count()).toBe(before);
  });

  it('as a dry run answers, and changes nothing', async () => {
    const answer = await admin.send('POST', '/core/roles', { name: 'imagined' }, { prefer: 'dry-run' });
    expect(answer.status).toBe(201);
    expect(await roleNames()).not.toContain('imagined');
    expect(await eventsOf('roles/imagined')).toEqual([]);
  });

  it('with an ETag that is not one of ours is refused', async () => {
    await admin.send('POST', '/core/roles', { name: 'tagged' });
    const answer = await admin.send('PUT', '/core/roles/tagged', { name: 'tagged' }, { 'if-match': '"abc"' });
    expect(answer.status).toBe(412);
  });

  it('with an ETag is refused where nothing has a version to compare it with', async () => {
    const answer = await admin.send('POST', '/core/roles', { name: 'unversioned' }, { 'if-match': '"0"' });
    expect(answer.status).toBe(412);
    expect(await roleNames()).not.toContain('unversioned');
  });
});

describe('a realm import', () => {
  it('that fails leaves no realm behind', async () => {
    const users = [{ username: 'twice' }, { username: 'twice' }];
    expect((await admin.send('POST', '/', { realm: 'broken', users })).status).toBe(409);
    expect((await admin.send('GET', '/broken')).status).toBe(404);
    expect(await server.database.read.client.count({ where: { clientId: 'broken-realm' } })).toBe(0);
  });
});

describe('mutations', () => {
  const create = (names: string[]) =>
    names
      .map(
        (name, at) =>
          `m${at}: roleCreate(input: { container: "${realmId}", name: "${name}" }) { role { name } userErrors { code } }`,
      )
      .join('\n');

  it('marked @atomic are all kept, or none', async () => {
    const kept = await admin.graphql(`mutation @atomic { ${create(['one', 'two'])} }`);
    expect(kept.data).toMatchObject({ m0: { role: { name: 'one' } }, m1: { role: { name: 'two' } } });
    const refused = await admin.graphql(`mutation @atomic { ${create(['three', 'one', 'four'])} }`);
    expect(refused.data).toMatchObject({
      m1: { userErrors: [{ code: 'NAME_TAKEN' }] },
      m2: { userErrors: [{ code: 'ABORTED' }] },
    });
    const names = await roleNames();
    expect(names).toEqual(expect.arrayContaining(['one', 'two']));
    expect(names).not.toContain('three');
    expect(names).not.toContain('four');
  });

  it('without it stand for themselves', async () => {
    await admin.graphql(`mutation { ${create(['five', 'one', 'six'])} }`);
    expect(await roleNames()).toEqual(expect.arrayContaining(['five', 'six']));
  });

  it('marked @dryRun answer as if, and change nothing', async () => {
    const answer = await admin.graphql(`mutation @dryRun { ${create(['phantom'])} }`);
    expect(answer.data).toMatchObject({ m0: { role: { name: 'phantom' }, userErrors: [] } });
    expect(await roleNames()).not.toContain('phantom');
  });

  it('see what earlier root fields wrote', async () => {
    const answer = await admin.graphql(
      `mutation @atomic { ${create(['seen'])} m9: roleCreate(input: { container: "${realmId}", name: "seen" }) { userErrors { code } } }`,
    );
    expect(answer.data).toMatchObject({ m9: { userErrors: [{ code: 'NAME_TAKEN' }] } });
  });
});

describe('limits', () => {
  it('refuse what is too deep, too wide, too long or too costly, with their cost', async () => {
    const deep = `{ realm(name: "core") { roles { edges { node ${'{ composites { edges { node '.repeat(8)} { name } ${'} } }'.repeat(8)} } } } }`;
    const wide = `{ ${Array.from({ length: 300 }, (_, at) => `a${at}: realm(name: "core") { name }`).join(' ')} }`;
    const long = `{ ${'realm(name: "core") { name } '.repeat(2000)} }`;
    for (const query of [deep, wide]) {
      const { errors, extensions } = await admin.graphql(query);
      expect(errors?.[0]?.extensions?.code).toBe('TOO_COSTLY');
      expect(extensions?.cost?.requested).toBeGreaterThan(0);
    }
    expect((await admin.graphql(long)).errors?.[0]?.message).toMatch(/tokens/);
    const page = await admin.graphql('{ realm(name: "core") { roles(first: 501) { edges { node { name } } } } }');
    expect(page.errors?.[0]?.extensions?.code).toBe('LIMIT');
  });

  it('refuse bodies over the limit', async () => {
    const answer = await admin.send('POST', '/core/roles', { name: 'x'.repeat(11 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });
});
