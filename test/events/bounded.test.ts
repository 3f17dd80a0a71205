import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { slowClock } from '../support/server.js';

const realm = 'bounded';
const numbers = Array.from({ length: 50 }, (_, at) => String(at).padStart(2, '0'));
let admin: Caller;

beforeAll(async () => {
  const settings = { eventsEnabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  ({ admin } = await startWithRealm({ realm, enabled: true, ...settings }, {}, slowClock));
  for (const name of numbers) {
    for (const [path, body] of [
      ['roles', { name }],
      ['groups', { name }],
      ['users', { username: name }],
      ['clients', { clientId: name }],
    ] as const) {
      expect((await admin.send('POST', `/${realm}/${path}`, body)).status).toBe(201);
    }
  }
});

/** Writes in both realms, so that nothing of them is in a cache. */
async function statements(query: string): Promise<number> {
  for (const name of ['master', realm]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
  const { errors, extensions } = await admin.graphql(query);
  expect(errors).toBeUndefined();
  return extensions?.cost?.statements ?? 0;
}

const everything = `resource { __typename id ... on User { username } ... on Role { name } ... on Client { clientId } ... on Group { name } }
  actor { username } actorRealm { name } client { clientId } realm { name } changes { path }`;
const events = (first: number, type: string) =>
  `{ realm(name: "${realm}") { adminEvents(first: ${first}, filter: { operationTypes: [CREATE], resourceTypes: [${type}] }) {
    edges { node { ${everything} } } } } }`;

describe('the statements of the objects of admin events', () => {
  it.each(['REALM_ROLE', 'GROUP', 'USER', 'CLIENT'])(
    'do not depend on the number of events about a %s',
    async (type) => {
      expect(await statements(events(50, type))).toBe(await statements(events(2, type)));
    },
  );

  it('depend on the number of types at most', async () => {
    const [two, fifty] = [await statements(events(8, 'USER, GROUP')), await statements(events(100, 'USER, GROUP'))];
    expect(fifty).toBe(two);
    expect(fifty).toBeLessThan(20);
  });
});
