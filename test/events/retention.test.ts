// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { removeExpiredAdminEvents } from '../../src/services/events/expiry.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

interface Asked {
  realm: { id: string; events: { adminExpiration: number | null } };
}
const update = `mutation ($input: RealmUpdateInput!) { realmUpdate(input: $input) { realm { events { adminExpiration } } userErrors { message } } }`;
const idOf = async (realm: string): Promise<string> => (await admin.send('GET', `/${realm}`)).body.id;
const attributeOf = async (realm: string) =>
  (await admin.send('GET', `/${realm}`)).body.attributes.adminEventsExpiration;
const stored = (realmId: string) => server.database.read.adminEvent.count({ where: { realmId } });

async function makeRealm(realm: string, attributes: Record<string, string> = {}): Promise<string> {
  expect((await admin.send('POST', '/', { realm, enabled: true, attributes })).status).toBe(201);
  return idOf(realm);
}

describe('the retention of admin events', () => {
  it('removes those that are older than their realm keeps them, in any number', async () => {
    const brief = await makeRealm('brief', { adminEventsExpiration: '60' });
    const patient = await makeRealm('patient');
    const never = await makeRealm('never', { adminEventsExpiration: '0' });
    expect((await admin.send('POST', '/brief/roles', { name: 'auditor' })).status).toBe(201);
    const row = (realmId: string, at: number) => ({
      ...{ id: `${realmId}-${at}`, realmId, time: BigInt(Date.now() - 61_000), operation: 'user.create' },
      ...{ operationType: 'CREATE', resourceType: 'USER', resourcePath: `users/${at}` },
    });
    const data = [brief, patient, never].flatMap((id) => Array.from({ length: 2100 }, (_, at) => row(id, at)));
    await server.database.transaction((tx) => tx.adminEvent.createMany({ data }));
    const recorded = (await stored(brief)) - 2100;
    expect(recorded).toBeGreaterThan(0);
    const others = [await stored(patient), await stored(never)];
    await removeExpiredAdminEvents(server.services);
    expect(await stored(brief)).toBe(recorded);
    expect([await stored(patient), await stored(never)]).toEqual(others);
    await removeExpiredAdminEvents({ database: server.database, now: () => Date.now() + 61_000 });
    expect(await stored(brief)).toBe(0);
    expect([await stored(patient), await stored(never)]).toEqual(others);
  });

  it('keeps the records of a realm that was deleted', async () => {
    const id = await makeRealm('gone', { adminEventsExpiration: '60' });
    expect((await admin.send('DELETE', '/gone')).status).toBe(204);
    const before = await stored(id);
    expect(before).toBeGreaterThan(0);
    await removeExpiredAdminEvents({ database: server.database, now: () => Date.now() + 61_000 });
    expect(await stored(id)).toBe(before);
  });

  it('is an attribute in REST and a field in GraphQL, and goes with an export', async () => {
    await makeRealm('both', { adminEventsExpiration: '3600' });
    const { body } = await admin.send('GET', '/both');
    expect(body.attributes.adminEventsExpiration).toBe('3600');
    expect(body).not.toHaveProperty('adminEventsExpiration');
    const exported = (await admin.send('POST', '/both/partial-export', {})).body;
    expect(exported.attributes.adminEventsExpiration).toBe('3600');
    const asked = '{ realm(name: "both") { id events { adminExpiration } } }';
    const { realm } = (await admin.graphql<Asked>(asked)).data;
    expect(realm.events.adminExpiration).toBe(3600);
    const input = { id: realm.id, events: { adminExpiration: 7200 } };
    expect((await admin.graphql(update, { input })).data).toMatchObject({
      realmUpdate: { realm: { events: { adminExpiration: 7200 } }, userErrors: [] },
    });
    expect(await attributeOf('both')).toBe('7200');
    expect((await admin.send('PUT', '/both', { attributes: { adminEventsExpiration: '60' } })).status).toBe(204);
    expect((await admin.graphql<Asked>(asked)).data.realm.events.adminExpiration).toBe(60);
    expect((await admin.send('PUT', '/both', { attributes: {} })).status).toBe(204);
    expect(await attributeOf('both')).toBeUndefined();
    expect((await admin.graphql<Asked>(asked)).data.realm.events.adminExpiration).toBe(0);
  });

  it('refuses what is no number of seconds', async () => {
    await makeRealm('strict');
    for (const value of ['soon', '-1', '1.5', '9'.repeat(12)]) {
      const answer = await admin.send('PUT', '/strict', { attributes: { adminEventsExpiration: value } });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('adminEventsExpiration');
    }
    const body = { realm: 'worse', enabled: true, attributes: { adminEventsExpiration: 'soon' } };
    expect((await admin.send('POST', '/', body)).status).toBe(400);
  });
});
