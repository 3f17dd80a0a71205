import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';

// Addresses that are none are refused on every way by which they can be written, with the field, and nothing changes.
let admin: Caller;
let realmId: string;

const storageType = 'org.keycloak.storage.UserStorageProvider';
const directory = (connectionUrl: string) => ({
  name: 'directory',
  providerId: 'ldap',
  providerType: storageType,
  config: { connectionUrl: [connectionUrl], editMode: ['READ_ONLY'] },
});
const storage = { components: { [storageType]: [directory('nonsense')] } };
const frontend = { attributes: { frontendUrl: 'nonsense' } };

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm: 'shop', enabled: true }));
  realmId = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "shop") { id } }')).data.realm.id;
});

interface Answer {
  userErrors: { path: string[] | null; message: string; code: string }[];
}
/** The places of the errors of a mutation. */
async function refused(name: string, input: object): Promise<string[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const query = `mutation ($input: ${type}) { ${name}(input: $input) { userErrors { path message code } } }`;
  const { data, errors } = await admin.graphql<Record<string, Answer>>(query, { input });
  expect(errors).toBeUndefined();
  return (data[name]?.userErrors ?? []).map(({ path }) => (path ?? []).join('.'));
}
/** The answer to a realm file with this part. */
async function applied(part: object): Promise<string> {
  const { status, body } = await admin.send('POST', '/shop/apply', { desired: { realm: 'shop', ...part } });
  expect(status).toBe(400);
  return JSON.stringify(body);
}

describe('an address that is none is refused', () => {
  it.each([
    ['no address', 400],
    ['javascript:alert(1)', 400],
    ['https://user:pw@id.shop.example', 400],
    ['https://id.shop.example/auth?a=b', 400],
    ['https://id.shop.example/auth#a', 400],
    ['https://id.shop.example/auth/', 204],
    ['', 204],
  ])('as `frontendUrl` in REST: %j', async (frontendUrl, expected) => {
    const { status, body } = await admin.send('PUT', '/shop', { attributes: { frontendUrl } });
    expect(status).toBe(expected);
    if (expected === 400) expect(JSON.stringify(body)).toContain('frontendUrl');
  });

  it('as `frontendUrl` in a new realm, in GraphQL, and in a realm file', async () => {
    expect((await admin.send('POST', '', { realm: 'wrong', ...frontend })).status).toBe(400);
    expect((await admin.send('GET', '/wrong')).status).toBe(404);
    const attributes = [{ name: 'frontendUrl', value: 'nonsense' }];
    expect((await refused('realmUpdate', { id: realmId, attributes })).join()).toContain('attributes');
    expect(await applied(frontend)).toContain('frontendUrl');
    expect((await admin.send('GET', '/shop')).body.attributes.frontendUrl ?? '').not.toBe('nonsense');
  });

  it.each([
    ['nonsense', 400],
    ['http://directory.example', 400],
    ['ldap://', 400],
    ['ldap://one.example nonsense', 400],
    ['ldaps://one.example ldap://[::1]:1389', 201],
    ['', 201],
  ])('as connection URL of a directory in REST: %j', async (connectionUrl, expected) => {
    const { status, body, headers } = await admin.send('POST', '/shop/components', directory(connectionUrl));
    expect(status).toBe(expected);
    if (expected === 400) return expect(JSON.stringify(body)).toContain('connectionUrl');
    const path = `/shop/components/${headers.get('location')?.split('/').at(-1)}`;
    expect((await admin.send('PUT', path, directory('nonsense'))).status).toBe(400);
    expect((await admin.send('GET', path)).body.config.connectionUrl?.[0] ?? '').toBe(connectionUrl);
  });

  it('as connection URL of a directory in a new realm, in GraphQL, and in a realm file', async () => {
    const { status, body } = await admin.send('POST', '', { realm: 'wrong', ...storage });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('connectionUrl');
    const settings = [{ name: 'connectionUrl', values: ['nonsense'] }];
    const input = {
      realm: realmId,
      name: 'directory',
      providerId: 'ldap',
      providerType: 'USER_STORAGE',
      settings,
    };
    expect((await refused('componentCreate', input)).join()).toContain('settings');
    expect(await applied(storage)).toContain('connectionUrl');
  });

  it('as hint of backchannel authentication', async () => {
    const { status, body } = await admin.send('PUT', '/shop', { attributes: { cibaAuthRequestedUserHint: 'name' } });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('cibaAuthRequestedUserHint');
  });
});

it('GraphQL names the redirect URI of an identity provider at the address of the realm', async () => {
  await admin.send('PUT', '/shop', { attributes: { frontendUrl: 'https://id.shop.example/auth/' } });
  await admin.send('POST', '/shop/identity-provider/instances', { alias: 'google', providerId: 'google', config: {} });
  const query = '{ realm(name: "shop") { identityProviders(first: 1) { nodes { redirectUri } } } }';
  const { data } = await admin.graphql<{ realm: { identityProviders: { nodes: object[] } } }>(query);
  const redirectUri = 'https://id.shop.example/auth/realms/shop/broker/google/endpoint';
  expect(data.realm.identityProviders.nodes).toEqual([{ redirectUri }]);
});
