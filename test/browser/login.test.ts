import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { importShop, loopback } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// names a folder that gets a picture of each page
const pictures = process.env.LOGIN_PICTURES;

/** The code of a device at a time in seconds (RFC 6238), from the key as the page shows it. */
function codeOf(key: string, at = Date.now() / 1000): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...key.replace(/\s/g, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30)));
  const mac = createHmac('sha1', bytes).update(counter).digest();
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe.skipIf(!hasBrowser)('a login in a browser', () => {
  let server: TestServer;
  let admin: Caller;
  let browser: Browser;
  let callback: string;
  const app = createServer((_, response) => response.end('the client'));

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    await importShop(admin);
    await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
    callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    browser = await startBrowser();
  });
  afterAll(async () => {
    app.close();
    await browser?.close();
  });

  /** A fresh browser without scripts. */
  const open = async (): Promise<Page> => (await browser.newContext({ javaScriptEnabled: false })).newPage();

  async function picture(page: Page, name: string): Promise<void> {
    // no page is wider than a phone, or without a heading
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.locator('h1').count()).toBe(1);
    const box = await page.locator('main').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-phone.png`, fullPage: true });
    await page.setViewportSize({ width: 1280, height: 800 });
    if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
  }

  const discover = (clientId: string, secret?: string) =>
    client.discovery(new URL(`${server.url}/auth/realms/shop`), clientId, secret, undefined, {
      execute: [client.allowInsecureRequests],
    });
  const codePage = async (page: Page, config: client.Configuration, more: Record<string, string> = {}) => {
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...more,
    });
    await page.goto(url.href);
    return { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  };
  const signIn = async (page: Page, username: string, password = `pw-${username}`) => {
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const setActions = async (username: string, requiredActions: string[]) => {
    const [user] = (await admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body;
    const { status } = await admin.send('PUT', `/admin/realms/shop/users/${user.id}`, { requiredActions });
    expect(status).toBe(204);
  };

  it('works with openid-client from discovery to logout', async () => {
    const backend = { clientId: 'backend', secret: 'top-secret', redirectUris: [loopback], publicClient: false };
    expect((await admin.send('POST', '/admin/realms/shop/clients', backend)).status).toBe(201);
    const config = await discover('backend', 'top-secret');
    const page = await open();
    const checks = await codePage(page, config);
    await picture(page, 'login');
    await signIn(page, 'ann', 'wrong');
    await picture(page, 'login-error');
    expect(await page.getByRole('alert').textContent()).toBe('Invalid username or password.');
    await signIn(page, 'ann');
    await page.waitForURL(/\/callback\?.*code=/);
    const tokens = await client.authorizationCodeGrant(config, new URL(page.url()), checks);
    const claims = tokens.claims();
    expect(claims?.email).toBe('ann@example.org');
    const info = await client.fetchUserInfo(config, tokens.access_token, claims?.sub as string);
    expect(info.preferred_username ?? info.email).toBeTruthy();
    expect((await client.tokenIntrospection(config, tokens.access_token)).active).toBe(true);
    const fresh = await client.refreshTokenGrant(config, tokens.refresh_token as string);
    expect(fresh.access_token).not.toBe(tokens.access_token);
    const end = client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: callback,
      id_token_hint: fresh.id_token as string,
      state: 'bye',
    });
    await page.goto(end.href);
    expect(page.url()).toBe(`${callback}?state=bye`);
    expect((await client.tokenIntrospection(config, fresh.access_token)).active).toBe(false);
    await expect(client.refreshTokenGrant(config, fresh.refresh_token as string)).rejects.toThrow();
  });

  it('enrols a device, and asks for its code from then on', async () => {
    await setActions('carl', ['CONFIGURE_TOTP']);
    const config = await discover('app');
    const first = await open();
    await codePage(first, config);
    await signIn(first, 'carl');
    await picture(first, 'configure-totp');
    const key = (await first.locator('#totp-key').textContent()) ?? '';
    expect(await first.locator('.qr svg').count()).toBe(1);
    await first.getByLabel('One-time code').fill('000000');
    await first.getByRole('button', { name: 'Submit' }).click();
    expect(await first.getByRole('alert').textContent()).toBe('Invalid one-time code.');
    expect(await first.locator('#totp-key').textContent()).toBe(key);
    await first.getByLabel('One-time code').fill(codeOf(key));
    await first.getByRole('button', { name: 'Submit' }).click();
    await first.waitForURL(/\/callback\?.*code=/);

    const second = await open();
    await codePage(second, config);
    await signIn(second, 'carl');
    await picture(second, 'otp');
    await second.getByLabel('One-time code').fill('000000');
    await second.getByRole('button', { name: 'Sign in' }).click();
    expect(await second.getByRole('alert').textContent()).toBe('Invalid one-time code.');
    await second.getByLabel('One-time code').fill(codeOf(key));
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.waitForURL(/\/callback\?.*code=/);
  });

  it('has users do what is required of them', async () => {
    await admin.send('PUT', '/admin/realms/shop/authentication/required-actions/terms_and_conditions', {
      alias: 'terms_and_conditions',
      name: 'Terms',
      providerId: 'terms_and_conditions',
      enabled: true,
      priority: 20,
    });
    await admin.send('PUT', '/admin/realms/shop', { passwordPolicy: 'length(8)' });
    await setActions('todo', ['UPDATE_PASSWORD', 'UPDATE_PROFILE', 'terms_and_conditions']);
    const page = await open();
    await codePage(page, await discover('app'));
    await signIn(page, 'todo');
    await picture(page, 'terms');
    await page.getByRole('button', { name: 'Accept' }).click();
    await picture(page, 'update-password');
    const newPassword = async (one: string, other: string) => {
      await page.getByLabel('New password').fill(one);
      await page.getByLabel('Confirm password').fill(other);
      await page.getByRole('button', { name: 'Submit' }).click();
    };
    await newPassword('short', 'short');
    expect(await page.getByRole('alert').textContent()).toBe('Invalid password: minimum length 8.');
    await newPassword('long enough', 'something else');
    expect(await page.getByRole('alert').textContent()).toBe('The passwords do not match.');
    await newPassword('long enough', 'long enough');
    await picture(page, 'update-profile');
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByRole('button', { name: 'Submit' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The username or email address is taken.');
    await page.getByLabel('Email').fill('todo2@example.org');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/\/callback\?.*code=/);
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=todo&exact=true')).body;
    expect(user).toMatchObject({ email: 'todo2@example.org', requiredActions: [] });
    const again = await open();
    await codePage(again, await discover('app'));
    await signIn(again, 'todo', 'long enough');
    await again.waitForURL(/\/callback\?.*code=/);
  });

  it('tells that an e-mail would be needed', async () => {
    await setActions('dora', ['VERIFY_EMAIL']);
    const page = await open();
    await codePage(page, await discover('app'));
    await signIn(page, 'dora');
    await picture(page, 'verify-email');
    expect(await page.locator('main').textContent()).toContain('dora@example.org');
  });

  it('asks for consent once, and takes a no for an answer', async () => {
    const config = await discover('asking');
    const page = await open();
    await codePage(page, config);
    await signIn(page, 'ann');
    await picture(page, 'consent');
    await page.getByRole('button', { name: 'No' }).click();
    await page.waitForURL(/\/callback\?/);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    const other = await open();
    const checks = await codePage(other, config);
    await signIn(other, 'ann');
    await other.getByRole('button', { name: 'Yes' }).click();
    await other.waitForURL(/\/callback\?.*code=/);
    await client.authorizationCodeGrant(config, new URL(other.url()), checks);
    const [user] = (await admin.send('GET', '/admin/realms/shop/users?username=ann&exact=true')).body;
    const { body } = await admin.send('GET', `/admin/realms/shop/users/${user.id}/consents`);
    expect(body[0]).toMatchObject({
      clientId: 'asking',
      grantedClientScopes: expect.arrayContaining(['email', 'profile']),
    });
    await codePage(other, config);
    await other.waitForURL(/\/callback\?.*code=/);
  });

  it('logs out after asking, and shows errors on a page', async () => {
    const page = await open();
    await codePage(page, await discover('app'));
    await signIn(page, 'bob');
    const logout = `${server.url}/auth/realms/shop/protocol/openid-connect/logout`;
    await page.goto(logout);
    await picture(page, 'logout-confirm');
    await page.getByRole('button', { name: 'Log out' }).click();
    await picture(page, 'logged-out');
    await codePage(page, await discover('app'), { prompt: 'none' });
    expect(new URL(page.url()).searchParams.get('error')).toBe('login_required');
    await page.goto(`${logout}?redirect_uri=http://evil.example/`);
    await picture(page, 'error');
    expect(await page.getByRole('alert').textContent()).toBe('Invalid redirect URI.');
  });
});
