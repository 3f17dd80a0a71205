import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let viewer: Caller;
let boss: string;

const realm = 'disclosure';
const numbers = Array.from({ length: 30 }, (_, index) => index);

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const user = (username: string, role: string) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'pw' }],
    clientRoles: { 'realm-management': [role] },
  });
  const created = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    users: [user('boss', 'realm-admin'), user('viewer', 'view-clients')],
    clients: [
      ...numbers.map((number) => ({ clientId: `many-${number}`, secret: `told-${number}` })),
      { clientId: 'open', publicClient: true },
    ],
  });
  expect(created.status).toBe(201);
  viewer = await userOf(server, realm, 'viewer', 'pw');
  boss = (await admin.send('GET', `/${realm}/users?username=boss`)).body[0].id;
});

type Events = { operationType: string; resourceType: string; resourcePath: string; authDetails: { userId: string } }[];
const events = async (): Promise<Events> => (await admin.send('GET', `/${realm}/admin-events?max=1000`)).body;
const page = (first: number) =>
  `{ realm(name: "${realm}") { clients(first: ${first}, filter: { clientId: { startsWith: "many-" } }) { edges { node { id secret again: secret } } } } }`;

interface Found {
  realm: { clients: { edges: { node: { id: string; secret: string | null } }[] } };
}

describe('the secrets of clients', () => {
  it('are told with an audit record for each, in as many statements for one as for many', async () => {
    const caller = await userOf(server, realm, 'boss', 'pw');
    await caller.graphql(page(1));
    const one = await caller.graphql<Found>(page(1));
    const before = await events();
    const many = await caller.graphql<Found>(page(30));
    expect(many.errors).toBeUndefined();
    expect(many.extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
    const nodes = many.data.realm.clients.edges.map(({ node }) => node);
    expect(nodes.map(({ secret }) => secret).toSorted()).toEqual(numbers.map((number) => `told-${number}`).toSorted());
    const records = await events();
    expect(records.length).toBe(before.length + 30);
    const timesOf = (list: Events, path: string) => list.filter(({ resourcePath }) => resourcePath === path).length;
    for (const { id } of nodes) {
      const path = `clients/${atob(id).split(':')[1]}/client-secret`;
      expect(timesOf(records, path)).toBe(timesOf(before, path) + 1);
    }
    for (const record of records)
      expect(record).toMatchObject({ operationType: 'ACTION', resourceType: 'CLIENT', authDetails: { userId: boss } });
    expect(JSON.stringify(records)).not.toContain('told-');
  });

  it('leave no record where nothing was told', async () => {
    const before = await events();
    const refused = await viewer.graphql(page(1));
    expect(refused.errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
    const none = await admin.graphql(`{ realm(name: "${realm}") { client(clientId: "open") { secret } } }`);
    expect(none).toMatchObject({ data: { realm: { client: { secret: null } } } });
    expect(await events()).toEqual(before);
  });

  it('are not told by what is rolled back', async () => {
    const before = await events();
    const { data } = await admin.graphql<Found>(page(1));
    const id = data.realm.clients.edges[0]?.node.id;
    const told = await events();
    expect(told.length).toBe(before.length + 1);
    const atomic = await admin.graphql(
      `mutation @atomic { clientUpdate(input: { id: "${id}", name: "x" }) { client { secret } userErrors { code } } }`,
    );
    expect(atomic.errors?.[0]?.extensions?.code).toBe('INVALID');
    expect(JSON.stringify(atomic)).not.toContain('told-');
    const format = 'installation(format: KEYCLOAK_OIDC_KEYCLOAK_JSON) { text }';
    const dry = await admin.graphql(`mutation @dryRun {
      clientUpdate(input: { id: "${id}", name: "x" }) { client { name secret ${format} } userErrors { code } }
      clientRotateSecret(input: { id: "${id}" }) {
        secret client { name secret } changes { path } userErrors { code }
      }
    }`);
    expect(dry.errors).toBeUndefined();
    expect(dry.data).toEqual({
      clientUpdate: { client: { name: 'x', secret: null, installation: null }, userErrors: [] },
      clientRotateSecret: {
        secret: null,
        client: { name: 'x', secret: null },
        changes: expect.arrayContaining([]),
        userErrors: [],
      },
    });
    expect(await events()).toEqual(told);
  });

  it('are recorded when they come with the settings for an adapter', async () => {
    const before = (await events()).length;
    const answer = await admin.graphql(
      `{ realm(name: "${realm}") { client(clientId: "many-7") { installation(format: KEYCLOAK_OIDC_KEYCLOAK_JSON) { text } } } }`,
    );
    expect(JSON.stringify(answer.data)).toContain('told-7');
    const after = await events();
    expect(after.length).toBe(before + 1);
    const path = /^clients\/[\w-]+\/installation\/providers\/keycloak-oidc-keycloak-json$/;
    expect(after.filter(({ resourcePath }) => path.test(resourcePath)).length).toBe(1);
  });
});
