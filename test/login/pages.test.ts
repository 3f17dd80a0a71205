import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { authorizationUrl } from './agent.js';
import { importShop, shop } from './realm.js';

// names a folder that gets a picture of each page
const pictures = process.env.LOGIN_PICTURES;
const oob = 'urn:ietf:wg:oauth:2.0:oob';

describe.skipIf(!hasBrowser)('the pages besides the login', () => {
  let server: TestServer;
  let admin: Caller;
  let mailbox: Mailbox;
  let browser: Browser;

  beforeAll(async () => {
    mailbox = await openMailbox();
    server = await startServer();
    admin = await administrator(server);
    await importShop(admin, {
      resetPasswordAllowed: true,
      registrationAllowed: true,
      smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
      clients: [
        ...shop.clients,
        { clientId: 'copy', publicClient: true, redirectUris: [oob], baseUrl: 'http://x.example/' },
      ],
    });
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** A fresh browser without scripts. */
  const open = async (locale = 'en'): Promise<Page> =>
    (await browser.newContext({ javaScriptEnabled: false, locale })).newPage();
  const login = async (page: Page, more: Record<string, string> = {}) =>
    page.goto(server.url + authorizationUrl('shop', { client_id: 'copy', redirect_uri: oob, ...more }));
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

  /** Every page has one heading, a name for each field, and fits on a phone. */
  async function look(page: Page, name: string): Promise<void> {
    expect(await page.locator('h1').count()).toBe(1);
    for (const field of await page.locator('input:visible').all()) {
      expect(
        await page.locator(`label[for="${await field.getAttribute('id')}"], label:has(input)`).count(),
      ).toBeGreaterThan(0);
    }
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await page.locator('main').boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}.png`, fullPage: true });
    }
  }

  async function nextLink(before: number): Promise<string> {
    const deadline = Date.now() + 10_000;
    while (mailbox.mails.length === before && Date.now() < deadline) await new Promise((done) => setTimeout(done, 10));
    return mailbox.link();
  }

  it('tell who is signed in at the address of the account, and lead in and out', async () => {
    const page = await open();
    await page.goto(`${server.url}/auth/realms/shop/account`);
    await page.getByText('You are not signed in.').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Username or email').fill('ann');
    await page.getByLabel('Password').fill('pw-ann');
    await press(page, 'Sign in');
    await page.getByText('You are signed in as ann.').waitFor();
    await look(page, 'account');
    await press(page, 'Log out');
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    await page.goto(`${server.url}/auth/realms/shop/account/`);
    await page.getByText('You are not signed in.').waitFor();
    for (const method of ['GET', 'POST'])
      expect((await fetch(`${server.url}/auth/realms/shop/account`, { method })).status).toBe(401);
  });

  it('lead to the login also where client policies demand a nonce and a code challenge', async () => {
    const { clientProfiles, clientPolicies } = JSON.parse(readFileSync('examples/acme-realm.json', 'utf8'));
    await importShop(admin, { realm: 'policed', users: [], clientProfiles, clientPolicies });
    const page = await open();
    await page.goto(`${server.url}/auth/realms/policed/account`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Username or email').waitFor();
    await page.goto(`${server.url}/auth/realms/policed/account/?error=invalid_request`);
    await page.getByText('You could not be signed in.').waitFor();
    expect(page.url()).toContain('/auth/realms/policed/account');
  });

  it('have a way back and a reference number when they tell an error', async () => {
    const page = await open();
    await login(page, { redirect_uri: 'https://elsewhere.example/' });
    const shown = await page.getByText('Reference: ').textContent();
    expect(shown).toMatch(/^Reference: [\w-]{36}$/);
    await look(page, 'error');
    await page.getByRole('link', { name: 'To your account' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.goto(`${server.url}/auth/realms/nowhere/account`);
    await page.getByText('Reference: ').waitFor();
    await page.getByRole('link', { name: 'To the start page' }).click();
    expect(page.url()).toBe(`${server.url}/`);
  });

  it('lead from a forgotten password to a new one', async () => {
    const page = await open();
    await login(page);
    await look(page, 'login-ways');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await look(page, 'reset-password');
    const before = mailbox.mails.length;
    await page.getByLabel('Username or email').fill('ann');
    await press(page, 'Submit');
    await look(page, 'email-sent');
    expect(await page.getByRole('status').textContent()).toMatch(/has been sent/);
    await page.goto(await nextLink(before));
    await look(page, 'confirm-reset');
    await press(page, 'Continue');
    await look(page, 'new-password');
    await page.getByLabel('New password').fill('pw-ann');
    await page.getByLabel('Confirm password').fill('pw-ann');
    await press(page, 'Submit');
    expect(await page.locator('#code').textContent()).toMatch(/^[\w-]{43}$/);
    await look(page, 'out-of-band');
    await page.goto(mailbox.link());
    await look(page, 'link-used');
    expect(await page.getByRole('alert').textContent()).toMatch(/no longer valid/);
  });

  it('sign up', async () => {
    const page = await open();
    await login(page);
    await page.getByRole('link', { name: 'Register' }).click();
    await look(page, 'register');
    await page.getByLabel('First name').fill('Newt');
    await page.getByLabel('Last name').fill('Comer');
    await page.getByLabel('Email').fill('newt@example.org');
    await page.getByLabel('Username').fill('ann');
    await page.getByLabel('Password', { exact: true }).fill('pw-newt');
    await page.getByLabel('Confirm password').fill('pw-newt');
    await press(page, 'Register');
    await look(page, 'register-error');
    expect(await page.getByRole('alert').textContent()).toMatch(/is taken/);
    expect(await page.getByLabel('First name').inputValue()).toBe('Newt');
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in to your account');
  });

  it('confirm an address, in the language of the reader', async () => {
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=dora&exact=true')).body;
    await admin.send('PUT', `/admin/realms/shop/users/${user.id}`, { requiredActions: ['VERIFY_EMAIL'] });
    const before = mailbox.mails.length;
    const page = await open('de');
    await login(page);
    await look(page, 'login-ways-de');
    await page.getByLabel('Benutzername oder E-Mail').fill('dora');
    await page.getByLabel('Passwort', { exact: true }).fill('pw-dora');
    await press(page, 'Anmelden');
    await look(page, 'verify-email-de');
    await nextLink(before);
    await press(page, 'E-Mail erneut senden');
    const other = await open('de');
    await other.goto(await nextLink(before + 1));
    await look(other, 'confirm-email-de');
    await press(other, 'Weiter');
    await look(other, 'email-verified-de');
    await press(page, 'Ich habe sie bestätigt');
    expect(await page.locator('#code').count()).toBe(1);
  });

  it('lead from the link of an administrator to the forms and back', async () => {
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=eve&exact=true')).body;
    const before = mailbox.mails.length;
    const actions = ['UPDATE_PASSWORD', 'UPDATE_PROFILE', 'CONFIGURE_TOTP'];
    const path = `/admin/realms/shop/users/${user.id}/execute-actions-email?client_id=copy`;
    expect((await admin.send('PUT', path, actions)).status).toBe(204);
    const page = await open();
    await page.goto(await nextLink(before));
    await look(page, 'confirm-actions');
    await admin.send('PUT', '/admin/realms/shop', { otpPolicyType: 'hotp' });
    await press(page, 'Continue');
    await look(page, 'configure-hotp');
    await admin.send('PUT', `/admin/realms/shop/users/${user.id}`, { enabled: false });
    await page.getByLabel('One-time code').fill('000000');
    await press(page, 'Submit');
    await look(page, 'account-disabled');
    expect(await page.getByRole('alert').textContent()).toMatch(/is disabled/);
  });

  it('ask for the code of a device', async () => {
    const page = await open();
    await page.goto(`${server.url}/auth/realms/shop/device?user_code=BCDF-GHJK`);
    await look(page, 'device');
    await press(page, 'Submit');
    await look(page, 'device-error');
    expect(await page.getByRole('alert').textContent()).toMatch(/not valid/);
  });

  it('offer to leave out what the client asks for', async () => {
    const page = await open();
    await login(page, { kc_action: 'UPDATE_PASSWORD' });
    await page.getByLabel('Username or email').fill('bob');
    await page.getByLabel('Password').fill('pw-bob');
    await press(page, 'Sign in');
    await look(page, 'asked-password');
    await press(page, 'Cancel');
    expect(await page.locator('#code').count()).toBe(1);
  });
});
