import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

describe.skipIf(!hasBrowser)('authentication in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', { realm: 'shop', enabled: true, passwordPolicy: 'length(8)' });
    expect(made.status).toBe(201);
  });
  const stored = async (path: string) => (await shop.admin.send('GET', `/admin/realms/shop${path}`)).body;
  const executions = async (alias: string): Promise<Record<string, string>[]> =>
    stored(`/authentication/flows/${encodeURIComponent(alias)}/executions`);

  it('copies a built-in flow, whose executions are moved by drag and drop, changed, and deleted after a preview', async () => {
    const { page } = await shop.visit('master/shop/authentication');
    await page.getByText('A built-in flow cannot be changed.').waitFor();
    await page.getByRole('button', { name: 'Copy flow' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('own');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy flow' }).click();
    await page.getByRole('group', { name: 'own', exact: true }).waitFor();
    // the flow that is shown is a part of the address
    await page.reload();
    await page.getByRole('group', { name: 'own', exact: true }).waitFor();
    const [first, second, third] = (await executions('own')).filter(({ level }) => Number(level) === 0);
    const names = async () =>
      (await executions('own')).filter(({ level }) => Number(level) === 0).map(({ displayName }) => displayName);
    await page
      .getByRole('combobox', { name: `Requirement of ${third?.displayName}` })
      .locator('xpath=ancestor::div[@draggable]')
      .last()
      .dragTo(page.getByText(String(first?.displayName), { exact: true }));
    await expect
      .poll(names, within)
      .toEqual([third?.displayName, first?.displayName, second?.displayName, expect.anything()]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await names()).slice(0, 3)).toEqual([first, second, third].map((entry) => entry?.displayName));
    await page.getByRole('combobox', { name: `Requirement of ${first?.displayName}` }).click();
    await page.getByRole('option', { name: 'DISABLED' }).click();
    await page.getByText(`${first?.displayName} is saved.`).waitFor();
    expect((await executions('own'))[0]?.requirement).toBe('DISABLED');
    await page.getByRole('button', { name: `Delete ${first?.displayName}`, exact: true }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await names())[0], within).toBe(second?.displayName);
  });

  it('creates a flow with a subflow and an execution, which gets, changes, and loses a configuration', async () => {
    const { page, button, faults } = await shop.visit('master/shop/authentication');
    const dialog = page.getByRole('dialog');
    const within = (name: string) => dialog.getByRole('button', { name, exact: true });
    await button('Create flow').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('kiosk');
    expect(await dialog.getByRole('combobox', { name: 'Kind' }).inputValue()).toBe('Steps of a login');
    await within('Create flow').click();
    await page.getByRole('group', { name: 'kiosk', exact: true }).waitFor();
    await page.getByText('Add subflow to kiosk').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('badge');
    await within('Add subflow to kiosk').click();
    await page.getByRole('group', { name: 'badge', exact: true }).waitFor();
    await page.getByText('Add execution to badge').click();
    await dialog.getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'Identity Provider Redirector' }).click();
    await within('Add execution to badge').click();
    await button('Configure Identity Provider Redirector').click();
    await dialog.getByRole('textbox', { name: 'Identity provider' }).fill('partner');
    await dialog.getByRole('textbox', { name: 'Name of the configuration' }).fill('to partner');
    await within('Check changes').click();
    await dialog.getByRole('status').getByText('partner', { exact: true }).waitFor();
    await within('Configure Identity Provider Redirector').click();
    // until it is stored, the preview in the dialog has the name, too
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('to partner', { exact: true }).waitFor();
    const configured = async () =>
      (await executions('kiosk')).find(({ providerId }) => providerId === 'identity-provider-redirector');
    const config = async () =>
      (await stored(`/authentication/config/${(await configured())?.authenticationConfig}`)).config;
    await expect.poll(config).toEqual({ defaultProvider: 'partner' });
    await button('Configure Identity Provider Redirector').click();
    await dialog.getByRole('textbox', { name: 'Identity provider' }).fill('other');
    await within('Check changes').click();
    await within('Configure Identity Provider Redirector').click();
    await expect.poll(config).toEqual({ defaultProvider: 'other' });
    await button('Delete configuration to partner').click();
    await button('Apply').click();
    // the question has the name, too, until it is answered
    await expect.poll(() => page.getByText('to partner', { exact: true }).count(), { timeout: 30_000 }).toBe(0);
    expect((await configured())?.authenticationConfig).toBeUndefined();
    await button('Edit badge').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('badge reader');
    await within('Check changes').click();
    await within('Edit flow').click();
    await page.getByRole('group', { name: 'badge reader', exact: true }).waitFor();
    await page.getByRole('group', { name: 'kiosk', exact: true }).waitFor();
    await button('Delete flow').click();
    await button('Apply').click();
    await page.getByRole('group', { name: 'kiosk', exact: true }).waitFor({ state: 'detached' });
    const aliases = ((await stored('/authentication/flows')) as { alias: string }[]).map(({ alias }) => alias);
    expect(aliases).not.toContain('kiosk');
    expect(faults).toEqual([]);
  });

  it('uses a flow for the realm and in place of it for a client, and tells what uses it', async () => {
    await shop.admin.send('POST', '/admin/realms/shop/clients', { clientId: 'till', enabled: true });
    const copied = await shop.admin.send('POST', '/admin/realms/shop/authentication/flows/browser/copy', {
      newName: 'strict',
    });
    expect(copied.status).toBe(201);
    const { page, button, heading, faults } = await shop.visit('master/shop/authentication');
    const dialog = page.getByRole('dialog');
    const uses = page.getByRole('group', { name: 'Used for' });
    await uses.getByText('Login in the browser').waitFor();
    await page.getByRole('combobox', { name: 'Flow' }).click();
    await page.getByRole('option', { name: 'strict' }).click();
    await uses.getByText('Not used').waitFor();
    await button('Use flow').click();
    await dialog.locator('input[role="combobox"]:focus, input[aria-haspopup]:focus').waitFor();
    await dialog.getByRole('button', { name: 'Use flow' }).click();
    await uses.getByText('Login in the browser').waitFor();
    expect((await stored('')).browserFlow).toBe('strict');
    await button('Undo').click();
    await uses.getByText('Not used').waitFor();
    expect((await stored('')).browserFlow).toBe('browser');
    await page.getByRole('link', { name: 'Clients' }).click();
    await button('till').click();
    await heading('till').waitFor();
    await page.getByRole('combobox', { name: 'Login in the browser' }).click();
    await page.getByRole('option', { name: 'strict' }).click();
    await button('Check changes').click();
    await button('Save').click();
    await page.getByText('till is saved.').waitFor();
    await page.getByRole('link', { name: 'Authentication' }).click();
    await page.getByRole('combobox', { name: 'Flow' }).click();
    await page.getByRole('option', { name: 'strict' }).click();
    await uses.getByRole('link', { name: 'till' }).click();
    await heading('till').waitFor();
    expect(await page.getByRole('combobox', { name: 'Login in the browser' }).inputValue()).toBe('strict');
    expect(faults).toEqual([]);
  });

  it('takes a required action from the realm, registers it again, and renames it', async () => {
    const { page, button } = await shop.visit('master/shop/authentication?tab=actions');
    const dialog = page.getByRole('dialog');
    const actions = async () =>
      ((await stored('/authentication/required-actions')) as { name: string }[]).map(({ name }) => name);
    await button('Delete Verify Email').click();
    await button('Apply').click();
    await button('Register action').click();
    expect(await actions()).not.toContain('Verify Email');
    await dialog.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Verify Email' }).click();
    await dialog.getByRole('button', { name: 'Register action' }).click();
    await button('Edit Verify Email').click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Confirm email');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('status').getByText('Confirm email').waitFor();
    await dialog.getByRole('button', { name: 'Edit Verify Email' }).click();
    // the preview of the dialog has the new name before it is saved
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Confirm email', { exact: true }).waitFor();
    expect(await actions()).toContain('Confirm email');
  });

  it('orders and enables required actions by the keyboard, which can be undone', async () => {
    const { page } = await shop.visit('master/shop/authentication?tab=actions');
    const before = (await stored('/authentication/required-actions')) as { alias: string; name: string }[];
    await page.getByRole('button', { name: `Move ${before[1]?.name} up` }).press('Enter');
    const aliases = async () =>
      ((await stored('/authentication/required-actions')) as { alias: string }[]).map(({ alias }) => alias);
    await expect.poll(async () => (await aliases())[0], within).toBe(before[1]?.alias);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect((await aliases())[0]).toBe(before[0]?.alias);
    await page.getByRole('switch', { name: 'Update Password: For new users' }).press('Space');
    await page.getByText('Update Password is saved.').waitFor();
    const [action] = ((await stored('/authentication/required-actions')) as Record<string, unknown>[]).filter(
      ({ alias }) => alias === 'UPDATE_PASSWORD',
    );
    expect(action?.defaultAction).toBe(true);
  });

  it('builds a password policy from the rules of the server, and shows the change before it is saved', async () => {
    const { page } = await shop.visit('master/shop/authentication?tab=policy');
    await page.getByRole('textbox', { name: 'Value of Minimum Length' }).fill('12');
    await page.getByRole('combobox', { name: 'Add rule' }).click();
    await page.getByRole('option', { name: 'Digits' }).click();
    await page.getByRole('textbox', { name: 'Value of Digits' }).fill('two');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This would be refused').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('textbox', { name: 'Value of Digits' }).fill('2');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Changes' }).getByText('length(8)').waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Password policy is saved.').waitFor();
    expect((await stored('')).passwordPolicy).toBe('length(12) and digits(2)');
  });

  it('is accessible in all tabs', inAllAppearances, async () => {
    const { page, faults } = await shop.visit('master/shop/authentication');
    await page.getByRole('tab').first().waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    await page.getByRole('tab').first().click();
    await page.getByRole('combobox', { name: 'Flow' }).click();
    await page.getByRole('option', { name: 'own' }).click();
    await page.getByRole('button', { name: 'Add subflow to own', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });
});
