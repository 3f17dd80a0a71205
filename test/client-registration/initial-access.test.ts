import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { removeSpentInitialAccess } from '../../src/services/client-registration/initial-access.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'access';
let server: TestServer;
let admin: Caller;
let realmId: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
  }));
  const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  realmId = data.realm.id;
});

const create = (input: object) =>
  admin.graphql<{
    clientInitialAccessCreate: {
      token: string | null;
      clientInitialAccess: { id: string; createdAt: string; expiresAt: string | null; remainingCount: number } | null;
      userErrors: { path: string[] }[];
    };
  }>(
    `mutation ($input: ClientInitialAccessCreateInput!) { clientInitialAccessCreate(input: $input) {
      token userErrors { path } clientInitialAccess { id createdAt expiresAt remainingCount } } }`,
    { input: { realm: realmId, ...input } },
  );

describe('an initial access token', () => {
  it('is told once, in GraphQL as in REST, and stands in no list and no event', async () => {
    const { data } = await create({ count: 2, lifespan: 60 });
    const { token, clientInitialAccess } = data.clientInitialAccessCreate;
    const { iat = 0, exp = 0, typ, iss } = decodeJwt(token ?? '');
    expect({ typ, iss, lifespan: exp - iat }).toEqual({
      typ: 'InitialAccessToken',
      iss: `${server.url}/auth/realms/${realm}`,
      lifespan: 60,
    });
    expect(clientInitialAccess).toMatchObject({ remainingCount: 2 });
    expect(Date.parse(clientInitialAccess?.expiresAt ?? '') - Date.parse(clientInitialAccess?.createdAt ?? '')).toBe(
      60_000,
    );
    const seen = [
      (await admin.send('GET', `/${realm}/clients-initial-access`)).body,
      (await admin.send('GET', `/${realm}/admin-events`)).body,
    ];
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  it('has no end unless one is asked for', async () => {
    const { data } = await create({});
    expect(data.clientInitialAccessCreate.clientInitialAccess).toMatchObject({ expiresAt: null, remainingCount: 1 });
    expect(decodeJwt(data.clientInitialAccessCreate.token ?? '').exp).toBeUndefined();
  });

  it('is taken back', async () => {
    const { data } = await create({});
    const { id } = data.clientInitialAccessCreate.clientInitialAccess ?? { id: '' };
    const deleted = await admin.graphql<{
      clientInitialAccessDelete: { realm: { clientInitialAccesses: { edges: { node: { id: string } }[] } } };
    }>(
      `mutation ($input: ClientInitialAccessDeleteInput!) { clientInitialAccessDelete(input: $input) {
        realm { clientInitialAccesses { edges { node { id } } } } } }`,
      { input: { id } },
    );
    const left = deleted.data.clientInitialAccessDelete.realm.clientInitialAccesses.edges.map(({ node }) => node.id);
    expect(left).not.toContain(id);
  });

  it('is not one of another realm', async () => {
    const { body } = await admin.send('POST', `/${realm}/clients-initial-access`, {});
    await admin.send('DELETE', `/master/clients-initial-access/${body.id}`);
    const ids = (await admin.send('GET', `/${realm}/clients-initial-access`)).body.map(({ id }: { id: string }) => id);
    expect(ids).toContain(body.id);
  });

  it('is removed a quarter of an hour after it was made when it is used up or its time is over, and only then', async () => {
    const [spent, over, good] = await Promise.all(
      [{ count: 0 }, { expiration: 1 }, { count: 3, expiration: 86_400 }].map(
        async (input) => (await admin.send('POST', `/${realm}/clients-initial-access`, input)).body.id as string,
      ),
    );
    const { database } = server.services;
    const listedAfter = async (minutes: number) => {
      await removeSpentInitialAccess({ database, now: () => Date.now() + minutes * 60_000 });
      const { body } = await admin.send('GET', `/${realm}/clients-initial-access`);
      return body.map(({ id }: { id: string }) => id);
    };
    expect(await listedAfter(14)).toEqual(expect.arrayContaining([spent, over, good]));
    const left = await listedAfter(16);
    expect(left).toContain(good);
    expect(left).not.toContain(spent);
    expect(left).not.toContain(over);
  });
});

describe('a token that is signed', () => {
  it.each(['@dryRun', '@atomic'])('is refused in a mutation with %s, at once', async (directive) => {
    // its keys are not made yet
    await admin.send('POST', '/', { realm: `fresh-${directive.slice(1)}`, enabled: true });
    const { data: found } = await admin.graphql<{ realm: { id: string } }>(
      `{ realm(name: "fresh-${directive.slice(1)}") { id } }`,
    );
    const { data } = await admin.graphql<{ clientInitialAccessCreate: { userErrors: { code: string }[] } }>(
      `mutation ${directive} { clientInitialAccessCreate(input: { realm: "${found.realm.id}" }) { userErrors { code } } }`,
    );
    expect(data.clientInitialAccessCreate.userErrors).toEqual([{ code: 'INVALID' }]);
  });
});
