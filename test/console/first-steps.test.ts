import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { admin as master, type TestServer } from '../support/server.js';
import { signIn, useConsole } from './visitor.js';

// The first steps of a new administrator: the addresses of the console, the sample realm, the palette, and forms with unsaved changes.
const boss = { username: 'boss', password: 'pw' };

describe.skipIf(!hasBrowser)('the console', () => {
  const shop = useConsole(async (admin) => {
    const acme = JSON.parse(readFileSync('examples/acme-realm.json', 'utf8'));
    const user = {
      username: boss.username,
      enabled: true,
      credentials: [{ type: 'password', value: boss.password }],
      clientRoles: { 'realm-management': ['realm-admin'] },
    };
    const made = await admin.send('POST', '/', { ...acme, users: [user] });
    expect([made.status, made.body]).toEqual([201, '']);
    const closed = { realm: 'closed', enabled: true, clients: [{ clientId: 'till', enabled: true }], users: [user] };
    expect((await admin.send('POST', '/', closed)).status).toBe(201);
  });
  const fresh = async (): Promise<Page> => (await shop.browser.newContext({ locale: 'en' })).newPage();

  it('is reached from the welcome page', async () => {
    const page = await fresh();
    await page.goto(`${shop.server.url}/`);
    await page.getByRole('link', { name: 'Console' }).click();
    await signIn(page, master);
    await page.getByRole('heading', { name: 'Overview of master' }).waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/master/master`);
  });

  it.each([
    ['console', master, 'Overview of master', 'master/master'],
    ['console/', master, 'Overview of master', 'master/master'],
    ['console/master', master, 'Overview of master', 'master/master'],
    ['console/master/acme/clients', master, 'Clients', 'master/acme/clients'],
    ['console/acme', boss, 'Overview of acme', 'acme/acme'],
    ['console/acme/', boss, 'Overview of acme', 'acme/acme'],
    ['console/acme/acme/users?search=b', boss, 'Users', 'acme/acme/users?search=b'],
  ])('has the address %s, which is kept over the login', async (address, who, heading, end) => {
    const page = await fresh();
    await page.goto(`${shop.server.url}/${address}`);
    await signIn(page, who);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/${end}`);
    await page.reload();
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/${end}`);
  });

  it('says why a login was refused, and begins another one only when asked', async () => {
    const page = await fresh();
    await refuseLogins(shop.server, page, 'closed');
    let navigations = 0;
    page.on('framenavigated', () => (navigations += 1));
    await page.goto(`${shop.server.url}/console/closed/closed/users`);
    await page.getByRole('heading', { name: 'You could not be signed in to closed' }).waitFor();
    await page.getByText('Missing parameter: nonce').waitFor();
    expect(navigations).toBeLessThan(5);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await signIn(page, boss);
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/closed/closed/users`);
  });

  /** Has the server answer logins of the realm as a client policy does that they do not satisfy. */
  async function refuseLogins(server: TestServer, page: Page, realm: string): Promise<void> {
    await page.route(`${server.url}/auth/realms/${realm}/protocol/openid-connect/auth?*`, (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('error', 'invalid_request');
      back.searchParams.set('error_description', 'Missing parameter: nonce');
      back.searchParams.set('state', asked.get('state') ?? '');
      return route.fulfill({ status: 302, headers: { location: back.href } });
    });
  }

  it('shows nothing that a link of somebody else says about a login', async () => {
    const page = await fresh();
    await page.goto(`${shop.server.url}/console/acme?state=x&error=y&error_description=Call+this+number`);
    await signIn(page, boss);
    await page.getByRole('heading', { name: 'Overview of acme' }).waitFor();
    expect(await page.getByText('Call this number').count()).toBe(0);
  });

  it('opens a found object with Enter, and asks before it changes one', async () => {
    const { page, heading } = await shop.visit('master/closed');
    const search = page.getByRole('textbox', { name: 'Search or command' });
    const isEnabled = async () => (await shop.admin.send('GET', '/closed/users?username=boss')).body[0].enabled;
    await heading('Overview of closed').waitFor();
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.keyboard.type('boss');
    await page.getByRole('option', { name: 'Disable boss' }).waitFor();
    await page.keyboard.press('Enter');
    await heading('boss').waitFor();
    expect(await isEnabled()).toBe(true);
    await page.keyboard.press('Control+k');
    await search.waitFor();
    await page.keyboard.type('boss');
    await page.getByRole('option', { name: 'Disable boss' }).click();
    await page.getByText('boss can no longer be used until it is enabled again.').waitFor();
    expect(await isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Disable boss' }).click();
    await page.getByText('boss is disabled.').waitFor();
    expect(await isEnabled()).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isEnabled).toBe(true);
  });

  it('closes the palette by Escape, wherever the focus is', async () => {
    const { page, heading } = await shop.visit('master/closed');
    const search = page.getByRole('textbox', { name: 'Search or command' });
    await heading('Overview of closed').waitFor();
    for (const steps of [0, 1]) {
      await page.keyboard.press('Control+k');
      await search.waitFor();
      for (let step = 0; step < steps; step += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await search.waitFor({ state: 'detached' });
      expect(await search.count()).toBe(0);
    }
  });

  it('asks before changes are lost, and keeps them in the first tab of a screen', async () => {
    const { page, field, button, heading } = await shop.visit('master/closed/clients?search=till');
    await button('till').click();
    await heading('till').waitFor();
    await page.getByText('Enabled', { exact: true }).first().waitFor();
    await field('Description').fill('Typed');
    const tabs = page.getByRole('tab');
    await tabs.nth(1).click();
    await tabs.nth(0).click();
    expect(await field('Description').inputValue()).toBe('Typed');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await button('Stay').click();
    expect(await field('Description').inputValue()).toBe('Typed');
    const asked = page.waitForEvent('dialog');
    const reloading = page.reload().catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloading;
    expect(await field('Description').inputValue()).toBe('Typed');
    await page.getByRole('link', { name: 'Users' }).click();
    await button('Discard changes').click();
    await heading('Users').waitFor();
    await page.goBack();
    await heading('till').waitFor();
    expect(await field('Description').inputValue()).toBe('');
  });
});
