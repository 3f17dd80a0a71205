// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { placeOfSecrets } from '../../src/services/core/sealed-columns.js';
import { login } from '../support/fixture.js';
import { type Market, openMarket, realm, roleOfAdministrators } from './market.js';

let market: Market;
const rest: Market['rest'] = (...request) => market.rest(...request);
const load: Market['load'] = (...request) => market.load(...request);
const user: Market['user'] = (name) => market.user(name);
const client: Market['client'] = (name) => market.client(name);
const namesAt: Market['namesAt'] = (...question) => market.namesAt(...question);
const role = async (name: string) => (await rest('GET', `/roles/${name}`)).body;

/** Everything that the realm has of what imports change. */
const everything = async () => ({
  users: await namesAt('/users?max=1000', 'id'),
  clients: await namesAt('/clients', 'id'),
  groups: await namesAt('/groups', 'id'),
  roles: await namesAt('/roles?max=1000', 'id'),
  providers: await namesAt('/identity-provider/instances', 'internalId'),
  events: await market.server.database.read.adminEvent.count(),
});

const secretOf = async (clientId: string) =>
  (await rest('GET', `/clients/${(await client(clientId)).id}/client-secret`)).body.value;

beforeAll(async () => {
  market = await openMarket();
});

describe('a file of new things', () => {
  it('of any length is refused with the place of what is wrong', async () => {
    const before = await everything();
    const long = (at: number, change: object) => ({
      users: Array.from({ length: 1200 }, (_, n) => ({ username: `long-${n}`, ...(n === at && change) })),
    });
    for (const at of [3, 250, 1199]) {
      const { status, body } = await load(long(at, { attributes: 7 }));
      expect([status, body.errorMessage]).toEqual([400, expect.stringContaining(`users.${at}.attributes`)]);
    }
    expect(await everything()).toEqual(before);
  });

  it('may refer to what it brings and to what is there, and is given new ids', async () => {
    const id = '00000000-0000-4000-8000-000000000001';
    const { status, body } = await load({
      users: [
        {
          id,
          username: 'Ben',
          enabled: true,
          realmRoles: ['clerk', 'made-for-ben'],
          clientRoles: { till: ['open'], shop: ['sell'] },
          groups: ['/staff/night', 'depot/cold'],
          attributes: { size: ['L', 'XL'] },
          credentials: [{ type: 'password', value: 'ben-secret', temporary: false }],
          clientConsents: [{ clientId: 'till', grantedClientScopes: ['email'] }],
        },
      ],
      clients: [{ id, clientId: 'shop', serviceAccountsEnabled: true, redirectUris: ['https://shop.example/*'] }],
      groups: [{ id, name: 'depot', subGroups: [{ id, name: 'cold', realmRoles: ['clerk'] }] }],
      roles: {
        realm: [{ id, name: 'chief', composites: { realm: ['clerk'], client: { shop: ['sell'], till: ['open'] } } }],
        client: { shop: [{ name: 'sell' }] },
      },
      identityProviders: [{ internalId: id, alias: 'other', providerId: 'oidc', config: { clientId: 'x' } }],
      colour: 'blue',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ added: 6, overwritten: 0, skipped: 0 });
    expect(JSON.stringify(body)).not.toContain(id);
    const ben = await user('ben');
    expect(ben).toMatchObject({ username: 'ben', attributes: { size: ['L', 'XL'] } });
    expect(await namesAt(`/users/${ben.id}/role-mappings/realm`)).toEqual(['clerk', 'made-for-ben']);
    expect(await namesAt(`/users/${ben.id}/groups`, 'path')).toEqual(['/depot/cold', '/staff/night']);
    expect(await namesAt('/roles/chief/composites')).toEqual(['clerk', 'open', 'sell']);
    expect(await login(market.server, realm, 'ben', 'ben-secret')).toBeTruthy();
    const shop = await client('shop');
    expect(shop.defaultClientScopes).toContain('email');
    const account = (await rest('GET', `/clients/${shop.id}/service-account-user`)).body;
    expect(await namesAt(`/users/${account.id}/groups`, 'path')).toEqual(['/guests', '/staff/night']);
    expect(await namesAt(`/users/${account.id}/role-mappings/realm`)).toEqual([`default-roles-${realm}`]);
  });

  it('leaves an audit record of each, without secrets', async () => {
    const { body } = await load({
      users: [{ username: 'audited', credentials: [{ value: 'plain-text' }], realmRoles: ['implied'] }],
      clients: [{ clientId: 'audited', secret: 'client-text' }],
    });
    const userId = body.results.find(({ resourceType }: { resourceType: string }) => resourceType === 'USER').id;
    const events = await market.server.database.read.adminEvent.findMany({
      where: { operation: 'realm.partialImport' },
    });
    const paths = events.map(({ operationType, resourcePath }) => `${operationType} ${resourcePath}`);
    expect(paths).toContain(`CREATE users/${userId}`);
    expect(paths).toContain('CREATE roles/implied');
    expect(events.find(({ resourcePath }) => resourcePath === `users/${userId}`)?.representation).toContain('audited');
    expect(JSON.stringify(events.map(({ representation }) => representation))).not.toMatch(/-text/);
  });

  it.each([
    ['a user twice', { users: [{ username: 'twin' }, { username: 'TWIN' }] }, 409],
    ['a role twice', { roles: { realm: [{ name: 'twin' }, { name: 'twin' }] } }, 409],
    [
      'an address twice',
      {
        users: [
          { username: 'x', email: 'e@x' },
          { username: 'y', email: 'E@x' },
        ],
      },
      409,
    ],
    ['an unknown group', { users: [{ username: 'x' }, { username: 'y', groups: ['/nowhere'] }] }, 400],
    ['an unknown client', { roles: { client: { nowhere: [{ name: 'x' }] } } }, 400],
    ['an unknown composite', { roles: { realm: [{ name: 'x', composites: { realm: ['nothing'] } }] } }, 400],
    ['a password against the policy', { users: [{ username: 'x', credentials: [{ value: 'abc' }] }] }, 400],
    ['a dangerous address', { clients: [{ clientId: 'x', redirectUris: ['javascript:alert(1)'] }] }, 400],
    ['an unknown kind of provider', { identityProviders: [{ alias: 'x', providerId: 'nothing' }] }, 400],
    ['a user without a name', { clients: [{ clientId: 'x' }], users: [{}] }, 400],
    ['an unknown policy', { ifResourceExists: 'MAYBE' }, 400],
    ['an unknown field of a user', { users: [{ username: 'x', colour: 'blue' }] }, 400],
  ])('is refused as a whole with %s', async (_title, file, status) => {
    const before = await everything();
    const base = { roles: { realm: [{ name: 'never' }] }, groups: [{ name: 'never' }], policy: 'OVERWRITE' };
    expect((await load({ ...base, ...file })).status).toBe(status);
    expect(await everything()).toEqual(before);
  });
});

describe('a file of what is there', () => {
  const files: [string, object, string][] = [
    ['user', { users: [{ username: 'ann' }] }, 'User with user name ann already exists.'],
    [
      'address',
      { users: [{ username: 'anna', email: 'ANN@example.org' }] },
      'User with email ANN@example.org already exists.',
    ],
    ['client', { clients: [{ clientId: 'new' }, { clientId: 'till' }] }, "Client id 'till' already exists"],
    ['realm role', { roles: { realm: [{ name: 'clerk' }] } }, "Realm role 'clerk' already exists."],
    [
      'client role',
      { roles: { client: { till: [{ name: 'open' }] } } },
      "Client role 'open' for client 'till' already exists.",
    ],
    ['group', { groups: [{ name: 'staff' }] }, "Group '/staff' already exists"],
    [
      'provider',
      { identityProviders: [{ alias: 'partner', providerId: 'oidc' }] },
      "Identity Provider 'partner' already exists.",
    ],
  ];

  it.each(files)('fails with a %s', async (_kind, file, message) => {
    const before = await everything();
    const answer = await load({ ...file, ifResourceExists: 'FAIL' });
    expect([answer.status, answer.body]).toEqual([409, { errorMessage: message }]);
    expect(await everything()).toEqual(before);
  });

  it.each(files)('passes over a %s', async (_kind, file) => {
    const { status, body } = await load({ ...file, ifResourceExists: 'SKIP' });
    expect([status, body.skipped, body.overwritten]).toEqual([200, 1, 0]);
    expect((await user('ann')).email).toBe('ann@example.org');
  });

  it('brings what is new behind that', async () => {
    const { status, body } = await load({
      ifResourceExists: 'SKIP',
      users: [{ username: 'ann' }, { username: 'behind-ann' }],
      clients: [{ clientId: 'till' }, { clientId: 'behind-till' }],
      groups: [{ name: 'staff' }, { name: 'behind-staff' }],
      identityProviders: ['partner', 'behind-partner'].map((alias) => ({ alias, providerId: 'oidc' })),
      roles: {
        realm: [{ name: 'clerk' }, { name: 'behind-clerk' }],
        client: { till: [{ name: 'open' }, { name: 'behind-open' }] },
      },
    });
    expect([status, body.skipped], JSON.stringify(body)).toEqual([200, 6]);
    expect((await role('behind-clerk')).name).toBe('behind-clerk');
    expect(await namesAt('/identity-provider/instances', 'alias')).toContain('behind-partner');
  });

  it('hashes nothing for those it passes over', async () => {
    const users = Array.from({ length: 40 }, () => ({ credentials: [{ type: 'password', value: 'secret-1' }] }));
    const file = { policy: 'SKIP', users: users.map((item, at) => ({ ...item, username: `hashed-${at}` })) };
    await load(file);
    const { body } = await load({ ...file, users: [...file.users, { username: 'hashed-new' }] });
    expect(body).toMatchObject({ added: 1, skipped: 40 });
  });

  it('takes the place of what is there', async () => {
    const before = { ann: await user('ann'), till: await client('till'), clerk: await role('clerk') };
    const answer = await load({
      ifResourceExists: 'OVERWRITE',
      users: [{ username: 'ann', firstName: 'Anna', realmRoles: ['clerk'] }],
      clients: [{ clientId: 'till', name: 'Till', secret: '**********', serviceAccountsEnabled: true }],
      roles: { realm: [{ name: 'clerk', description: 'new' }], client: { till: [{ name: 'open' }] } },
      groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }],
      identityProviders: [
        { alias: 'partner', providerId: 'oidc', config: { clientId: 'them', clientSecret: '**********' } },
      ],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    // roles count twice, as recorded
    expect(answer.body).toMatchObject({ added: 2, overwritten: 6, skipped: 0 });
    const ann = await user('ann');
    expect(ann).toMatchObject({ firstName: 'Anna' });
    expect(ann.email).toBeUndefined();
    expect(ann.id).not.toBe(before.ann.id);
    const till = await client('till');
    expect(till.id).not.toBe(before.till.id);
    const clerk = await role('clerk');
    expect(clerk.id).not.toBe(before.clerk.id);
    expect(clerk.description).toBe('new');
    expect(await namesAt(`/users/${ann.id}/role-mappings/realm`)).toEqual(['clerk']);
    const account = (await rest('GET', `/clients/${till.id}/service-account-user`)).body;
    // groups that new users join are still such groups
    expect(await namesAt(`/users/${account.id}/groups`, 'path')).toEqual(['/guests', '/staff/night']);
    // masks stand for the secrets of before
    expect(await secretOf('till')).toBe('till-secret');
    const provider = await market.server.database.read.identityProvider.findFirstOrThrow({
      where: { alias: 'partner' },
    });
    const place = placeOfSecrets('IdentityProvider', provider);
    expect(market.server.services.sealer.open(provider.secrets ?? '', place)).toContain('hidden');
    expect(provider.config).toMatchObject({ clientId: 'them' });
  });

  it('never makes a mask the secret of a new client', async () => {
    await load({ clients: [{ clientId: 'masked', secret: '**********' }] });
    expect(await secretOf('masked')).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  it('deletes nobody because of an address, but keeps addresses unique', async () => {
    const bo = { username: 'bo', email: 'bo@example.org' };
    await load({ users: [bo] });
    const { id } = await user('bo');
    const answer = await load({ policy: 'OVERWRITE', users: [{ ...bo, username: 'other-bo' }] });
    expect(answer.status).toBe(409);
    expect((await user('bo')).id).toBe(id);
    // a swap within the file is fine
    const swapped = [
      { username: 'bo', email: 'bob@example.org' },
      { username: 'bob', email: 'bo@example.org' },
    ];
    expect((await load({ policy: 'OVERWRITE', users: swapped })).body).toMatchObject({ added: 1, overwritten: 1 });
  });

  it('leaves what administration hangs on as it is', async () => {
    const answer = await load({
      policy: 'OVERWRITE',
      clients: [{ clientId: roleOfAdministrators }, { clientId: 'account' }],
      roles: {
        realm: [{ name: `default-roles-${realm}` }],
        client: { [roleOfAdministrators]: [{ name: 'manage-users' }] },
      },
    });
    expect(answer.body).toMatchObject({ added: 0, overwritten: 0, skipped: 4 });
    const master = await market.admin.send('POST', '/master/partialImport', {
      policy: 'OVERWRITE',
      clients: [{ clientId: `${realm}-realm` }],
      roles: { realm: [{ name: 'admin' }] },
    });
    expect(master.body).toMatchObject({ overwritten: 0, skipped: 2 });
    expect((await rest('GET', '/users/count')).status).toBe(200);
  });

  it('comes again out of an export', async () => {
    const file = (await rest('POST', '/partial-export?exportClients=true&exportGroupsAndRoles=true')).body;
    const till = await secretOf('till');
    for (const policy of ['SKIP', 'OVERWRITE']) {
      const { status, body } = await load({ ...file, ifResourceExists: policy });
      expect(status, JSON.stringify(body)).toBe(200);
      expect([body.skipped > 0, body.overwritten > 0]).toEqual([true, policy === 'OVERWRITE']);
    }
    expect(await secretOf('till')).toBe(till);
  });
});
