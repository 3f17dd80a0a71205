// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredInverses } from '../../../src/services/realms/applied/expiry.js';
import { revertibleFor } from '../../../src/services/realms/applied/representation.js';
import { type Caller, startWithRealm, userOf } from '../../support/fixture.js';
import { slowClock, type TestServer } from '../../support/server.js';
import { countStatements } from '../../support/statements.js';

// A revert never overwrites what was changed since, and is guarded as an apply is.
const realm = 'reverted';
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      roles: { realm: [{ name: 'buyer', description: 'Buys', attributes: { size: ['L'] } }, { name: 'seller' }] },
      groups: [{ name: 'staff', subGroups: [{ name: 'team' }] }],
      clients: [{ clientId: 'shop', secret: 'first-secret', name: 'Shop', description: 'Sells' }],
      users: [{ username: 'ann', enabled: true, realmRoles: ['seller'] }],
    },
    {},
    slowClock,
  ));
});

const kept = { roles: 'KEEP', groups: 'KEEP', clients: 'KEEP' };

/** Applies a part of a realm, and returns the id of the apply. */
async function applied(desired: object, more: object = { modes: kept }): Promise<string> {
  const { status, body } = await admin.send('POST', `/${realm}/apply`, { desired, ...more });
  expect([status, body.errorMessage ?? '']).toEqual([200, '']);
  return (await admin.send('GET', `/${realm}/applies?max=1`)).body[0].id;
}
const planned = async (id: string) => (await admin.send('GET', `/${realm}/applies/${id}/revert-plan`)).body;
const reverted = (id: string, input: object = { allowDeletes: 10 }) =>
  admin.send('POST', `/${realm}/applies/${id}/revert`, input);
const role = async (name: string) => (await admin.send('GET', `/${realm}/roles/${name}`)).body;
const client = async () => (await admin.send('GET', `/${realm}/clients?clientId=shop`)).body[0];

describe('what was changed since the apply', () => {
  it('stays, field by field, and the plan names it', async () => {
    const id = await applied({
      clients: [{ clientId: 'shop', name: 'New', description: 'Sells more', secret: 'second-secret' }],
    });
    const { id: uuid } = await client();
    expect((await admin.send('PUT', `/${realm}/clients/${uuid}`, { name: 'By hand' })).status).toBe(204);
    const { warnings } = await planned(id);
    expect(warnings).toEqual(['`name` of CLIENT "shop" was changed since, and stays as it is.']);
    expect((await reverted(id)).status).toBe(200);
    const { name, description } = await client();
    expect([name, description]).toEqual(['By hand', 'Sells']);
    expect((await admin.send('GET', `/${realm}/clients/${uuid}/client-secret`)).body.value).toBe('first-secret');
  });

  it('keeps an object that the apply has created, if it was changed or is used', async () => {
    const id = await applied({ roles: { realm: [{ name: 'changed' }, { name: 'used' }, { name: 'unused' }] } });
    await admin.send('PUT', `/${realm}/roles/changed`, { name: 'changed', description: 'By hand' });
    const [{ id: ann }] = (await admin.send('GET', `/${realm}/users?username=ann`)).body;
    await admin.send('POST', `/${realm}/users/${ann}/role-mappings/realm`, [await role('used')]);
    const { warnings, changes } = await planned(id);
    expect(warnings.toSorted()).toEqual([
      'REALM_ROLE "changed" was changed since, and stays as it is.',
      'REALM_ROLE "used" stays, because something that was added since refers to it.',
    ]);
    expect(changes).toMatchObject([{ action: 'DELETE', key: 'unused', reason: 'REVERTED' }]);
    expect((await reverted(id)).status).toBe(200);
    expect([(await role('changed')).description, (await role('used')).name]).toEqual(['By hand', 'used']);
    expect((await admin.send('GET', `/${realm}/roles/unused`)).status).toBe(404);
  });

  it.each([
    { what: 'a file has deleted its provider alone', from: ['idp'], to: [] },
    { what: 'a file has created its provider anew', from: [], to: ['idp'] },
    { what: 'a file has given its name to another provider', from: ['other'], to: ['idp'] },
  ])('links of users come back and go as they were, where $what', async ({ from, to }) => {
    const provider = (alias = '') => ({ alias, providerId: 'oidc', internalId: `provider-of-${realm}`, config: {} });
    const modes = { identityProviders: 'FULL' };
    const more = { modes, allowDeletes: 10 };
    const links = async () =>
      (await admin.send('GET', `/admin/realms/${realm}/export`)).body.users.find(
        ({ username }: { username: string }) => username === 'ann',
      ).federatedIdentities;
    const federatedIdentities = [{ identityProvider: 'idp', userId: 'ann-there', userName: 'ann' }];
    await applied({ identityProviders: from.map(provider) }, more);
    await applied({ users: [{ username: 'ann', federatedIdentities }] }, {});
    const mentions = { users: [{ username: 'ann', federatedIdentities }] };
    await applied({ identityProviders: to.map(provider), ...mentions }, more);
    for (const _ of ['there', 'back', 'there', 'back']) {
      const [{ id }] = (await admin.send('GET', `/${realm}/applies?max=1`)).body;
      expect((await reverted(id)).status).toBe(200);
      expect(await links()).toEqual(federatedIdentities);
    }
  });

  it('leaves out what cannot come back: its name is taken, or what it refers to is gone', async () => {
    const { id: seller } = await role('seller');
    const id = await applied({ roles: { realm: [{ name: 'buyer' }] } }, { modes: { roles: 'FULL' }, allowDeletes: 10 });
    const created = await admin.send('POST', `/${realm}/roles`, { name: 'seller' });
    expect(created.status).toBe(201);
    const { warnings } = await planned(id);
    expect(warnings).toContain('REALM_ROLE "seller" does not get back what it was: something else has its name or ID.');
    expect((await reverted(id)).status).toBe(200);
    expect((await role('seller')).id).not.toBe(seller);
  });

  it('derives paths of groups anew: one that was added by hand moves along', async () => {
    const id = await applied({ groups: [{ name: 'people', renamedFrom: 'staff' }] });
    const [{ id: group }] = (await admin.send('GET', `/${realm}/groups?search=people`)).body;
    expect((await admin.send('POST', `/${realm}/groups/${group}/children`, { name: 'added' })).status).toBe(201);
    expect((await reverted(id)).status).toBe(200);
    for (const path of ['staff', 'staff/team', 'staff/added'])
      expect((await admin.send('GET', `/${realm}/group-by-path/${path}`)).body.path).toBe(`/${path}`);
  });
});

describe('the guards', () => {
  it('refuse another plan, more deletions than allowed, and a field that there is not', async () => {
    const id = await applied({ roles: { realm: [{ name: 'guarded' }] } });
    const { digest } = await planned(id);
    expect((await reverted(id, { expectedDigest: 'another', allowDeletes: 1 })).status).toBe(412);
    expect((await reverted(id, { expectedDigest: digest })).body.errorMessage).toContain('would delete 1 object,');
    expect((await reverted(id, { force: true })).status).toBe(400);
    expect((await reverted(id, { expectedDigest: digest, allowDeletes: 1 })).status).toBe(200);
    // it is taken back already
    const again = await reverted(id, {});
    expect([again.status, again.body.changes]).toEqual([200, []]);
    expect((await reverted(id, { expectedDigest: digest })).status).toBe(412);
  });

  it('two reverts at once change it once', async () => {
    const id = await applied({ roles: { realm: [{ name: 'at-once' }] } });
    const { digest } = await planned(id);
    const both = await Promise.all([1, 2].map(() => reverted(id, { expectedDigest: digest, allowDeletes: 1 })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  });

  it('an apply of another realm, or of a deleted one of the same name, is not found', async () => {
    const id = await applied({ displayName: 'Once' });
    expect((await admin.send('POST', '/', { realm: 'beside', enabled: true })).status).toBe(201);
    for (const place of [`/beside/applies/${id}`, `/beside/applies/${id}/revert-plan`])
      expect((await admin.send('GET', place)).status).toBe(404);
    expect((await admin.send('POST', `/beside/applies/${id}/revert`, {})).status).toBe(404);
    const { body } = await admin.send('POST', '/beside/apply', { desired: { displayName: 'Twice' } });
    expect(body.summary.update).toBe(1);
    const [{ id: other }] = (await admin.send('GET', '/beside/applies')).body;
    expect((await admin.send('DELETE', '/beside')).status).toBe(204);
    expect((await admin.send('POST', '/', { realm: 'beside', enabled: true })).status).toBe(201);
    expect((await admin.send('GET', '/beside/applies')).body).toEqual([]);
    expect((await admin.send('POST', `/beside/applies/${other}/revert`, {})).status).toBe(404);
  });

  it('callers see the history who may view events, and revert who may do everything', async () => {
    const id = await applied({ displayName: 'For viewers' });
    const password = { type: 'password', value: 'pw' };
    for (const [username, roles] of [
      ['viewer', ['view-events']],
      ['manager', ['manage-realm', 'view-events']],
      ['nobody', []],
    ] as const) {
      const user = { username, enabled: true, credentials: [password], clientRoles: { 'realm-management': roles } };
      expect(
        (await admin.send('POST', `/${realm}/users`, { username, enabled: true, credentials: [password] })).status,
      ).toBe(201);
      const [{ id: userId }] = (await admin.send('GET', `/${realm}/users?username=${username}`)).body;
      const [{ id: management }] = (await admin.send('GET', `/${realm}/clients?clientId=realm-management`)).body;
      const given = await Promise.all(
        user.clientRoles['realm-management'].map(
          async (name) => (await admin.send('GET', `/${realm}/clients/${management}/roles/${name}`)).body,
        ),
      );
      const path = `/${realm}/users/${userId}/role-mappings/clients/${management}`;
      expect((await admin.send('POST', path, given)).status).toBe(204);
    }
    const statuses = async (name: string) => {
      const caller = await userOf(server, realm, name, 'pw');
      const one = `/${realm}/applies/${id}`;
      return Promise.all([
        caller.send('GET', `/${realm}/applies`),
        caller.send('GET', one),
        caller.send('GET', `${one}/revert-plan`),
        caller.send('POST', `${one}/revert`, {}),
        caller.send('DELETE', `/${realm}/managed`),
      ]).then((answers) => answers.map(({ status }) => status));
    };
    expect(await statuses('viewer')).toEqual([200, 200, 403, 403, 403]);
    expect(await statuses('manager')).toEqual([200, 200, 403, 403, 403]);
    expect(await statuses('nobody')).toEqual([403, 403, 403, 403, 403]);
  });
});

describe('what takes an apply back', () => {
  it('is shown to nobody, and tells no secret in plans, events and history', async () => {
    const id = await applied({ clients: [{ clientId: 'shop', secret: 'third-secret' }] });
    const texts = [
      await planned(id),
      (await admin.send('GET', `/${realm}/applies`)).body,
      (await reverted(id)).body,
      (await admin.send('GET', `/${realm}/admin-events`)).body,
    ].map((body) => JSON.stringify(body));
    for (const text of texts) expect(text).not.toMatch(/first-secret|second-secret|third-secret|inverse/);
  });

  it('is gone after 30 days, and the apply stays in the history', async () => {
    const id = await applied({ displayName: 'Old' });
    const { database, services } = server;
    const appliedAt = BigInt(services.now() - revertibleFor);
    await database.transaction((tx) => tx.realmApply.updateMany({ where: { id }, data: { appliedAt } }));
    const refused = await reverted(id, {});
    expect([refused.status, refused.body.errorMessage]).toEqual([
      409,
      'The apply can no longer be reverted: 30 days have passed',
    ]);
    await removeExpiredInverses(services);
    const rows = await database.read.realmApply.findMany({ select: { id: true, inverse: true } });
    expect(rows.find((row) => row.id === id)?.inverse).toBeNull();
    expect(rows.filter(({ inverse }) => inverse !== null).length).toBeGreaterThan(1);
    expect((await admin.send('GET', `/${realm}/applies/${id}`)).body.source).toBeUndefined();
  });
});

it('an apply, its revert and the plan of that take as many statements for many objects as for a few', async () => {
  const costs = async (count: number): Promise<number[]> => {
    const names = Array.from({ length: count }, (_, at) => ({ name: `many-${at}`, attributes: { a: ['b'] } }));
    const desired = { roles: { realm: names }, groups: names };
    const input = { desired, modes: kept, source: 'https://git.example/many' };
    const ofApply = await countStatements(server, () => admin.send('POST', `/${realm}/apply`, input));
    const [{ id, created }] = (await server.database.read.realmApply.findMany({
      orderBy: [{ appliedAt: 'desc' }, { number: 'desc' }],
      select: { id: true, created: true },
      take: 1,
    })) as [{ id: string; created: number }];
    expect(created).toBe(2 * count);
    const ofPlan = await countStatements(server, () => planned(id));
    const ofRevert = await countStatements(server, () => reverted(id, { allowDeletes: 2 * count }));
    expect((await admin.send('GET', `/${realm}/roles/many-0`)).status).toBe(404);
    return [ofApply, ofPlan, ofRevert];
  };
  await costs(2);
  const few = await costs(2);
  const many = await costs(300);
  // caches that expire in the meantime are read again, and ids of the master realm
  const some = 25;
  many.forEach((count, at) => {
    expect(count).toBeLessThan((few[at] ?? 0) + some);
  });
});
