import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import {
  type Agent,
  actionOf,
  agentOf,
  answerOf,
  authorizationUrl,
  linkOf,
  noticeOf,
  type Page,
  token,
} from './agent.js';
import { callback, importShop } from './realm.js';

let server: TestServer;
let admin: Caller;
let mailbox: Mailbox;
let ahead = 0;
const people = ['ann', 'bob', 'carl', 'dora', 'eve', 'fay', 'gus', 'hal', 'ian', 'jo'];

beforeAll(async () => {
  mailbox = await openMailbox();
  server = await startServer({}, () => Date.now() + ahead);
  admin = await administrator(server);
  const step = (authenticator: string, priority: number) => ({ authenticator, requirement: 'REQUIRED', priority });
  await importShop(admin, {
    resetPasswordAllowed: true,
    smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
    users: people.map((username) => ({
      username,
      enabled: true,
      email: `${username}@example.org`,
      firstName: 'x',
      lastName: 'y',
      credentials: [{ type: 'password', value: `pw-${username}` }],
      requiredActions: username === 'eve' ? ['UPDATE_PASSWORD', 'terms_and_conditions'] : [],
    })),
  });
  await importShop(admin, {
    realm: 'two-steps',
    id: 'two-steps',
    browserFlow: 'own',
    authenticationFlows: [
      {
        alias: 'own',
        providerId: 'basic-flow',
        topLevel: true,
        builtIn: false,
        authenticationExecutions: [step('auth-username-password-form', 10), step('auth-otp-form', 20)],
      },
    ],
  });
});

// tokens of administrators last for a minute, and tests move the clock
beforeEach(async () => {
  ahead = 0;
  admin = await administrator(server);
});

const app = { client_id: 'app', redirect_uri: callback };
const passwords = (password: string) => ({ 'password-new': password, 'password-confirm': password });
const userOf = async (username: string) =>
  (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body[0];
const start = (agent: Agent, more: Record<string, string> = {}, realm = 'shop') =>
  agent.get(authorizationUrl(realm, { ...app, ...more }));
async function signedIn(username: string, more: Record<string, string> = {}, realm = 'shop') {
  const agent = agentOf(server);
  const page = await start(agent, more, realm);
  return { agent, done: await agent.submit(page, { username, password: `pw-${username}` }) };
}
const isIn = async (agent: Agent) => answerOf(await start(agent, { prompt: 'none' })).error === undefined;
const canLogIn = async (username: string, password: string) => {
  const agent = agentOf(server);
  return (await agent.submit(await start(agent), { username, password })).location !== null;
};

describe('an action that the client asks for', () => {
  it('is not left out where the user has to perform it', async () => {
    const { agent, done } = await signedIn('eve', { kc_action: 'UPDATE_PASSWORD' });
    expect(done.text).toContain('password-new');
    expect(done.text).not.toContain('cancel-aia');
    const still = await agent.submit(done, { 'cancel-aia': 'true' });
    expect(still.text).toContain('password-new');
    expect((await userOf('eve')).requiredActions).toContain('UPDATE_PASSWORD');
  });

  it('is not left out where the flow demands it', async () => {
    const { agent, done } = await signedIn('ann', { kc_action: 'CONFIGURE_TOTP' }, 'two-steps');
    expect(done.text).toContain('authenticator app');
    const still = await agent.submit(done, { 'cancel-aia': 'true' });
    expect([still.status, still.location]).toEqual([200, null]);
    expect(still.text).toContain('authenticator app');
  });

  it('is not left out where the password is too old', async () => {
    await admin.send('PUT', '/admin/realms/shop', { passwordPolicy: 'forceExpiredPasswordChange(1)' });
    ahead += 2 * 86_400_000;
    const { agent, done } = await signedIn('ian', { kc_action: 'UPDATE_PASSWORD' });
    const still = await agent.submit(done, { 'cancel-aia': 'true' });
    expect([still.status, still.location]).toEqual([200, null]);
    ahead = 0;
    await admin.send('PUT', '/admin/realms/shop', { passwordPolicy: '' });
  });

  it.each(['UPDATE_PASSWORD', 'CONFIGURE_TOTP', 'UPDATE_PROFILE'])('wants a recent login: %s', async (kc_action) => {
    const { agent, done } = await signedIn('jo');
    expect(answerOf(done)).toHaveProperty('code');
    ahead += 200_000;
    expect((await start(agent, { kc_action })).text).not.toContain('name="password"');
    ahead += 110_000;
    expect(answerOf(await start(agent, { kc_action, prompt: 'none' })).error).toBe('login_required');
    const asked = await start(agent, { kc_action });
    expect(asked.text).toContain('name="password"');
    const still = await agent.submit(asked, passwords('stolen'));
    expect(still.text).toContain('name="password"');
    const proved = await agent.submit(still, { username: 'jo', password: 'pw-jo' });
    expect(proved.text).not.toContain('name="password"');
  });
});

describe('the link of a mail', () => {
  const mailed = async (send: () => Promise<unknown>): Promise<string> => {
    const before = mailbox.mails.length;
    await send();
    const deadline = Date.now() + 10_000;
    while (mailbox.mails.length === before && Date.now() < deadline) await new Promise((done) => setTimeout(done, 10));
    return mailbox.link();
  };
  const links: Record<string, (username: string) => Promise<string>> = {
    'reset-credentials': (username) =>
      mailed(async () => {
        const agent = agentOf(server);
        const page = await agent.get(linkOf(await start(agent), 'reset-credentials'));
        await agent.submit(page, { username });
      }),
    'execute-actions': async (username) => {
      const { id } = await userOf(username);
      return mailed(() =>
        admin.send('PUT', `/admin/realms/shop/users/${id}/execute-actions-email`, ['UPDATE_PASSWORD']),
      );
    },
    'verify-email': async (username) => {
      const { id } = await userOf(username);
      return mailed(() => admin.send('PUT', `/admin/realms/shop/users/${id}/send-verify-email`));
    },
  };
  const changes: Record<string, (id: string, username: string) => Promise<unknown>> = {
    'a new password by an administrator': (id) =>
      admin.send('PUT', `/admin/realms/shop/users/${id}/reset-password`, { type: 'password', value: 'changed' }),
    'a new password in an update': (id) =>
      admin.send('PUT', `/admin/realms/shop/users/${id}`, { credentials: [{ type: 'password', value: 'changed' }] }),
    'the end of the password': async (id) => {
      const { body } = await admin.send('GET', `/admin/realms/shop/users/${id}/credentials`);
      await admin.send('DELETE', `/admin/realms/shop/users/${id}/credentials/${body[0].id}`);
    },
    'another address': (id, username) =>
      admin.send('PUT', `/admin/realms/shop/users/${id}`, { email: `${username}-new@example.org` }),
  };
  const again = async (username: string) => {
    const { id } = await userOf(username);
    await admin.send('PUT', `/admin/realms/shop/users/${id}`, { email: `${username}@example.org` });
    const value = `pw-${username}`;
    await admin.send('PUT', `/admin/realms/shop/users/${id}/reset-password`, { type: 'password', value });
  };
  // mails to one address are limited
  let turn = 0;
  const next = () => people[1 + (turn++ % 3)] as string;

  it.each(Object.keys(changes))('dies with %s, opened before or not', async (change) => {
    for (const send of Object.values(links)) {
      const username = next();
      const link = await send(username);
      const agent = agentOf(server);
      const opened = await agent.get(link);
      expect(opened.status).toBe(200);
      await changes[change]?.((await userOf(username)).id, username);
      expect((await agent.submit(opened, {})).status).toBe(400);
      expect((await agentOf(server).get(link)).status).toBe(400);
      await again(username);
    }
  });

  it.each(['reset-credentials', 'execute-actions'])('sets no password after another was set: %s', async (kind) => {
    const link = (await links[kind]?.('fay')) ?? '';
    const agent = agentOf(server);
    const form = await agent.submit(await agent.get(link), {});
    expect(form.text).toContain('password-new');
    const { id } = await userOf('fay');
    await admin.send('PUT', `/admin/realms/shop/users/${id}/reset-password`, { type: 'password', value: 'evicted' });
    expect((await agent.submit(form, passwords('stolen'))).status).toBe(400);
    expect(await canLogIn('fay', 'stolen')).toBe(false);
    expect(await canLogIn('fay', 'evicted')).toBe(true);
  });

  it('goes on after what it has changed itself', async () => {
    const { id } = await userOf('gus');
    const link = await mailed(() =>
      admin.send('PUT', `/admin/realms/shop/users/${id}/execute-actions-email`, ['UPDATE_PROFILE', 'UPDATE_PASSWORD']),
    );
    const agent = agentOf(server);
    let page = await agent.submit(await agent.get(link), {});
    for (let steps = 0; steps < 2; steps += 1) {
      const profile = { email: 'gus-new@example.org', firstName: 'G', lastName: 'U' };
      page = await agent.submit(page, page.text.includes('password-new') ? passwords('pw-new') : profile);
    }
    expect(page.text).toContain('Your account has been updated.');
    expect(await canLogIn('gus', 'pw-new')).toBe(true);
  });
});

describe('a new password', () => {
  it('ends the other sessions where the user wants that', async () => {
    const thief = (await signedIn('hal')).agent;
    const grant = { grant_type: 'authorization_code', ...app };
    const { done } = await signedIn('hal', { scope: 'openid offline_access' });
    const offline = await token(server, 'shop', { ...grant, code: answerOf(done).code ?? '' });
    const { agent } = await signedIn('hal');
    const change = async (more: Record<string, string>) => {
      const page = await start(agent, { kc_action: 'UPDATE_PASSWORD' });
      expect(page.text).toContain('name="logout-sessions"');
      return agent.submit(page, { ...passwords('pw-hal'), ...more });
    };
    await change({});
    expect(await isIn(thief)).toBe(true);
    expect(answerOf(await change({ 'logout-sessions': 'on' }))).toMatchObject({ kc_action_status: 'success' });
    expect(await isIn(thief)).toBe(false);
    expect(await isIn(agent)).toBe(true);
    const refresh_token = offline.body.refresh_token ?? '';
    const refreshed = await token(server, 'shop', { grant_type: 'refresh_token', client_id: 'app', refresh_token });
    expect(refreshed.status).toBe(400);
  });
});

describe('an essential acr', () => {
  const claims = (acr: object, where = 'id_token') => ({ claims: JSON.stringify({ [where]: { acr } }) });

  it.each(['id_token', 'userinfo'])('that cannot be had gets an error and no code: %s', async (where) => {
    for (const wanted of [{ values: ['2', 'gold'] }, { value: '3' }]) {
      const page = await start(agentOf(server), claims({ essential: true, ...wanted }, where));
      expect(answerOf(page)).toMatchObject({ error: 'unmet_authentication_requirements' });
      expect(answerOf(page)).not.toHaveProperty('code');
    }
  });

  it('of a new login is not met by a session', async () => {
    const { agent } = await signedIn('ann');
    const anew = claims({ essential: true, values: ['1'] });
    expect(answerOf(await start(agent, { ...anew, prompt: 'none' })).error).toBe('login_required');
    const page = await start(agent, anew);
    expect(noticeOf(page)).toBeDefined();
    const done = await agent.submit(page, { username: 'ann', password: 'pw-ann' });
    const { body } = await token(server, 'shop', {
      grant_type: 'authorization_code',
      ...app,
      code: answerOf(done).code ?? '',
    });
    const [, payload = ''] = (body.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).acr).toBe('1');
  });

  it('does not matter where it is not essential, or a session is enough', async () => {
    const { agent } = await signedIn('ann');
    for (const acr of [{ values: ['9'] }, { essential: true }, { essential: true, values: ['9', '0'] }])
      expect(answerOf(await start(agent, claims(acr)))).toHaveProperty('code');
  });
});

describe('somebody else who goes on with a login that another user has begun', () => {
  const restart = (agent: Agent, page: Page) => agent.get(actionOf(page).replace('/authenticate?', '/restart?'));

  const secretOn = ({ text }: Page) => (/id="totp-key">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '');

  it('sets up a device with a secret that the other user has not seen', async () => {
    const { agent, done } = await signedIn('ann', {}, 'two-steps');
    const login = await restart(agent, done);
    const page = await agent.submit(login, { username: 'bob', password: 'pw-bob' });
    expect([secretOn(done).length, secretOn(page).length]).toEqual([32, 32]);
    expect(secretOn(page)).not.toBe(secretOn(done));
  });

  it('sets up a device that the flow demands, also if the other user has done it', async () => {
    const { agent, done } = await signedIn('todo', {}, 'two-steps');
    const next = await agent.submit(done, { totp: codeNow(secretOn(done)) });
    expect(next.text).toContain('password-new');
    const login = await restart(agent, next);
    const page = await agent.submit(login, { username: 'bob', password: 'pw-bob' });
    expect(page.location).toBeNull();
    expect(secretOn(page)).toHaveLength(32);
  });
});

/** The present code of a device (RFC 6238) with a secret in Base32. */
function codeNow(secret: string): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
