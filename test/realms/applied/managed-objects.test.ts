import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// Objects say whether the file that their realm follows describes them.
const realm = 'managed-objects';
const provider = {
  providerId: 'oidc',
  config: { clientId: 'c', authorizationUrl: 'https://a.example/', tokenUrl: 'https://t.example/' },
};
const directory = {
  name: 'described',
  providerId: 'ldap',
  config: { connectionUrl: ['ldap://localhost:1'], usersDn: ['dc=x'], enabled: ['false'] },
};
const flow = { providerId: 'basic-flow', topLevel: true, builtIn: false, authenticationExecutions: [] };

/** One object of each kind that a file can describe, by its name. */
const desired = {
  users: [{ username: 'described' }],
  groups: [{ name: 'described' }],
  roles: { realm: [{ name: 'described' }] },
  clients: [{ clientId: 'described' }],
  clientScopes: [{ name: 'described', protocol: 'openid-connect' }],
  identityProviders: [{ alias: 'described', ...provider }],
  authenticationFlows: [{ alias: 'described', ...flow }],
  requiredActions: [{ alias: 'CONFIGURE_TOTP', name: 'described', providerId: 'CONFIGURE_TOTP', enabled: true }],
  components: { 'org.keycloak.storage.UserStorageProvider': [directory] },
  webhooks: [{ name: 'described', url: 'https://hook.example/' }],
};

/** The lists of a realm, with what their objects are called. */
const lists = {
  users: 'username',
  groups: 'name',
  roles: 'name',
  clients: 'clientId',
  clientScopes: 'name',
  identityProviders: 'alias',
  authenticationFlows: 'alias',
  components: 'name',
  requiredActions: 'name',
  webhooks: 'name',
};
const kinds = [...Object.keys(lists), 'userStorages'];

interface Shown {
  name: string;
  isManaged: boolean;
}

let admin: Caller;
const shown = async (): Promise<Record<string, Shown[]>> => {
  const connections = Object.entries(lists).map(
    ([list, name]) => `${list}(first: 100) { nodes { name: ${name} isManaged } }`,
  );
  const { data, errors } = await admin.graphql<{ realm: Record<string, { nodes: Shown[] } | Shown[]> }>(
    `{ realm(name: "${realm}") { ${connections.join(' ')} userStorages { name isManaged } } }`,
  );
  expect(errors).toBeUndefined();
  return Object.fromEntries(
    Object.entries(data.realm).map(([list, found]) => [list, 'nodes' in found ? found.nodes : found]),
  );
};

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    users: [{ username: 'other' }],
    groups: [{ name: 'other' }],
    identityProviders: [{ alias: 'other', ...provider }],
    webhooks: [{ name: 'other', url: 'https://other.example/' }],
  }));
});

describe('isManaged', () => {
  it('is false in a realm that follows no file', async () => {
    const found = await shown();
    expect(Object.values(found).flat().length).toBeGreaterThan(20);
    expect(
      Object.values(found)
        .flat()
        .filter(({ isManaged }) => isManaged),
    ).toEqual([]);
  });

  it.each(kinds)('is true of the objects in %s that the file describes, and of no others', async (kind) => {
    const modes = Object.fromEntries(
      Object.keys(desired).map((name) => [name === 'components' ? 'components' : name, 'KEEP']),
    );
    const applied = await admin.send('POST', `/${realm}/apply`, {
      desired,
      modes,
      source: 'https://git.example/realm',
    });
    expect([applied.status, applied.body.errorMessage]).toEqual([200, undefined]);
    const found = (await shown())[kind] ?? [];
    const managed = found.filter(({ isManaged }) => isManaged).map(({ name }) => name);
    expect(managed).toEqual(['described']);
    if (kind !== 'userStorages') expect(found.length).toBeGreaterThan(1);
  });

  it('is false again when the realm no longer follows the file', async () => {
    expect((await admin.send('DELETE', `/${realm}/managed`)).status).toBe(204);
    expect(
      Object.values(await shown())
        .flat()
        .filter(({ isManaged }) => isManaged),
    ).toEqual([]);
  });
});
