// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { type Ids, makeHostileRealm } from './fixture.js';

const realm = 'listed';
let server: TestServer;
let admin: Caller;
let ids: Ids;

interface Role {
  id: string;
  name: string;
}

beforeAll(async () => {
  server = await startServer();
  ({ admin, ids } = await makeHostileRealm(server, realm));
});

describe('the roles that could be added to a scope', () => {
  it('are those that the caller may add', async () => {
    const caller = await userOf(server, realm, 'manage-clients', 'pw');
    const narrow = { clientId: 'narrow', publicClient: true, fullScopeAllowed: false };
    const made = await caller.send('POST', `/${realm}/clients`, narrow);
    const scope = `/${realm}/clients/${made.headers.get('location')?.split('/').at(-1)}/scope-mappings`;
    for (const path of [`${scope}/clients/${ids.clients['realm-management']}`, `${scope}/realm`]) {
      const listed: Role[] = (await caller.send('GET', `${path}/available`)).body;
      const every: Role[] = (await admin.send('GET', `${path}/available`)).body;
      const names = listed.map(({ name }) => name);
      expect(names).toContain(path.endsWith('realm') ? 'plain' : 'manage-clients');
      for (const { id, name } of every) {
        const { status } = await caller.send('POST', path, [{ id, name }]);
        expect([name, status]).toEqual([name, names.includes(name) ? 204 : 403]);
      }
    }
  });
});

describe('a caller who sees only the name of a realm', () => {
  const names = `edges { node { name isEnabled displayName version } }`;

  it('is shown no settings of it over GraphQL, and finds it by none', async () => {
    const { status } = await admin.send('PUT', `/${realm}`, { displayName: 'Hidden' });
    expect(status).toBe(204);
    const caller = await userOf(server, realm, 'query-users', 'pw');
    const hidden = { name: realm, isEnabled: null, displayName: null, version: null };
    const { data, errors } = await caller.graphql<Record<string, unknown>>(`{
      realm(name: "${realm}") { name isEnabled displayName version }
      all: realms { ${names} }
      byName: realms(filter: { name: { equals: "${realm}" } }) { ${names} }
      byDisplayName: realms(filter: { displayName: { equals: "Hidden" } }) { ${names} totalCount }
      notByDisplayName: realms(filter: { not: { displayName: { equals: "Other" } } }) { ${names} }
      enabled: realms(filter: { or: [{ and: [{ isEnabled: true }] }] }) { ${names} }
      ordered: realms(orderBy: { field: DISPLAY_NAME }) { ${names} }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      realm: hidden,
      all: { edges: [{ node: hidden }] },
      byName: { edges: [{ node: hidden }] },
      byDisplayName: { edges: [], totalCount: 0 },
      notByDisplayName: { edges: [] },
      enabled: { edges: [] },
      ordered: { edges: [] },
    });
  });

  it('is another one than who sees the settings', async () => {
    const caller = await userOf(server, realm, 'view-realm', 'pw');
    const { data } = await caller.graphql(`{ realms(filter: { displayName: { equals: "Hidden" } }) { ${names} } }`);
    expect(data).toEqual({
      realms: {
        edges: [{ node: { name: realm, isEnabled: true, displayName: 'Hidden', version: expect.any(Number) } }],
      },
    });
  });
});
