import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { agentOf, authorizationUrl, noticeOf, type Page } from './agent.js';

// Who does not know the password hears nothing of the account: neither that it is there nor what state it is in.
const realm = 'states';
const callback = 'http://app.example/callback';
let server: TestServer;
let admin: Caller;

const password = (value: string) => [{ type: 'password', value }];
const otp = {
  type: 'otp',
  secretData: JSON.stringify({ value: 'abcdefghijklmnopqrst' }),
  credentialData: JSON.stringify({ subType: 'totp', period: 30, digits: 6, algorithm: 'HmacSHA1' }),
};

/** Users by the state that their account is in; all have the same password. */
const states: Record<string, object> = {
  ordinary: {},
  disabled: { enabled: false },
  locked: {},
  'locked for good': { enabled: false, attributes: { disabledReason: ['permanentLockout'] } },
  'with open actions': { requiredActions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] },
  'with an unverified address': { emailVerified: false, requiredActions: ['VERIFY_EMAIL'] },
  'with a second factor': { credentials: [...password('right'), otp] },
  'without a password': { credentials: [] },
};
const names = Object.keys(states);
const usernameOf = (state: string) => state.replaceAll(' ', '-');

const grant = async (username: string, more: Record<string, string>) => {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'app', username, ...more }),
  });
  return { status: response.status, headers: headersOf(response.headers), body: await response.json() };
};

const headersOf = (headers: Headers) =>
  [...headers].filter(([name]) => !['date', 'set-cookie', 'content-length', 'x-request-id'].includes(name));

const signIn = async (username: string, typed: string): Promise<Page> => {
  const agent = agentOf(server);
  const page = await agent.get(authorizationUrl(realm, { client_id: 'app', redirect_uri: callback }));
  return agent.submit(page, { username, password: typed });
};

/** A page without the user name that was typed and what is random. */
const plainly = ({ status, headers, text }: Page, username: string) => ({
  status,
  headers: headersOf(headers).map(([name, value]) => [name, value.replace(/nonce-[^']+/g, '')]),
  text: text
    .replaceAll(username, '')
    .replace(/action="[^"]*"/g, '')
    .replace(/href="[^"]*"/g, '')
    .replace(/nonce="[^"]*"/g, ''),
});

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const { status, body } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    verifyEmail: true,
    resetPasswordAllowed: true,
    bruteForceProtected: true,
    failureFactor: 30,
    clients: [
      { clientId: 'app', publicClient: true, redirectUris: [callback], directAccessGrantsEnabled: true },
      { clientId: 'robot', serviceAccountsEnabled: true },
    ],
    users: names.map((state) => ({
      username: usernameOf(state),
      email: `${usernameOf(state)}@shop.example`,
      enabled: true,
      emailVerified: true,
      credentials: password('right'),
      ...states[state],
    })),
  });
  expect([status, body]).toEqual([201, '']);
  const { id } = await server.database.read.user.findFirstOrThrow({ where: { username: 'locked' } });
  const row = await server.database.read.realm.findFirstOrThrow({ where: { name: realm } });
  const later = Math.floor(Date.now() / 1000) + 3600;
  await server.database.transaction((tx) =>
    tx.loginFailure.createMany({ data: [{ userId: id, realmId: row.id, failures: 30, notBefore: later }] }),
  );
});

const tries: Record<string, Record<string, string>> = {
  'a wrong password': { password: 'wrong' },
  'an empty password': { password: '' },
  'no password': {},
  'a wrong password with a code': { password: 'wrong', otp: '123456' },
};

describe.each([...names, 'service-account-robot'])('an account that is %s', (state) => {
  const username = usernameOf(state);

  it.each(Object.entries(tries))('answers %s at the token endpoint as an unknown user does', async (_name, form) => {
    const unknown = await grant('nobody', form);
    expect(unknown).toMatchObject({ status: 401, body: { error_description: 'Invalid user credentials' } });
    expect(await grant(username, form)).toEqual(unknown);
  });

  it.each(['wrong', ''])('answers the password "%s" on the login page as an unknown user does', async (typed) => {
    const unknown = await signIn('nobody', typed);
    expect(noticeOf(unknown)).toBe('Invalid username or password.');
    expect(plainly(await signIn(username, typed), username)).toEqual(plainly(unknown, 'nobody'));
  });
});

describe('the right password', () => {
  it.each([
    ['ordinary', 200, undefined],
    ['disabled', 400, 'Account disabled'],
    ['locked', 401, 'Invalid user credentials'],
    ['locked for good', 401, 'Invalid user credentials'],
    ['with open actions', 400, 'Account is not fully set up'],
    ['with a second factor', 401, 'Invalid user credentials'],
  ])('of an account that is %s', async (state, status, description) => {
    const { id } = await server.database.read.user.findFirstOrThrow({ where: { username: usernameOf(state) } });
    // the wrong passwords before count as well
    if (state !== 'locked') await admin.send('DELETE', `/${realm}/attack-detection/brute-force/users/${id}`);
    const answer = await grant(usernameOf(state), { password: 'right' });
    expect([answer.status, answer.body.error_description]).toEqual([status, description]);
  });
});
