import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { type Agent, agentOf, answerOf, authorizationUrl, noticeOf, type Page } from './agent.js';
import { codeOf, device, flow, into, step } from './own-flows.js';
import { callback, importShop, shop } from './realm.js';

let server: TestServer;
let admin: Caller;

const action = 'CONFIGURE_RECOVERY_AUTHN_CODES';
const app = { client_id: 'app', redirect_uri: callback };
const given = ['AAAABBBBCCCC', 'DDDDEEEEFFFF'];

/** Codes as databases of Keycloak 26 have them. */
const stored = (codes: readonly string[]) => ({
  type: 'recovery-authn-codes',
  credentialData: JSON.stringify({ hashIterations: null, algorithm: 'RS512', remaining: codes.length, total: 12 }),
  secretData: JSON.stringify({
    codes: codes.map((code, index) => ({
      number: index + 11,
      encodedHashedValue: createHash('sha512').update(code).digest('base64'),
    })),
  }),
});

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  const devices = { ann: [device('totp'), stored(given)], carl: [device('totp')] } as Record<string, object[]>;
  await importShop(admin, {
    browserFlow: 'own',
    users: shop.users.map((user) => ({
      ...user,
      realmRoles: [],
      credentials: [...user.credentials, ...(devices[user.username] ?? [])],
    })),
    authenticationFlows: [
      flow('own', true, step('auth-username-password-form', 'REQUIRED', 10), into('second factor', 20)),
      flow(
        'second factor',
        false,
        step('conditional-user-configured', 'REQUIRED', 10),
        step('auth-otp-form', 'ALTERNATIVE', 20),
        step('auth-recovery-authn-code-form', 'ALTERNATIVE', 30),
      ),
    ],
  });
  const body = { providerId: action, name: 'Recovery Authentication Codes' };
  const answer = await admin.send('POST', '/admin/realms/shop/authentication/register-required-action', body);
  expect(answer.status).toBe(204);
});

const begin = async (username: string, more: Record<string, string> = {}, agent: Agent = agentOf(server)) => {
  const page = await agent.get(authorizationUrl('shop', { ...app, ...more }));
  return { agent, page: await agent.submit(page, { username, password: `pw-${username}` }) };
};
const newCodes = ({ text }: Page) =>
  [...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code = '']) => code.replaceAll('-', ''));
const credentialsOf = async (username: string): Promise<Record<string, string>[]> => {
  const [user] = (await admin.send('GET', `/admin/realms/shop/users?username=${username}`)).body;
  return (await admin.send('GET', `/admin/realms/shop/users/${user.id}/credentials`)).body;
};

describe('recovery codes', () => {
  it('are set up as a client asks, confirmed, and used in their order', async () => {
    const first = await begin('bob', { kc_action: action });
    const codes = newCodes(first.page);
    expect(codes).toHaveLength(12);
    const unconfirmed = await first.agent.submit(first.page, {});
    expect(noticeOf(unconfirmed)).toBe('Please keep the codes, and confirm it.');
    expect(newCodes(unconfirmed)).toEqual(codes);
    expect(answerOf(await first.agent.submit(unconfirmed, { saved: 'on' }))).toMatchObject({
      kc_action_status: 'success',
    });
    expect(JSON.stringify(await credentialsOf('bob'))).not.toContain('encodedHashedValue');

    const { agent, page } = await begin('bob');
    expect(page.text).toContain('Recovery code no. 1');
    expect(page.text).not.toContain('Try another way');
    const wrong = await agent.submit(page, { recoveryCodeInput: codes[1] ?? '' });
    expect(noticeOf(wrong)).toBe('Invalid recovery code.');
    const typed = (codes[0] ?? '').toLowerCase().replace(/(.{4})/g, '$1 ');
    expect(answerOf(await agent.submit(wrong, { recoveryCodeInput: typed }))).toHaveProperty('code');
    const again = await begin('bob');
    expect(again.page.text).toContain('Recovery code no. 2');
    expect(noticeOf(await again.agent.submit(again.page, { recoveryCodeInput: codes[0] ?? '' }))).toBe(
      'Invalid recovery code.',
    );
  });

  it('of a database of Keycloak 26 are taken in place of a device, and new ones are set up after the last', async () => {
    const { agent, page } = await begin('ann');
    expect(page.text).toContain('name="otp"');
    const codePage = await agent.submit(page, { other: 'true' });
    expect(codePage.text).toContain('Recovery code no. 11');
    // and back again
    const device = await agent.submit(codePage, { other: 'true' });
    expect(device.text).toContain('name="otp"');
    const back = await agent.submit(device, { other: 'true' });
    expect(answerOf(await agent.submit(back, { recoveryCodeInput: given[0] ?? '' }))).toHaveProperty('code');

    const second = await begin('ann');
    const last = await second.agent.submit(second.page, { other: 'true' });
    const setUp = await second.agent.submit(last, { recoveryCodeInput: given[1] ?? '' });
    expect(newCodes(setUp)).toHaveLength(12);
    expect((await credentialsOf('ann')).map(({ type }) => type)).toEqual(['password', 'otp']);
    expect(answerOf(await second.agent.submit(setUp, { saved: 'on' }))).toHaveProperty('code');
    expect((await credentialsOf('ann')).map(({ type }) => type)).toEqual(['password', 'otp', 'recovery-authn-codes']);
  });

  it('are used by one of two logins with the same code', async () => {
    const { agent, page } = await begin('dora', { kc_action: action });
    const [code = ''] = newCodes(page);
    await agent.submit(page, { saved: 'on' });
    const logins = [await begin('dora'), await begin('dora')];
    const ends = await Promise.all(logins.map((one) => one.agent.submit(one.page, { recoveryCodeInput: code })));
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 302]);
  });

  it('are no other way for those who have none', async () => {
    const { agent, page } = await begin('carl');
    expect(page.text).not.toContain('Try another way');
    const code = codeOf(Math.floor(slowClock() / 30_000));
    expect((await agent.submit(page, { other: 'true' })).text).toContain('name="otp"');
    const once = await begin('carl');
    expect(answerOf(await once.agent.submit(once.page, { otp: code }))).toHaveProperty('code');
  });
});
