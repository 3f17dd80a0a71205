import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

// Identity providers that change names in a file, and what names them: mappers, and links of users whom the file has or does not have.
const realm = 'providers';
let admin: Caller;

type Provider = { alias: string; internalId: string };
const providers = async (): Promise<Map<string, Provider>> => {
  const { body } = await admin.send('GET', `/${realm}/identity-provider/instances`);
  return new Map((body as Provider[]).map((provider) => [provider.alias, provider]));
};
const idOf = async (alias: string) => (await providers()).get(alias)?.internalId;
const plan = (desired: object) => admin.send('POST', `/${realm}/plan`, { desired });
const apply = (desired: object, more: object = {}) => admin.send('POST', `/${realm}/apply`, { desired, ...more });

async function expectApplied(desired: object, more: object = {}): Promise<void> {
  const { status, body } = await apply(desired, more);
  expect([status, body.summary ?? body]).toEqual([200, expect.anything()]);
  const again = await plan(desired);
  expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
}

/** The links of each user as `alias userId`. */
async function links(): Promise<Record<string, string[]>> {
  const { users } = (await admin.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body as {
    users: { username: string; federatedIdentities?: { identityProvider: string; userId: string }[] }[];
  };
  return Object.fromEntries(
    users.map(({ username, federatedIdentities = [] }) => [
      username,
      federatedIdentities.map(({ identityProvider, userId }) => `${identityProvider} ${userId}`).toSorted(),
    ]),
  );
}

async function revertNewest(): Promise<void> {
  const [{ id }] = (await admin.send('GET', `/${realm}/applies?max=1`)).body;
  const { status, body } = await admin.send('POST', `/${realm}/applies/${id}/revert`, { allowDeletes: 100 });
  expect([status, body.summary ?? body]).toEqual([200, expect.anything()]);
}

const link = (identityProvider: string, userId: string) => ({ identityProvider, userId, userName: userId });
const mapper = (identityProviderAlias: string) => ({
  name: 'made',
  identityProviderAlias,
  identityProviderMapper: 'oidc-user-attribute-idp-mapper',
  config: { claim: identityProviderAlias, 'user.attribute': 'made' },
});
const before = {
  ann: ['left ann-left', 'right ann-right'],
  bob: ['left bob-left'],
  cat: ['right cat-right'],
};

beforeAll(async () => {
  ({ admin } = await startWithRealm({
    realm,
    enabled: true,
    identityProviders: ['left', 'right'].map((alias) => ({ alias, providerId: 'github', config: { clientId: alias } })),
    identityProviderMappers: [mapper('left'), mapper('right')],
    users: [
      { username: 'ann', federatedIdentities: [link('left', 'ann-left'), link('right', 'ann-right')] },
      { username: 'bob', federatedIdentities: [link('left', 'bob-left')] },
      { username: 'cat', federatedIdentities: [link('right', 'cat-right')] },
    ],
  }));
});

describe('two identity providers that change names', async () => {
  const swap = async () => [
    { internalId: await idOf('left'), alias: 'right' },
    { internalId: await idOf('right'), alias: 'left' },
  ];

  it('take along the links of users whom the file does not have, and their mappers', async () => {
    expect(await links()).toEqual(before);
    const identityProviders = await swap();
    await expectApplied({ identityProviders });
    expect(await links()).toEqual({
      ann: ['left ann-right', 'right ann-left'],
      bob: ['right bob-left'],
      cat: ['left cat-right'],
    });
    const { body } = await admin.send('GET', `/${realm}/identity-provider/instances/right/mappers`);
    expect((body as { config: object }[]).map(({ config }) => config)).toEqual([mapper('left').config]);
    await revertNewest();
    expect(await links()).toEqual(before);
  });

  it('leave the links that the file has', async () => {
    const identityProviders = await swap();
    await expectApplied({
      identityProviders,
      identityProviderMappers: [mapper('left'), mapper('right')],
      users: [{ username: 'bob', federatedIdentities: [link('left', 'bob-left')] }],
    });
    expect(await links()).toEqual({
      ann: ['left ann-right', 'right ann-left'],
      bob: ['left bob-left'],
      cat: ['left cat-right'],
    });
    await revertNewest();
    expect(await links()).toEqual(before);
    await revertNewest();
    expect((await links()).bob).toEqual(['left bob-left']);
    expect((await links()).cat).toEqual(['left cat-right']);
    await revertNewest();
    expect(await links()).toEqual(before);
  });
});

describe('an identity provider', () => {
  it('that gets another name keeps its mapper, which the file has by the new one', async () => {
    const { body } = await admin.send('GET', `/${realm}/identity-provider/instances/left/mappers`);
    const [{ id }] = body as [{ id: string }];
    await expectApplied({
      identityProviders: [{ internalId: await idOf('left'), alias: 'middle' }, { alias: 'right' }],
      identityProviderMappers: [{ ...mapper('middle'), config: mapper('left').config }, mapper('right')],
    });
    const now = await admin.send('GET', `/${realm}/identity-provider/instances/middle/mappers`);
    expect((now.body as { id: string }[]).map((one) => one.id)).toEqual([id]);
    await revertNewest();
  });

  it('that the file lacks goes with its mappers and the links of all users, and comes back with them', async () => {
    await expectApplied({ identityProviders: [{ alias: 'right' }] }, { allowDeletes: 2 });
    expect(await links()).toEqual({ ann: ['right ann-right'], bob: [], cat: ['right cat-right'] });
    const { body } = await admin.send('GET', `/admin/realms/${realm}/export`);
    expect(body.identityProviderMappers).toEqual([expect.objectContaining({ identityProviderAlias: 'right' })]);
    await revertNewest();
    expect(await links()).toEqual(before);
  });
});
