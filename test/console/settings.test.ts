import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { openMailbox } from '../mail/mailbox.js';
import { expectAccessible, inAllAppearances, useConsole, type Visitor, within } from './visitor.js';

describe.skipIf(!hasBrowser)('realm settings in the console', () => {
  const shop = useConsole(async (admin) => {
    const users = [{ username: 'anna' }];
    const made = await admin.send('POST', '/', { realm: 'shop', enabled: true, displayName: 'The shop', users });
    expect(made.status).toBe(201);
  });
  const stored = async () => (await shop.admin.send('GET', '/admin/realms/shop')).body;
  const save = async ({ page, button }: Visitor) => {
    await button('Check changes').click();
    await page.getByText('What would change').waitFor();
    await button('Save').click();
  };

  it('are found in all sections, show what would change, and are saved', async () => {
    const visitor = await shop.visit('master/shop/settings');
    const { page, button, field } = visitor;
    await field('Display name').first().fill('The new shop');
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('session, at most');
    await page.getByLabel('Session, at most', { exact: true }).fill('7200');
    await page.getByText('2 hours').waitFor();
    await button('Check changes').click();
    const preview = page.getByRole('status').filter({ hasText: 'What would change' });
    await preview.getByText('The new shop').waitFor();
    expect(await preview.getByRole('deletion').allTextContents()).toEqual(['The shop', '36000']);
    expect((await stored()).displayName).toBe('The shop');
    await button('Save').click();
    await page.getByText('shop is saved.').waitFor();
    expect(await stored()).toMatchObject({ displayName: 'The new shop', ssoSessionMaxLifespan: 7200 });
  });

  it('are the general ones for an address of a section that does not exist', async () => {
    const { field } = await shop.visit('master/shop/settings?section=none');
    await expect.poll(() => field('Display name as HTML').isVisible(), within).toBe(true);
  });

  it('are explained by the descriptions of the API', async () => {
    const { page } = await shop.visit('master/shop/settings?section=sessions');
    await page.getByTitle('Session, unused', { exact: true }).click();
    await page.getByText('Seconds until an unused session ends.').waitFor();
    await page.getByText('sessions.idleTimeout', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('sessions.idleTimeout', { exact: true }).count(), within).toBe(0);
  });

  it('say so if they have no effect', async () => {
    const { page, field } = await shop.visit('master/shop/settings?section=general');
    for (const name of ['Theme of the login page', 'Theme of emails']) {
      await expect.poll(() => field(name).getAttribute('aria-describedby'), within).not.toBeNull();
    }
    expect(await page.getByText('Has no effect').count()).toBe(4);
    await page.getByTitle('Theme of emails', { exact: true }).click();
    await page.getByText('This setting has no effect. The pages and emails have one theme.').waitFor();
  });

  it('have their errors at the field', async () => {
    const { page, button, field } = await shop.visit('master/shop/settings?section=login');
    await field('Password policy').fill('nonsense(');
    await button('Check changes').click();
    await page.getByText('Unsupported policy').first().waitFor();
    expect(await field('Password policy').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('tab', { name: 'One-time passwords' }).click();
    await field('Digits').fill('5');
    await button('Check changes').click();
    await page.getByText('Digits must be from 6 to 8, got 5').first().waitFor();
  });

  it('keep the changes of two who save at once', async () => {
    const visit = () => shop.visit('master/shop/settings?section=login');
    const [one, other] = await Promise.all([visit(), visit()]);
    await one.page.getByLabel('Remember me').check();
    await one.field('Password policy').fill('length(8)');
    await save(one);
    await one.page.getByText('shop is saved.').waitFor();
    await other.field('Password policy').fill('length(12)');
    await other.button('Check changes').click();
    const dialog = other.page.getByRole('dialog', { name: 'Somebody else has saved in the meantime' });
    await dialog.getByRole('radio', { name: 'Password policy: Mine: length(12)' }).check();
    await dialog.getByRole('button', { name: 'Save both' }).click();
    await other.page.getByText('shop is saved.').waitFor();
    expect(await stored()).toMatchObject({ passwordPolicy: 'length(12)', rememberMe: true });
  });

  it('show the login page with colours and a logo before they are saved', inAllAppearances, async () => {
    const { page, button, field, faults } = await shop.visit('master/shop/settings?section=loginPages');
    const preview = page.frameLocator('iframe[title="Preview of the login page"]');
    const submit = preview.getByRole('button', { name: 'Sign in', includeHidden: true });
    const colorOf = () => submit.evaluate((element) => getComputedStyle(element).backgroundColor);
    await preview.locator('main').waitFor();
    await field('Accent colour').fill('#aa0055');
    await expect.poll(colorOf, within).toBe('rgb(170, 0, 85)');
    const choose = (name: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/svg+xml', buffer });
    await choose('large.svg', Buffer.alloc(65_537));
    await page.getByText('The file must have at most 64 KiB.').waitFor();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30"/></svg>';
    await choose('logo.svg', Buffer.from(svg));
    await preview.locator('img[alt$="shop"]').waitFor();
    expect((await stored()).attributes.realmgateLoginLogo).toBeUndefined();
    await button('Check changes').click();
    const changes = page.getByRole('status').filter({ hasText: 'What would change' });
    await changes.getByText('#aa0055').waitFor();
    await changes.getByText(`Image (image/svg+xml), ${svg.length} bytes`).waitFor();
    await expectAccessible(page);
    await button('Save').click();
    await page.getByText('shop is saved.').waitFor();
    const login = await page.context().newPage();
    const query = 'client_id=account-console&response_type=code&redirect_uri=/realms/shop/account/';
    await login.goto(`${shop.server.url}/auth/realms/shop/protocol/openid-connect/auth?${query}`);
    await login.getByRole('img', { name: /shop$/ }).waitFor();
    const accent = () => getComputedStyle(document.documentElement).getPropertyValue('--accent');
    expect(await login.evaluate(accent)).toBe('#aa0055');
    expect(faults).toEqual([]);
  });

  it('show keys, test emails, and hold texts by language', async () => {
    const mailbox = await openMailbox();
    const smtpServer = { host: '127.0.0.1', port: String(mailbox.port), from: 'shop@shop.example' };
    expect((await shop.admin.send('PUT', '/admin/realms/shop', { smtpServer })).status).toBe(204);
    const { page, button, field } = await shop.visit('master/shop/settings?section=keys');
    await button(/RS256.*SIG/).click();
    await page.getByRole('region', { name: 'Certificate' }).getByText(/^MII/).waitFor();
    await page.getByRole('tab', { name: 'Email' }).click();
    await button('Send a test email').click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Send a test email' });
    await field('Recipient').fill('ops');
    await send.click();
    await page.getByText('This must be an email address').waitFor();
    await field('Recipient').fill('ops@shop.example');
    await send.click();
    await page.getByText('The email is sent.').waitFor();
    expect(mailbox.mails.map(({ recipients }) => recipients)).toEqual([['ops@shop.example']]);
    let loads = 0;
    page.on('request', (request) => (loads += request.postData()?.includes('query StandardTexts') ? 1 : 0));
    await page.getByRole('tab', { name: 'Texts' }).click();
    await field('Key').fill('loginTitle');
    await field('Text').fill('Welcome to the shop');
    await button('Set text').click();
    await button('loginTitle').first().waitFor();
    const texts = async () => (await shop.admin.send('GET', '/admin/realms/shop/localization/en')).body;
    expect(await texts()).toEqual({ loginTitle: 'Welcome to the shop' });
    await button('Remove loginTitle').click();
    await page.getByText('loginTitle is removed.').waitFor();
    expect(await texts()).toEqual({});
    await page.getByRole('searchbox', { name: 'Filter texts' }).fill('sign in to');
    await button('loginAccountTitle').click();
    expect(await field('Text').inputValue()).toBe('Sign in to your account');
    await field('Text').fill('Come in');
    await button('Set text').click();
    await page.getByRole('searchbox', { name: 'Filter texts' }).fill('come in');
    await page.getByRole('row').getByText('changed').waitFor();
    expect(await texts()).toEqual({ loginAccountTitle: 'Come in' });
    // no change concerns the built-in texts
    expect(loads).toBe(1);
  });

  it('have keys that are added, rotated, and deleted', async () => {
    const { page, button } = await shop.visit('master/shop/settings?section=keys');
    const keys = async () => (await shop.admin.send('GET', '/admin/realms/shop/keys')).body;
    const dialog = page.getByRole('dialog');
    await button('Add key').click();
    await dialog.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'ecdsa-generated' }).click();
    await dialog.getByRole('textbox', { name: 'Priority' }).fill('7');
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await page.getByText('ecdsa-generated · Priority 7').waitFor();
    const before = (await keys()).active.ES256;
    await button('Rotate ecdsa-generated').click();
    await dialog.getByText('Provider ID').waitFor();
    expect(await dialog.innerText()).not.toMatch(/[\da-f]{8}-[\da-f]{4}|providerId/);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('ecdsa-generated is rotated.').waitFor();
    await page.getByText('Passive').first().waitFor();
    const { active, keys: all } = await keys();
    expect(active.ES256).not.toBe(before);
    expect(all.find(({ kid }: { kid: string }) => kid === before).status).toBe('PASSIVE');
    await button('Edit ecdsa-generated').first().click();
    await dialog.getByRole('textbox', { name: 'Priority' }).fill('-1');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit ecdsa-generated' }).click();
    await page.getByText('ecdsa-generated · Priority -1').waitFor();
    await button('Delete ecdsa-generated').first().click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('ecdsa-generated is deleted.').waitFor();
  });

  it('stand close together, with their switches in columns and rows', async () => {
    const { page, button, open, heading } = await shop.visit('master/shop/settings?section=login');
    const boxes = async (found: Locator) => {
      await found.first().waitFor();
      return Promise.all((await found.all()).map(async (one) => (await one.boundingBox()) ?? expect.unreachable()));
    };
    for (const width of [1440, 800, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const [search] = await boxes(page.getByRole('searchbox', { name: 'Search settings' }));
      const [tabs] = await boxes(page.getByRole('tablist'));
      expect((tabs?.y ?? 0) - (search?.y ?? 0) - (search?.height ?? 0), `at ${width} pixels`).toBeLessThan(32);
      // in one line, or beside the form
      expect(tabs?.height, `at ${width} pixels`)[width < 1000 ? 'toBeLessThan' : 'toBeGreaterThan'](100);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const inColumns = async () => {
      const switches = await boxes(page.getByRole('switch'));
      for (const [at, { x, y }] of switches.entries()) {
        expect(x).toBe(switches[at % 2]?.x);
        expect(y).toBe(switches[at - (at % 2)]?.y);
      }
    };
    await inColumns();
    await open('master/shop/users');
    await button('anna').click();
    await heading('anna').waitFor();
    await inColumns();
  });

  it('are accessible in all sections', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/settings');
    const { page } = visitor;
    const tabs = page.getByRole('tab');
    await expect.poll(() => tabs.count()).toBe(16);
    for (const tab of await tabs.all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
