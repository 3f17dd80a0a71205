import { readFileSync } from 'node:fs';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, signIn, useConsole, within } from './visitor.js';

// Realms are created, imported, renamed, and deleted, and those who administer one of them find it.
const keeper = { username: 'keeper', password: 'pw' };
const double = { username: 'double', password: 'pw' };

describe.skipIf(!hasBrowser)('realms in the console', () => {
  const shop = useConsole();
  const statusOf = async (realm: string) => (await shop.admin.send('GET', `/admin/realms/${realm}`)).status;

  it('creates the first realm of a fresh server', async () => {
    const { page, heading, button, faults } = await shop.visit();
    await button('Create realm').click();
    const dialog = page.getByRole('dialog', { name: 'Create realm' });
    const name = dialog.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('master');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await dialog.getByText('A realm with this name').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('acme');
    await dialog.getByRole('textbox', { name: 'Display name' }).fill('Acme Ltd.');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await heading('Overview of acme').waitFor();
    // its display name comes with the list of realms
    const chosen = () => page.getByRole('combobox', { name: 'Realm' }).inputValue();
    await expect.poll(chosen, within).toBe('acme · Acme Ltd.');
    await page.getByRole('link', { name: 'Users' }).click();
    await button('Create user').waitFor();
    expect((await shop.admin.send('GET', '/admin/realms/acme')).body.enabled).toBe(true);
    expect(faults).toEqual([]);
  });

  it('imports a realm from a file, under its own name or another one, and says what a file lacks', async () => {
    const { page, heading, button } = await shop.visit();
    const dialog = page.getByRole('dialog', { name: 'Create realm' });
    const choose = async (text: string) => {
      await page.getByRole('combobox', { name: 'Realm' }).click();
      await page.getByRole('option', { name: 'Create realm' }).click();
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button', { name: 'Realm file' }).click();
      await (await chooser).setFiles({ name: 'realm.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
    };
    await choose('- a list');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await dialog.getByText('realm.yaml must have an object with the fields of a realm.').waitFor();
    await button('Cancel').first().click();
    const example = readFileSync('examples/acme-realm.json', 'utf8');
    await choose(example);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('sample');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await heading('Overview of sample').waitFor();
    expect(await statusOf('sample')).toBe(200);
    await choose(example);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('sample');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await dialog.getByText('A realm with this name').waitFor();
    await button('Cancel').first().click();
    await choose('realm: yard\nenabled: true\nclients: [{ clientId: gate }]\n');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await heading('Overview of yard').waitFor();
    const clients = (await shop.admin.send('GET', '/admin/realms/yard/clients?clientId=gate')).body;
    expect(clients).toHaveLength(1);
  });

  it('renames and deletes a realm, whose name has to be typed', inAllAppearances, async () => {
    await shop.admin.send('POST', '/', { realm: 'old', enabled: true });
    const { page, heading, button } = await shop.visit('master/old/settings');
    const dialog = page.getByRole('dialog');
    await button('Rename realm').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('new');
    await dialog.getByRole('button', { name: 'Rename realm' }).click();
    await heading('Settings of new').waitFor();
    expect([await statusOf('old'), await statusOf('new')]).toEqual([404, 200]);
    await button('Delete realm').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('old');
    await dialog.getByRole('button', { name: 'Delete realm' }).click();
    await dialog.getByText('The realm is called “new”.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('new');
    await dialog.getByRole('button', { name: 'Delete realm' }).click();
    await heading('Overview of master').waitFor();
    expect(await statusOf('new')).toBe(404);
    await page.getByRole('combobox', { name: 'Realm' }).click();
    await page.getByRole('option', { name: 'master' }).waitFor();
    expect(await page.getByRole('option', { name: 'new' }).count()).toBe(0);
  });

  it('shows nothing of a realm while another one is loaded', async () => {
    await shop.admin.send('POST', '/', { realm: 'slow', enabled: true });
    const { page, heading } = await shop.visit();
    const figure = page.getByText('Active sessions', { exact: true });
    await figure.waitFor();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const isOfSlow = (request: Request): boolean => {
      if (!request.url().endsWith('/graphql')) return false;
      const { query = '', variables = {} } = request.postDataJSON() ?? {};
      return /query Overview/.test(query) && variables.realm === 'slow';
    };
    await page.route('**/graphql', async (route) => {
      if (isOfSlow(route.request())) await held;
      await route.fallback();
    });
    const asked = page.waitForRequest(isOfSlow);
    await page.getByRole('combobox', { name: 'Realm' }).click();
    await page.getByRole('option', { name: 'slow' }).click();
    await heading('Overview of slow').waitFor();
    await asked;
    expect(await figure.count()).toBe(0);
    answer();
    await figure.waitFor();
  });

  it('offers neither for the realm master', async () => {
    const { button } = await shop.visit('master/master/settings');
    await button('Check changes').waitFor();
    expect(await button(/Rename realm|Delete realm/).count()).toBe(0);
  });

  it('brings those who administer other realms than that of their login to these', async () => {
    for (const realm of ['north', 'south']) await shop.admin.send('POST', '/', { realm, enabled: true });
    for (const [who, realms] of [
      [keeper, ['north']],
      [double, ['north', 'south']],
    ] as const) {
      const credentials = [{ type: 'password', value: who.password }];
      const clientRoles = Object.fromEntries(realms.map((realm) => [`${realm}-realm`, ['view-users', 'query-users']]));
      const user = { username: who.username, enabled: true, credentials, clientRoles };
      const made = await shop.admin.send('POST', '/admin/realms/master/partialImport', { users: [user] });
      expect(made.body).toMatchObject({ added: 1 });
    }
    const page = await (await shop.browser.newContext({ locale: 'en' })).newPage();
    await page.goto(`${shop.server.url}/console`);
    await signIn(page, keeper);
    await page.getByRole('heading', { name: 'Overview of north' }).waitFor();
    await page.getByRole('link', { name: 'Users' }).waitFor();
    const other = await (await shop.browser.newContext({ locale: 'en' })).newPage();
    await other.goto(`${shop.server.url}/console`);
    await signIn(other, double);
    await other.getByRole('heading', { name: 'Choose a realm' }).waitFor();
    await other.getByRole('main').getByRole('link', { name: 'south' }).click();
    await other.getByRole('heading', { name: 'Overview of south' }).waitFor();
  });
});
