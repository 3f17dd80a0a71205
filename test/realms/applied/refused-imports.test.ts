import { beforeAll, describe, expect, it } from 'vitest';
import { initialToken, registrations } from '../../registration/support.js';
import { type Caller, startWithRealm } from '../../support/fixture.js';
import type { TestServer } from '../../support/server.js';
import { keepEverything } from './keep-everything.js';

// In a realm that refuses changes by hand, neither a partial import nor a client itself changes what the file describes.
const realm = 'refusing-imports';
let server: TestServer;
let admin: Caller;
let desired: Record<string, unknown>;
let registrationToken: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({
    realm,
    enabled: true,
    attributes: { managedChanges: 'refuse' },
    roles: { realm: [{ name: 'buyer' }], client: { shop: [{ name: 'seller' }] } },
    groups: [{ name: 'staff', subGroups: [{ name: 'team' }] }],
    clients: [{ clientId: 'shop', redirectUris: ['https://shop.example/*'] }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc' }],
    users: [{ username: 'ann', enabled: true, groups: ['/staff'], realmRoles: ['buyer'] }],
  }));
  const made = await registrations(server, realm)(await initialToken(admin, realm))('POST', 'default', {
    clientId: 'registered',
  });
  expect(made.status).toBe(201);
  registrationToken = made.body.registrationAccessToken;
  const { status, body } = await admin.send('GET', `/${realm}/export?users=true`);
  expect(status).toBe(200);
  desired = body;
  const input = { desired, modes: keepEverything, source: 'https://git.example/x' };
  const followed = await admin.send('POST', `/${realm}/apply`, input);
  expect([followed.status, followed.body.changes]).toEqual([200, []]);
});

const changes = async () => {
  const { status, body } = await admin.send('POST', `/${realm}/plan`, { desired, modes: keepEverything });
  return [status, body.changes];
};
const unchanged = [200, []];

describe('a partial import', () => {
  const files: Record<string, object> = {
    roles: { roles: { realm: [{ name: 'buyer', description: 'other' }] } },
    'client roles': { roles: { client: { shop: [{ name: 'seller', description: 'other' }] } } },
    groups: { groups: [{ name: 'staff', attributes: { a: ['b'] } }] },
    clients: { clients: [{ clientId: 'shop', redirectUris: ['https://other.example/*'] }] },
    'identity providers': { identityProviders: [{ alias: 'partner', providerId: 'saml' }] },
    users: { users: [{ username: 'ann', enabled: false }] },
    'a new object beside one of the file': {
      roles: { realm: [{ name: 'new' }, { name: 'buyer', description: 'other' }] },
    },
  };

  it.each(Object.entries(files))('that overwrites %s is refused', async (_what, file) => {
    const answer = await admin.send('POST', `/${realm}/partialImport`, { ifResourceExists: 'OVERWRITE', ...file });
    expect([answer.status, answer.body.errorMessage]).toEqual([409, expect.stringContaining('https://git.example/x')]);
    expect(await changes()).toEqual(unchanged);
  });

  it.each(Object.entries(files))('that skips %s changes nothing of the file', async (_what, file) => {
    const answer = await admin.send('POST', `/${realm}/partialImport`, { ifResourceExists: 'SKIP', ...file });
    expect(answer.status).toBe(200);
    expect(await changes()).toEqual(unchanged);
  });
});

describe('a registered client', () => {
  it('cannot change or delete itself, and others can be registered', async () => {
    const send = registrations(server, realm)(registrationToken);
    const changed = await send('PUT', 'default/registered', { clientId: 'registered', name: 'By itself' });
    expect([Math.floor(changed.status / 100), await changes()]).toEqual([4, unchanged]);
    const metadata = { client_id: 'registered', redirect_uris: ['https://other.example/*'] };
    const described = await send('PUT', 'openid-connect/registered', metadata);
    expect([Math.floor(described.status / 100), await changes()]).toEqual([4, unchanged]);
    const deleted = await send('DELETE', 'default/registered');
    expect([Math.floor(deleted.status / 100), await changes()]).toEqual([4, unchanged]);
    const other = await registrations(server, realm)(await initialToken(admin, realm))('POST', 'default', {
      clientId: 'another',
    });
    expect([other.status, await changes()]).toEqual([201, unchanged]);
  });
});

describe('members and places of groups', () => {
  const idOf = async (path: string, name: string) => {
    const { body } = await admin.send('GET', `/${realm}/${path}`);
    return body.find((one: Record<string, string>) => [one['username'], one['name']].includes(name))?.id;
  };

  it('stay as the file says', async () => {
    const [ann, staff, buyer] = [
      await idOf('users?username=ann', 'ann'),
      await idOf('groups', 'staff'),
      (await admin.send('GET', `/${realm}/roles/buyer`)).body,
    ];
    const { body } = await admin.send('GET', `/${realm}/groups/${staff}`);
    const team = body.subGroups[0];
    for (const [method, path, body] of [
      ['PUT', `users/${ann}/groups/${team.id}`, undefined],
      ['DELETE', `users/${ann}/groups/${staff}`, undefined],
      ['DELETE', `users/${ann}/role-mappings/realm`, [buyer]],
      ['POST', `groups/${staff}/role-mappings/realm`, [buyer]],
      ['POST', 'groups', team],
      ['PUT', `default-groups/${staff}`, undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const { status } = await admin.send(method, `/${realm}${path && '/'}${path}`, body);
      expect([method, path, status, await changes()]).toEqual([method, path, 409, unchanged]);
    }
  });
});
