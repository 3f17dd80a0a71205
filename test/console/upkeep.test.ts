import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { login } from '../support/fixture.js';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

// What administrators do while applications are in use: keys, tokens, policies, and what is cleared.
describe.skipIf(!hasBrowser)('the upkeep of a realm in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      eventsEnabled: true,
      clients: [
        {
          clientId: 'till',
          enabled: true,
          directAccessGrantsEnabled: true,
          publicClient: false,
          secret: 'old',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the host of each node stands there
          adminUrl: 'http://${application.session.host}:9/',
        },
      ],
      users: [{ username: 'anna', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
    });
    expect(made.status).toBe(201);
    await login(shop.server, 'shop', 'anna', 'pw');
  });
  const client = async () => (await shop.admin.send('GET', '/admin/realms/shop/clients?clientId=till')).body[0];
  const realm = async () => (await shop.admin.send('GET', '/admin/realms/shop')).body;
  const openClient = async (tab: string) => {
    const visitor = await shop.visit('master/shop/clients?search=till');
    await visitor.button('till').click();
    await visitor.heading('till').waitFor();
    await visitor.page.getByRole('tab', { name: tab }).click();
    return { ...visitor, dialog: visitor.page.getByRole('dialog') };
  };

  it('shows the ID of an object, which can be copied', async () => {
    const { page, button } = await openClient('Settings');
    const { id } = await client();
    await page.getByText(id).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy ID').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  });

  it('generates, downloads, and imports the key of a client', async () => {
    const { page, button, dialog } = await openClient('Keys');
    await button('Generate key').click();
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await page.getByText('The server has the private key too').waitFor();
    const certificate = page.getByRole('region', { name: 'Certificate' });
    const first = await certificate.textContent();
    await button(/^Download key$/).click();
    await dialog.getByLabel('Password of the file').fill('secret');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download key' }).click();
    expect((await download).suggestedFilename()).toBe('till.p12');
    const path = await (await download).path();
    await button('Generate and download key').click();
    await dialog.getByLabel('Password of the file').fill('secret');
    await dialog.getByRole('button', { name: 'Generate and download key' }).click();
    await page.getByText('The application has the private one.').waitFor();
    await expect.poll(() => certificate.textContent(), within).not.toBe(first);
    await button('Import key').click();
    await dialog.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'PKCS12' }).click();
    const chooser = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'File' }).click();
    await (await chooser).setFiles(path);
    await dialog.getByLabel('Password of the file').fill('secret');
    await dialog.getByRole('button', { name: 'Import key' }).click();
    await expect.poll(() => certificate.textContent(), within).toBe(first);
  });

  it('shows a registration access token once, and revokes the previous secret', async () => {
    const { page, button, dialog } = await openClient('Credentials');
    await button('Create new token').click();
    await dialog.getByRole('button', { name: 'Create new token' }).click();
    const token = dialog.getByRole('textbox', { name: 'Registration access token' });
    expect(await token.inputValue()).toMatch(/^ey/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await button('Rotate secret').click();
    await dialog.getByLabel('Grace period in seconds').fill('600');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await button('Revoke previous secret').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The previous secret is revoked.').waitFor();
    await expect.poll(() => button('Revoke previous secret').count(), within).toBe(0);
  });

  it('revokes the tokens of a client, and registers and tests the nodes of its cluster', async () => {
    const { page, button, dialog } = await openClient('Operation');
    await button('Revoke tokens issued so far').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^Tokens that were issued before .* are invalid/).waitFor();
    expect((await client()).notBefore).toBeGreaterThan(0);
    await button('Clear the time').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No tokens are revoked by time.').waitFor();
    await button('Register node').click();
    await dialog.getByLabel('Host name').fill('127.0.0.1');
    await dialog.getByRole('button', { name: 'Register node' }).click();
    await button('Test nodes').click();
    await page.getByText('Not reached: http://127.0.0.1:9/.').waitFor();
    await button('Delete 127.0.0.1').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No nodes').waitFor();
  });

  it('creates an initial access token, which is shown once, and deletes it', async () => {
    const { page, button } = await shop.visit('master/shop/settings?section=registration');
    const dialog = page.getByRole('dialog');
    await button('Create initial access token').click();
    await dialog.getByLabel('Clients that can be registered').fill('2');
    await dialog.getByRole('button', { name: 'Create initial access token' }).click();
    expect(await dialog.getByRole('textbox', { name: 'Initial access token' }).inputValue()).toMatch(/^ey/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 of 2 registrations left').waitFor();
    await button(/^Delete token of/).click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No initial access tokens').waitFor();
  });

  it('revokes the tokens of the realm, and clears caches and events', async () => {
    const { page, button } = await shop.visit('master/shop/settings?section=maintenance');
    const dialog = page.getByRole('dialog');
    await button('Revoke tokens issued so far').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^Tokens that were issued before .* are invalid/).waitFor();
    expect((await realm()).notBefore).toBeGreaterThan(0);
    await button('Tell applications').click();
    await dialog.getByRole('button', { name: 'Tell applications' }).click();
    await page.getByText('0 addresses were told.').waitFor();
    await button('Clear cache of users').click();
    await dialog.getByRole('button', { name: 'Clear cache of users' }).click();
    await page.getByText('The cache is cleared.').waitFor();
    await button('Delete login events').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The events are deleted.').waitFor();
    expect((await shop.admin.send('GET', '/admin/realms/shop/events')).body).toEqual([]);
  });

  it('has policies for one-time passwords and passkeys, and chooses the events that are stored', async () => {
    const { page, button, field } = await shop.visit('master/shop/settings?section=otp');
    const save = async () => {
      await button('Check changes').click();
      await page.getByText('What would change').waitFor();
      await button('Save').click();
      await page.getByText('shop is saved.').last().waitFor();
    };
    await field('Digits').fill('8');
    await page.getByRole('tab', { name: 'Passkeys' }).click();
    await page.getByRole('combobox', { name: 'Verification of the user' }).click();
    await page.getByRole('option', { name: 'Required' }).click();
    await page.getByRole('tab', { name: 'Languages and events' }).click();
    await page.getByRole('combobox', { name: 'Types of login events that are stored' }).click();
    await page.getByRole('option', { name: 'Failed login' }).click();
    await page.keyboard.press('Escape');
    await save();
    expect(await realm()).toMatchObject({
      otpPolicyDigits: 8,
      webAuthnPolicyPasswordlessUserVerificationRequirement: 'required',
      enabledEventTypes: ['LOGIN_ERROR'],
    });
  });

  it('has client profiles and policies, with errors at their fields', async () => {
    const { page, button } = await shop.visit('master/shop/settings?section=policies');
    const dialog = page.getByRole('dialog');
    const choose = async (field: string, option: string) => {
      await dialog.getByRole('combobox', { name: field }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
      await dialog.getByLabel('Description').click();
    };
    await button('Add profile').click();
    await dialog.getByLabel('Name').fill('fapi-1-baseline');
    await dialog.getByRole('button', { name: 'Add profile' }).click();
    await dialog.getByText('This is required.').waitFor();
    await choose('Rules', 'PKCE enforcer');
    await dialog.getByLabel('Changes clients instead of refusing them').check();
    await dialog.getByRole('button', { name: 'Add profile' }).click();
    await dialog.getByText('Proposed profile name duplicated').waitFor();
    await dialog.getByLabel('Name').fill('strict');
    await dialog.getByRole('button', { name: 'Add profile' }).click();
    await button('Edit strict').waitFor();
    await button('Add policy').click();
    await dialog.getByLabel('Name').fill('public clients');
    await choose('Profiles', 'strict');
    await choose('Conditions', 'Client access type');
    await choose('Kind', 'Public');
    await dialog.getByRole('button', { name: 'Add policy' }).click();
    await button('Edit public clients').waitFor();
    await button('Add policy').click();
    await dialog.getByLabel('Name').fill('all others');
    await choose('Conditions', 'Any client');
    await dialog.getByRole('button', { name: 'Add policy' }).click();
    await button('Edit all others').waitFor();
    await button('Edit public clients').click();
    await dialog.getByLabel('Description').fill('All of them');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit public clients' }).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = async (kind: string) =>
      (await shop.admin.send('GET', `/admin/realms/shop/client-policies/${kind}`)).body;
    expect((await stored('policies')).policies).toMatchObject([
      {
        name: 'public clients',
        description: 'All of them',
        enabled: true,
        conditions: [{ condition: 'client-access-type', configuration: { type: ['public'] } }],
        profiles: ['strict'],
      },
      { name: 'all others', profiles: [] },
    ]);
    expect((await stored('profiles')).profiles).toMatchObject([
      { executors: [{ executor: 'pkce-enforcer', configuration: { 'auto-configure': true } }] },
    ]);
    // a policy does not name a profile any more that is deleted
    for (const name of ['strict', 'all others', 'public clients']) {
      await button(`Delete ${name}`).click();
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await page.getByText(`${name} is deleted.`).waitFor();
    }
  });

  it('corrects a setting of a profile that was stored in another form', async () => {
    const configurationOf = (value: unknown) => [
      { executor: 'pkce-enforcer', configuration: { 'auto-configure': value, other: 1 } },
    ];
    const path = '/admin/realms/shop/client-policies/profiles';
    const profiles = [{ name: 'odd', executors: configurationOf('yes') }];
    expect((await shop.admin.send('PUT', path, { profiles })).status).toBe(204);
    const { page, button } = await shop.visit('master/shop/settings?section=policies');
    const dialog = page.getByRole('dialog');
    await button('Edit odd').click();
    await dialog.getByLabel('Changes clients instead of refusing them').check();
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit odd' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await shop.admin.send('GET', path);
    expect(body.profiles).toMatchObject([{ name: 'odd', executors: configurationOf(true) }]);
  });

  it('enables and disables fine-grained permissions', async () => {
    const { page, button, dialog } = await openClient('Permissions');
    await button('Enable fine-grained permissions').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^Actions: .*view/).waitFor();
    const { id } = await client();
    const stored = async () =>
      (await shop.admin.send('GET', `/admin/realms/shop/clients/${id}/management/permissions`)).body.enabled;
    expect(await stored()).toBe(true);
    await button('Disable fine-grained permissions').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('The permissions are disabled.').waitFor();
    expect(await stored()).toBe(false);
  });

  it('is accessible', inAllAppearances, async () => {
    const { page } = await openClient('Keys');
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Operation' }).click();
    await expectAccessible(page);
  });
});
