// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerWith } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { albumOfAlice, idOf, phone, userOfShop, userWithPhone, withShop } from './world.js';

let server: TestServer;
let admin: Caller;
let alice: Caller;
let bob: Caller;
let album: string;

beforeAll(async () => {
  server = await startServer();
  admin = await withShop(server);
  alice = await userOfShop(server, 'alice');
  bob = await userOfShop(server, 'bob');
  album = await albumOfAlice(server);
  await admin.send('PUT', `/admin/realms/shop/users/${await idOf(admin, 'alice')}`, { credentials: [phone] });
});

interface Payload {
  userErrors: { code: string; path: string[] | null }[];
  adminEvents: { operation: string }[];
}

/** Performs a mutation; the payload has the errors. */
async function send(caller: Caller, name: string, input: object, directive = ''): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) ${directive} { ${name}(input: $input) { userErrors { code path } adminEvents { operation } } }`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(query, { input });
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const everything = `{ viewer { account { roleNames profile { username email isEmailVerified firstName lastName }
  sessions { sessionId isCurrent ipAddress browser operatingSystem isMobile startedAt lastAccessAt expiresAt clientNames }
  credentialTypes { type category isRemovable actionAlias credentials { credentialUuid label createdAt } }
  links { identityProviderAlias displayName isLinked linkedUsername }
  linkUrl(identityProviderAlias: "github", redirectUri: "https://app.example/back")
  applications { clientId displayName url isInUse hasOfflineAccess consent { clientScopeNames createdAt updatedAt } }
  resources { resourceUuid name clientId scopeNames users { username } }
  sharedWithMe { name scopeNames } sharedWithOthers { name users { username scopeNames } }
  requestsOfOthers { name } pendingRequests { name } activity { occurredAt type clientId ipAddress error } } } }`;

interface Seen {
  viewer: { account: Record<string, never> | null };
}

describe('viewer.account', () => {
  it('has all that the account API has', async () => {
    const { data, errors } = await alice.graphql<Seen>(everything);
    expect(errors).toBeUndefined();
    expect(data.viewer.account).toMatchObject({
      profile: { username: 'alice', email: 'alice@example.com', isEmailVerified: true },
      sessions: [{ isCurrent: true, clientNames: ['app'] }],
      credentialTypes: [
        { type: 'password', isRemovable: false, actionAlias: 'UPDATE_PASSWORD' },
        { type: 'otp', actionAlias: 'CONFIGURE_TOTP', credentials: [{ label: 'Phone' }] },
      ],
      links: [
        { identityProviderAlias: 'github', isLinked: false },
        { identityProviderAlias: 'partner', isLinked: true, linkedUsername: 'alice.partner' },
      ],
      linkUrl: expect.stringContaining('/broker/github/link?nonce='),
      applications: [{ clientId: 'app', isInUse: true }, { clientId: 'listed' }],
      resources: [{ name: 'Album', scopeNames: ['print', 'view'], users: [] }],
      activity: [{ type: 'LOGIN', clientId: 'app' }],
    });
  });

  it('asks for the roles that the token names', async () => {
    const erin = await userOfShop(server, 'erin');
    const { data, errors } = await erin.graphql<Seen>(everything);
    expect(data.viewer.account).toMatchObject({
      roleNames: ['view-applications', 'view-consent'],
      profile: null,
      sessions: null,
      credentialTypes: null,
      links: null,
      linkUrl: null,
      applications: [{ clientId: 'app' }, { clientId: 'listed' }],
      resources: null,
      activity: null,
    });
    expect(new Set(errors?.map(({ extensions }) => extensions?.code))).toEqual(new Set(['FORBIDDEN']));
    // an administrator has an account, and no roles in the token of the administration client
    const { data: own } = await admin.graphql<Seen>('{ viewer { account { roleNames } } }');
    expect(own.viewer.account).toEqual({ roleNames: [] });
    expect((await callerWith(server, undefined).graphql('{ viewer { account { roleNames } } }')).status).toBe(401);
  });

  it('takes as many statements whatever there is', async () => {
    const few = await bob.graphql(everything);
    const scopes = (await admin.send('GET', '/admin/realms/shop/client-scopes')).body;
    const email = scopes.find(({ name }: { name: string }) => name === 'email');
    for (const clientId of ['asking', 'listed', 'hidden'])
      await send(bob, 'accountSetConsent', { clientId, clientScopeUuids: clientId === 'asking' ? [email.id] : [] });
    for (let count = 0; count < 3; count += 1) await userOfShop(server, 'bob');
    const many = await bob.graphql(everything);
    // the names of the client scopes of consents are one statement more
    expect((many.extensions?.cost?.statements ?? 0) - (few.extensions?.cost?.statements ?? 0)).toBeLessThanOrEqual(1);
  });
});

describe('mutations of the account', () => {
  it('change it, with typed errors and audit records', async () => {
    const profile = { email: 'alice@example.com', firstName: 'Alicia', lastName: 'Archer' };
    expect(await send(alice, 'accountUpdate', profile)).toEqual({
      userErrors: [],
      adminEvents: [{ operation: 'account.updateProfile' }],
    });
    const errorsOf = async (input: object) => (await send(alice, 'accountUpdate', input)).userErrors;
    expect(await errorsOf({ ...profile, email: 'bob@example.com' })).toEqual([
      { code: 'EMAIL_TAKEN', path: ['email'] },
    ]);
    expect(await errorsOf({ ...profile, email: 'none', firstName: '' })).toEqual([
      { code: 'EMAIL_INVALID', path: ['email'] },
      { code: 'INVALID', path: ['firstName'] },
    ]);
    expect(await errorsOf({ ...profile, username: 'alicia' })).toEqual([{ code: 'READ_ONLY', path: ['username'] }]);
    // attributes are not given, and stay
    const id = await idOf(admin, 'alice');
    const { attributes, firstName } = (await admin.send('GET', `/admin/realms/shop/users/${id}`)).body;
    expect([attributes, firstName]).toEqual([{ department: ['Sales'] }, 'Alicia']);
  });

  it('share a resource, and take it back', async () => {
    const users = [{ username: 'bob', scopeNames: ['view'] }];
    expect((await send(alice, 'accountSetResourceUsers', { resourceUuid: album, users })).userErrors).toEqual([]);
    const shared = '{ viewer { account { sharedWithMe { name scopeNames } } } }';
    const seen = async () => (await bob.graphql<Seen>(shared)).data.viewer.account;
    expect(await seen()).toEqual({ sharedWithMe: [{ name: 'Album', scopeNames: ['view'] }] });
    const wrong = [{ username: 'bob', scopeNames: ['view', 'none'] }];
    expect((await send(alice, 'accountSetResourceUsers', { resourceUuid: album, users: wrong })).userErrors).toEqual([
      { code: 'INVALID', path: ['users', '0', 'scopeNames', '1'] },
    ]);
    expect((await send(bob, 'accountSetResourceUsers', { resourceUuid: album, users })).userErrors[0]?.code).toBe(
      'INVALID',
    );
    const none = [{ username: 'bob', scopeNames: [] }];
    await send(alice, 'accountSetResourceUsers', { resourceUuid: album, users: none });
    expect(await seen()).toEqual({ sharedWithMe: [] });
  });

  it('remove what the caller has, and nothing of others', async () => {
    const { data } = await alice.graphql<{
      viewer: { account: { credentialTypes: { credentials: { credentialUuid: string }[] }[] } };
    }>('{ viewer { account { credentialTypes { credentials { credentialUuid } } } } }');
    const [password, otp] = data.viewer.account.credentialTypes.map(
      ({ credentials }) => credentials[0]?.credentialUuid,
    );
    const remove = (caller: Caller, credentialUuid = '', directive = '') =>
      send(caller, 'accountRemoveCredential', { credentialUuid }, directive);
    expect((await remove(bob, otp)).userErrors[0]?.code).toBe('NOT_FOUND');
    expect((await remove(alice, password)).userErrors[0]?.code).toBe('BUILT_IN');
    // the session has not shown the device
    expect((await remove(alice, otp)).userErrors[0]?.code).toBe('FORBIDDEN');
    const proven = await userWithPhone(server, 'alice');
    expect((await remove(proven, otp, '@dryRun')).userErrors).toEqual([]);
    expect((await send(alice, 'accountSetCredentialLabel', { credentialUuid: otp, label: 'New' })).userErrors).toEqual(
      [],
    );
    expect((await remove(proven, otp)).userErrors).toEqual([]);
    expect((await remove(alice, otp)).userErrors[0]?.code).toBe('NOT_FOUND');
    expect(await send(alice, 'accountRemoveLink', { identityProviderAlias: 'partner' })).toMatchObject({
      userErrors: [],
    });
    expect(await send(alice, 'accountRemoveLink', { identityProviderAlias: 'partner' })).toMatchObject({
      userErrors: [{ code: 'INVALID', path: ['identityProviderAlias'] }],
    });
    await send(alice, 'accountRevokeConsent', { clientId: 'asking' });
    const other = await userOfShop(server, 'alice');
    expect((await send(other, 'accountEndSessions', {})).userErrors).toEqual([]);
    expect((await alice.graphql('{ viewer { userId } }')).status).toBe(401);
    expect((await bob.graphql('{ viewer { userId } }')).status).toBe(200);
  });
});
