import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { violations } from '../console/visitor.js';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import type { Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { albumOfAlice, codeOf, idOf, shopRealm, userOfShop, withShop } from './world.js';

// names a folder that gets a picture of each page
const pictures = process.env.ACCOUNT_PICTURES;

/** The secret in the key that a page shows (RFC 4648 section 6). */
function secretOf(key: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

describe.skipIf(!hasBrowser)('the account pages', () => {
  let server: TestServer;
  let admin: Caller;
  let mailbox: Mailbox;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer();
    mailbox = await openMailbox();
    admin = await withShop(server, {
      displayName: 'Shop & Co',
      verifyEmail: true,
      userManagedAccessAllowed: true,
      smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
      users: shopRealm.users.map((user: object) => ({ ...user, emailVerified: true })),
    });
    const action = '/admin/realms/shop/authentication/required-actions/delete_account';
    const { body } = await admin.send('GET', action);
    expect((await admin.send('PUT', action, { ...body, enabled: true })).status).toBe(204);
    await albumOfAlice(server);
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const follow = (page: Page, name: string) => page.getByRole('link', { name }).first().click();
  const told = (page: Page) => page.locator('.notice').first().textContent();

  /** A fresh browser without scripts, at the account of a user. */
  async function open(username: string, password = `pw-${username}`, locale = 'en'): Promise<Page> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      locale,
      viewport: { width: 1200, height: 850 },
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/auth/realms/shop/account`);
    await page.locator('a.button').click();
    await signIn(page, username, password);
    return page;
  }
  async function signIn(page: Page, username: string, password: string): Promise<void> {
    const name = page.locator('#username');
    if (await name.isEditable()) await name.fill(username);
    await page.locator('#password').fill(password);
    await page.locator('main button[type=submit]').first().click();
  }

  /** Every page has one heading, fits on a phone, and breaks no rule of axe in light and dark. */
  async function look(page: Page, name: string): Promise<void> {
    expect(await page.locator('h1').count()).toBe(1);
    const viewer = await (await browser.newContext()).newPage();
    await viewer.setContent(await page.content());
    for (const colorScheme of ['light', 'dark'] as const) {
      await viewer.emulateMedia({ colorScheme });
      expect({ name, colorScheme, rules: (await violations(viewer, {})).map(({ id }) => id) }).toEqual({
        name,
        colorScheme,
        rules: [],
      });
      for (const width of [390, 1200]) {
        await viewer.setViewportSize({ width, height: 850 });
        const box = await viewer.locator('main').boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        if (pictures && (colorScheme === 'light' || width > 400))
          await viewer.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
    await viewer.context().close();
  }

  it('show and change who the user is', async () => {
    const page = await open('alice');
    await page.getByRole('heading', { name: 'Personal information' }).waitFor();
    // what the login left is gone from the address
    expect(page.url()).toBe(`${server.url}/auth/realms/shop/account/`);
    expect(await page.content()).not.toContain('Sales');
    await look(page, 'profile');
    await page.getByLabel('First name').fill('Alicia');
    await press(page, 'Save');
    expect(await told(page)).toBe('Your changes were saved.');
    expect(await page.getByLabel('First name').inputValue()).toBe('Alicia');
    await page.getByLabel('Email').fill('bob@example.com');
    await press(page, 'Save');
    expect(await told(page)).toMatch(/taken/);
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await look(page, 'profile-refused');
    // attributes are not shown, and stay
    const id = await idOf(admin, 'alice');
    expect((await admin.send('GET', `/admin/realms/shop/users/${id}`)).body.attributes).toEqual({
      department: ['Sales'],
    });
    await page.context().close();
  });

  it('have a new address confirmed by mail', async () => {
    const page = await open('bob');
    await page.getByLabel('Email').fill('robert@example.com');
    const before = mailbox.mails.length;
    await press(page, 'Save');
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor();
    await expect.poll(() => mailbox.mails.length).toBe(before + 1);
    expect(mailbox.mails.at(-1)?.recipients).toEqual(['robert@example.com']);
    await page.goto(mailbox.link());
    await press(page, 'Continue');
    await page.goto(`${server.url}/auth/realms/shop/account/`);
    await page.getByText('Confirmed', { exact: true }).waitFor();
    await expect.poll(() => mailbox.notices.map(({ recipients }) => recipients[0])).toContain('bob@example.com');
    await page.context().close();
  });

  it('add, name, and remove a device, and change the password', async () => {
    const page = await open('alice');
    await follow(page, 'Signing in');
    await look(page, 'security');
    await follow(page, 'Add: Authenticator app');
    const key = ((await page.locator('#totp-key').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('One-time code').fill(codeOf(secretOf(key)));
    await page.getByLabel(/Name of the device/).fill('Phone');
    await press(page, 'Submit');
    expect(await told(page)).toBe('Your changes were saved.');
    await page.getByLabel('Name of Phone').fill('My <b>phone</b>');
    await press(page, 'Save: Phone');
    await page.locator('strong', { hasText: 'My <b>phone</b>' }).waitFor();
    await look(page, 'security-device');
    await press(page, 'Remove: My <b>phone</b>');
    // the session has not shown the device yet, and a code counts once
    await page.locator('#password').fill('pw-alice');
    await press(page, 'Sign in');
    await expect
      .poll(
        async () => {
          if (!(await page.locator('#otp').isVisible())) return page.locator('h1').textContent();
          await page.locator('#otp').fill(codeOf(secretOf(key)));
          await press(page, 'Sign in');
          return page.locator('h1').textContent();
        },
        { timeout: 60_000, interval: 2000 },
      )
      .toBe('Signing in');
    expect(await told(page)).toMatch(/You have proved who you are/);
    await press(page, 'Remove: My <b>phone</b>');
    expect(await told(page)).toBe('It was removed.');
    await follow(page, 'Change: Password');
    await page.getByLabel('New password').fill('pw-alice-2');
    await page.getByLabel('Confirm password').fill('pw-alice-2');
    await press(page, 'Submit');
    expect(await told(page)).toBe('Your changes were saved.');
    expect(page.url()).toContain('/account/security');
    await page.context().close();
  });

  it('end sessions of other devices', async () => {
    const page = await open('dave');
    const other = await open('dave', 'pw-dave', 'de');
    await other.getByRole('heading', { name: 'Persönliche Angaben' }).waitFor();
    await follow(page, 'Devices and sessions');
    await page.getByText('You may not').waitFor({ state: 'detached' });
    // who only sees the profile ends nothing
    expect(await page.getByRole('button', { name: /Sign out/ }).count()).toBe(0);
    const mine = await open('alice', 'pw-alice-2');
    const second = await open('alice', 'pw-alice-2');
    await follow(mine, 'Devices and sessions');
    await look(mine, 'sessions');
    expect(await mine.getByText('This session').count()).toBe(1);
    await press(mine, 'Sign out all other sessions');
    expect(await told(mine)).toBe('The sessions were ended.');
    await second.reload();
    await second.getByText('You are not signed in.').waitFor();
    for (const one of [page, other, mine, second]) await one.context().close();
  });

  it('show linked accounts, and remove a link', async () => {
    const page = await open('alice', 'pw-alice-2');
    await follow(page, 'Linked accounts');
    await page.getByText('Linked as alice.partner').waitFor();
    await look(page, 'links');
    await press(page, 'Remove the link: Partner');
    expect(await told(page)).toBe('It was removed.');
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().startsWith('https://partner.example/auth')),
      press(page, 'Link: Partner').catch(() => undefined),
    ]);
    expect(new URL(request.url()).searchParams.get('redirect_uri')).toContain('/broker/partner/endpoint');
    await page.context().close();
  });

  it('show applications, and take consents back', async () => {
    const alice = await userOfShop(server, 'bob');
    const scopes = (await admin.send('GET', '/admin/realms/shop/client-scopes')).body;
    const email = scopes.find(({ name }: { name: string }) => name === 'email');
    const consent = { grantedScopes: [{ id: email.id, name: 'email' }] };
    expect((await alice.send('POST', '/realms/shop/account/applications/asking/consent', consent)).status).toBe(200);
    const page = await open('bob');
    await follow(page, 'Applications');
    await page.getByText('May use: Email address').waitFor();
    await look(page, 'applications');
    await press(page, 'Remove access: Asking');
    expect(await told(page)).toBe('It was removed.');
    expect(await page.getByText('May use:').count()).toBe(0);
    await page.context().close();
  });

  it('share resources', async () => {
    const page = await open('alice', 'pw-alice-2');
    await follow(page, 'Resources');
    await page.locator('summary').click();
    await page.getByLabel('Username or email of the other person').fill('nobody');
    await page.getByLabel('view').check();
    await press(page, 'Share: Album');
    expect(await told(page)).toMatch(/no user with this name/);
    await page.locator('summary').click();
    await page.getByLabel('Username or email of the other person').fill('bob');
    await page.getByLabel('view').check();
    await press(page, 'Share: Album');
    await page.getByText('Bob Baker may use: view').waitFor();
    await look(page, 'resources');
    const other = await open('bob');
    await follow(other, 'Resources');
    await other.getByText('Album').waitFor();
    await press(page, 'Stop sharing: Album, Bob Baker');
    await other.reload();
    await other.getByText('Nobody shares anything with you.').waitFor();
    for (const one of [page, other]) await one.context().close();
  });

  it('show what happened, in the language of the reader', async () => {
    const page = await open('alice', 'pw-alice-2', 'de');
    await follow(page, 'Aktivität');
    await page.getByText('Passwort geändert').first().waitFor();
    await look(page, 'activity-de');
    await follow(page, 'Persönliche Angaben');
    await look(page, 'profile-de');
    await follow(page, 'English');
    await page.getByRole('heading', { name: 'Personal information' }).waitFor();
    await press(page, 'Log out');
    await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
    await page.context().close();
  });

  it('delete the account', async () => {
    const page = await open('alice', 'pw-alice-2');
    await follow(page, 'Delete: Your account');
    await page.getByText('The account alice will be deleted').waitFor();
    await look(page, 'delete');
    await press(page, 'Cancel');
    expect(await told(page)).toBe('Nothing was changed.');
    await follow(page, 'Delete: Your account');
    await press(page, 'Delete my account');
    await page.getByText('Your account was deleted.').waitFor();
    await page.goto(`${server.url}/auth/realms/shop/account/`);
    await page.getByText('You are not signed in.').waitFor();
    expect((await admin.send('GET', '/admin/realms/shop/users?username=alice&exact=true')).body).toEqual([]);
    const bob = await open('bob');
    // without the role there is no way there
    expect(await bob.getByRole('link', { name: 'Delete: Your account' }).count()).toBe(0);
    for (const one of [page, bob]) await one.context().close();
  });
});
