// @both-databases
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

const names =
  '__typename id ... on User { username } ... on Role { name } ... on Client { clientId } ... on Group { name }';
const people = 'actor { username } actorRealm { name } client { clientId } realm { name } changes { path }';
const events = (first: number, type: string, selection: string) =>
  `{ realm(name: "${realm}") { adminEvents(first: ${first}, filter: { operationTypes: [CREATE], resourceTypes: [${type}] }) {
    edges { node { ${selection} } } } } }`;
/** What is looked for at the same time is found together, which chance has a part in. */
const chance = 2;
const parts = [`resource { ${names} }`, people];

describe('the statements of the objects of admin events', () => {
  it.each(['REALM_ROLE', 'GROUP', 'USER', 'CLIENT'])(
    'do not depend on the number of events about a %s',
    async (type) => {
      for (const part of parts) {
        const few = await statements(events(2, type, part));
        expect(await statements(events(50, type, part))).toBeLessThanOrEqual(few + chance);
      }
    },
  );

  it('depend on the number of types at most', async () => {
    const both = 'USER, GROUP';
    for (const part of parts) {
      const few = await statements(events(8, both, part));
      expect(await statements(events(100, both, part))).toBeLessThanOrEqual(few + chance);
      expect(few).toBeLessThan(20);
    }
  });
});
