// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, answerOf, linkOf, noticeOf, token } from '../login/agent.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import {
  app,
  arrive,
  corporate,
  eventsOf,
  logInWith,
  loginAtProvider,
  openWorld,
  person,
  shopUser,
  type World,
} from './world.js';

let world: World;
let mailbox: Mailbox;

beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openWorld({
    people: [
      person('nina'),
      person('bare', { lastName: '' }),
      person('ann', { email: 'ann@example.org' }),
      person('bob', { email: 'bob@example.org' }),
      person('carl', { email: 'carl@example.org' }),
      person('mallory', { email: 'dora@example.org', username: 'mallory' }),
    ],
    shop: { smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' } },
    providers: (server) => [
      { alias: 'corp', providerId: 'keycloak-oidc', displayName: 'Corporate login', config: corporate(server) },
      { alias: 'links', providerId: 'oidc', linkOnly: true, config: corporate(server) },
      { alias: 'hidden', providerId: 'oidc', config: corporate(server, { hideOnLoginPage: 'true' }) },
      { alias: 'off', providerId: 'oidc', enabled: false, config: corporate(server) },
    ],
  });
});

const identities = async (username: string) => {
  const { id } = await shopUser(world, username);
  return (await world.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`)).body;
};

describe('a user who logs in with an identity provider for the first time', () => {
  it('gets an account that is linked, and comes back to it the next time', async () => {
    const { page } = await logInWith(world, { username: 'nina' });
    const { code } = answerOf(page);
    const { body } = await token(world.server, 'shop', { grant_type: 'authorization_code', ...app, code: code ?? '' });
    expect(body.access_token).toBeTruthy();
    const user = await shopUser(world, 'nina');
    expect(user).toMatchObject({ email: 'nina@corp.example', firstName: 'nina', lastName: 'Corporate', enabled: true });
    // the realm does not trust the provider's addresses
    expect(user.emailVerified).toBe(false);
    expect(await identities('nina')).toMatchObject([{ identityProvider: 'corp', userName: 'nina' }]);
    const again = await logInWith(world, { username: 'nina' });
    expect(answerOf(again.page)).toHaveProperty('code');
    expect((await shopUser(world, 'nina')).id).toBe(user.id);
    const details = { identity_provider: 'corp', identity_provider_identity: 'nina' };
    expect(await eventsOf(world, 'LOGIN')).toMatchObject([
      { userId: user.id, details },
      { userId: user.id, details },
    ]);
    expect(await eventsOf(world, 'REGISTER')).toMatchObject([{ details: { register_method: 'broker', ...details } }]);
  });

  it('completes the profile if the provider does not have all of it', async () => {
    const { agent, page } = await logInWith(world, { username: 'bare' });
    expect(page.text).toContain('name="lastName"');
    const wrong = await agent.submit(page, {
      username: 'bare',
      email: 'bare@corp.example',
      firstName: 'Bare',
      lastName: '',
    });
    expect(noticeOf(wrong)).toBe('Please enter your last name.');
    const done = await agent.submit(wrong, {
      username: 'bare',
      email: 'bare@corp.example',
      firstName: 'Bare',
      lastName: 'Foot',
    });
    expect(answerOf(done)).toHaveProperty('code');
    expect(await shopUser(world, 'bare')).toMatchObject({ firstName: 'Bare', lastName: 'Foot' });
  });
});

describe('an existing account with the same address', () => {
  const toLink = async (username: string) => {
    const { agent, page } = await logInWith(world, { username });
    expect(page.text).toContain('This account exists already');
    const before = mailbox.mails.length;
    const waiting = await agent.submit(page, { linkAccount: 'true' });
    await expect.poll(() => mailbox.mails.length).toBeGreaterThan(before);
    return { agent, waiting };
  };

  it('is linked by the link of a mail, in the same browser only', async () => {
    const { agent, waiting } = await toLink('ann');
    expect(waiting.text).toContain('Open its link in this browser');
    const link = mailbox.link();
    const elsewhere = await agentOf(world.server).get(link);
    expect([elsewhere.status, noticeOf(elsewhere)]).toEqual([
      400,
      'Open this link in the browser in which you are signing in.',
    ]);
    const opened = await agent.get(link);
    expect(await identities('ann')).toEqual([]);
    const done = await agent.submit(opened, {});
    expect(answerOf(done)).toHaveProperty('code');
    expect(await identities('ann')).toMatchObject([{ identityProvider: 'corp', userName: 'ann' }]);
    expect((await agent.get(link)).status).toBe(400);
  });

  it('is linked by its password, and by no other', async () => {
    const { agent, waiting } = await toLink('bob');
    const asked = await agent.submit(waiting, { other: 'true' });
    expect(noticeOf(asked)).toContain('Enter the password of bob');
    const wrong = await agent.submit(asked, { password: 'pw-carl', username: 'carl' });
    expect(noticeOf(wrong)).toBe('Invalid password.');
    expect(await identities('bob')).toEqual([]);
    const done = await agent.submit(wrong, { password: 'pw-bob', username: 'carl' });
    expect(answerOf(done)).toHaveProperty('code');
    expect(await identities('bob')).toMatchObject([{ userName: 'bob' }]);
    expect(await identities('carl')).toEqual([]);
  });

  it('is linked to the account that the mail names, and to no other', async () => {
    const { agent, waiting } = await toLink('carl');
    const link = mailbox.link();
    const login = await agent.get(linkOf(waiting, '/restart'));
    const to = await agent.get(linkOf(login, '/broker/corp/login').replace('/corp/', '/hidden/'));
    const back = await arrive(agent, await loginAtProvider(world, { alias: 'hidden', username: 'carl' }, to));
    const before = mailbox.mails.length;
    await agent.submit(back, { linkAccount: 'true' });
    await expect.poll(() => mailbox.mails.length).toBeGreaterThan(before);
    expect((await agent.get(link)).status).toBe(400);
    const done = await agent.submit(await agent.get(mailbox.link()), {});
    expect(answerOf(done)).toHaveProperty('code');
    expect(await identities('carl')).toMatchObject([{ identityProvider: 'hidden' }]);
  });

  it('is not touched by somebody who has its address elsewhere', async () => {
    const { agent, page } = await logInWith(world, { username: 'mallory' });
    const review = await agent.submit(page, { updateProfile: 'true' });
    const done = await agent.submit(review, {
      username: 'mallory',
      email: 'mallory@corp.example',
      firstName: 'M',
      lastName: 'Allory',
    });
    expect(answerOf(done)).toHaveProperty('code');
    expect(await identities('dora')).toEqual([]);
    expect(await shopUser(world, 'mallory')).toMatchObject({ email: 'mallory@corp.example', emailVerified: false });
  });
});

describe('the login page', () => {
  it('offers providers that users can log in with', async () => {
    const agent = agentOf(world.server);
    const page = await agent.get(
      `/auth/realms/shop/protocol/openid-connect/auth?${new URLSearchParams({ ...app, response_type: 'code' })}`,
    );
    expect(page.text).toContain('Corporate login');
    expect([...page.text.matchAll(/\/broker\/(\w+)\/login/g)].map(([, alias]) => alias)).toEqual(['corp']);
    for (const alias of ['links', 'off', 'none']) {
      const refused = await agent.get(linkOf(page, '/broker/corp/login').replace('/corp/', `/${alias}/`));
      expect([alias, refused.status]).toEqual([alias, 400]);
    }
  });
});
