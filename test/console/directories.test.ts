import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import {
  directoryWith,
  group,
  hasSlapd,
  manyPeople,
  personDn,
  rootDn,
  rootPassword,
  suffix,
} from '../ldap/directory.js';
import { expectAccessible, inAllAppearances, useConsole, type Visitor, within } from './visitor.js';

const people = 40;

// needs OpenLDAP: apt-get install slapd ldap-utils
describe.skipIf(!hasBrowser || !hasSlapd)('directories in the console', () => {
  let url = '';
  beforeAll(async () => {
    const directory = await directoryWith([...manyPeople(people), group('staff', [personDn('user1')])]);
    url = directory.url;
  });
  const shop = useConsole(async (admin) => {
    expect((await admin.send('POST', '/', { realm: 'shop', enabled: true })).status).toBe(201);
  });
  const openStaff = async (tab?: string): Promise<Visitor> => {
    const visitor = await shop.visit('master/shop/directories');
    await visitor.button('staff').click();
    await visitor.heading('staff').waitFor();
    if (tab) await visitor.page.getByRole('tab', { name: tab }).click();
    return visitor;
  };
  const users = async () => (await shop.admin.send('GET', '/admin/realms/shop/users/count')).body;

  it('are connected, tested with what one types, and changed after a preview', async () => {
    const { page, button, field, heading } = await shop.visit('master/shop/directories');
    await page.getByText('No directories').waitFor();
    await button('Connect a directory').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Such as ldaps://').waitFor();
    await dialog.getByLabel('Name').fill('staff');
    await dialog.getByLabel('Connection URL').fill(url);
    await dialog.getByLabel('Users DN').fill(`ou=people,${suffix}`);
    await dialog.getByLabel('Bind DN').fill(rootDn);
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Connect a directory' }).click();
    await heading('staff').waitFor();
    await button('Test connection').click();
    await page.getByText('The directory answers.').waitFor();
    await button('Test authentication').click();
    await page.getByText('Not done').waitFor();
    await page.getByLabel('Bind credential').fill(rootPassword);
    await button('Test authentication').click();
    await expect.poll(() => page.getByText('The directory answers.').count(), within).toBe(2);
    await field('Custom User LDAP Filter').fill('(uid=user*)');
    await button('Check changes').click();
    await page.getByRole('status').filter({ hasText: 'What would change' }).getByText('(uid=user*)').waitFor();
    await button('Save').click();
    await page.getByText('staff is saved.').waitFor();
    await page.reload();
    await expect.poll(() => field('Custom User LDAP Filter').inputValue(), within).toBe('(uid=user*)');
    await button('Test authentication').click();
    await page.getByText('The directory answers.').waitFor();
  });

  it('are synchronised, and show what was read', async () => {
    const { page, button } = await openStaff('Synchronisation');
    await page.getByText('Not synchronised yet').waitFor();
    await button('Synchronise all users').click();
    await page.getByText('The synchronisation has ended.').waitFor();
    await page.getByText(`${people} entries read · ${people} added, 0 updated, 0 removed, 0 failed`).waitFor();
    expect(await users()).toBe(people);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('combobox', { name: 'Directory' }).click();
    await page.getByRole('option', { name: `staff (${people})` }).click();
    await page.getByText(`${people} of ${people} loaded`).waitFor();
    expect(page.url()).toContain('storage=');
    await page.goBack();
    await button('Delete imported users').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete imported users' }).click();
    await page.getByText(`${people} users are changed.`).waitFor();
    expect(await users()).toBe(0);
  });

  it('have mappers, whose groups are imported', async () => {
    const { page, button } = await openStaff('Mappers');
    await button('Add mapper').click();
    await page.getByRole('dialog').getByLabel('Name').first().fill('groups');
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'group-ldap-mapper' }).click();
    await page.getByLabel('Groups DN').fill(`ou=groups,${suffix}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add mapper' }).click();
    await button('Edit groups').click();
    await page.getByLabel('Group Name LDAP Attribute').fill('cn');
    await page.getByRole('dialog').getByRole('button', { name: 'Check changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit groups' }).click();
    await button('Import with groups').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import with groups' }).click();
    await page.getByText('The synchronisation has ended.').waitFor();
    const groups = (await shop.admin.send('GET', '/admin/realms/shop/groups')).body;
    expect(groups).toMatchObject([{ name: 'staff' }]);
  });

  it('are accessible: list, dialog, and all tabs', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/directories');
    const { page, button } = visitor;
    await button('staff').waitFor();
    await expectAccessible(page);
    await button('Connect a directory').click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await button('staff').click();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });

  it('are deleted with their users', async () => {
    const { page, button } = await openStaff();
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('No directories').waitFor();
    await expect.poll(() => page.getByText('staff is deleted.').count(), within).toBe(1);
  });
});
