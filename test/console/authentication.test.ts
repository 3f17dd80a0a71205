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
    await page.getByRole('region', { name: 'What changes' }).getByText('length(8)').waitFor();
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
    expect(faults).toEqual([]);
  });
});
