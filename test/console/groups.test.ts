import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, type Visitor, within } from './visitor.js';

const total = 10_000;

describe.skipIf(!hasBrowser)('groups in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      roles: { realm: [{ name: 'reader' }] },
      groups: [
        {
          name: 'all',
          subGroups: Array.from({ length: 20 }, (_, at) => ({
            name: `branch-${String(at).padStart(2, '0')}`,
            subGroups: Array.from({ length: total / 20 }, (_, leaf) => ({
              name: `leaf-${String(leaf).padStart(3, '0')}`,
            })),
          })),
        },
        { name: 'sales', attributes: { floor: ['2'] } },
        { name: 'support', realmRoles: ['reader'] },
      ],
      users: [
        ...Array.from({ length: 70 }, (_, at) => ({
          username: `user-${at + 10}`,
          email: `user-${at + 10}@shop.example`,
          groups: ['/support'],
        })),
        {
          username: 'watcher',
          enabled: true,
          clientRoles: { 'realm-management': ['view-users', 'query-groups'] },
          credentials: [{ type: 'password', value: 'pw' }],
        },
      ],
    });
    expect(made.status).toBe(201);
  });
  const item = ({ page }: Visitor, name: string) => page.getByRole('treeitem', { name });
  const isThere = async (path: string) =>
    (await shop.admin.send('GET', `/admin/realms/shop/group-by-path${path}`)).status === 200;

  it('are a tree that is loaded as it is opened, by keys too, of which only what is in sight is in the page', async () => {
    const visitor = await shop.visit('master/shop/groups');
    const { page } = visitor;
    await item(visitor, 'support').waitFor();
    const tree = page.getByRole('tree', { name: 'Groups' });
    await tree.focus();
    await page.keyboard.press('ArrowRight');
    await item(visitor, 'branch-00').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await item(visitor, 'leaf-000').waitFor();
    await expect
      .poll(async () => {
        await tree.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
        return item(visitor, 'support').count();
      }, within)
      .toBe(1);
    expect(await item(visitor, 'leaf-499').count()).toBeLessThan(2);
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await visitor.heading('support').waitFor();
  });

  it('are found by their name, with their path, which is in the address', async () => {
    const visitor = await shop.visit('master/shop/groups');
    await visitor.page.getByRole('searchbox', { name: 'Search groups' }).fill('branch-07');
    await item(visitor, '/all/branch-07').waitFor();
    await expect.poll(() => visitor.page.url(), within).toContain('search=branch-07');
    expect(await item(visitor, 'sales').count()).toBe(0);
  });

  it('are moved by drag and drop, and back by undo', async () => {
    const visitor = await shop.visit('master/shop/groups');
    const { page } = visitor;
    await item(visitor, 'sales').dragTo(item(visitor, 'support'));
    await page.getByText('sales is moved.').waitFor();
    expect(await isThere('/support/sales')).toBe(true);
    await expect.poll(() => item(visitor, 'sales').getAttribute('aria-level'), within).toBe('2');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await isThere('/sales')).toBe(true);
    await expect.poll(() => item(visitor, 'sales').getAttribute('aria-level'), within).toBe('1');
  });

  it('are created, renamed, moved, made default ones, and deleted', async () => {
    const { page, heading, button } = await shop.visit('master/shop/groups');
    await button('Create group').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('sales');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await dialog.getByText(/exists/).waitFor();
    await dialog.getByLabel('Name').fill('press');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await heading('press').waitFor();
    await page.getByLabel('Name').first().fill('media');
    await button('Save').click();
    await page.getByText('media is saved.').waitFor();
    await button('Make default').click();
    await page.getByText('New users join it.').waitFor();
    await button('Move').click();
    await page.getByRole('combobox', { name: 'Group' }).fill('sales');
    await page.getByRole('option', { name: '/sales' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByRole('main').getByRole('link', { name: 'sales' }).waitFor();
    expect(await isThere('/sales/media')).toBe(true);
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('media is deleted.').waitFor();
    expect(await isThere('/sales/media')).toBe(false);
  });

  it('have members and roles, which are added, removed, and added again', async () => {
    const visitor = await shop.visit('master/shop/groups');
    const { page } = visitor;
    await item(visitor, 'support').click();
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByText('50 of 70 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select user-10' }).check();
    await page.getByRole('button', { name: 'Remove 1 members' }).click();
    await page.getByText('50 of 69 loaded').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('50 of 70 loaded').waitFor();
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'Remove reader' }).click();
    await page.getByText('The group has no roles.').waitFor();
    await page.getByRole('combobox', { name: 'Add role' }).click();
    await page.getByRole('option', { name: 'reader' }).click();
    await page.getByRole('main').getByRole('link', { name: 'reader' }).waitFor();
    const { realmRoles } = (await shop.admin.send('GET', '/admin/realms/shop/group-by-path/support')).body;
    expect(realmRoles).toEqual(['reader']);
  });

  it('keep the changes of two who save at once', async () => {
    const [one, other] = await Promise.all([shop.visit('master/shop/groups'), shop.visit('master/shop/groups')]);
    for (const visitor of [one, other]) await item(visitor, 'sales').click();
    await Promise.all([one.heading('sales').waitFor(), other.heading('sales').waitFor()]);
    await one.button('Add attribute').click();
    await one.field('Name').last().fill('city');
    await one.page.getByLabel('Values city').first().fill('Kiel');
    await one.page.keyboard.press('Enter');
    await one.button('Save').click();
    await one.page.getByText('sales is saved.').waitFor();
    await other.field('Name').first().fill('selling');
    await other.button('Save').click();
    await other.page.getByRole('button', { name: 'Save both' }).click();
    await other.page.getByText('selling is saved.').waitFor();
    const { attributes } = (await shop.admin.send('GET', '/admin/realms/shop/group-by-path/selling')).body;
    expect(attributes).toMatchObject({ floor: ['2'], city: ['Kiel'] });
  });

  it('are shown to those who may only look', async () => {
    const visitor = await shop.visit('shop/shop/groups', { username: 'watcher', password: 'pw' });
    await item(visitor, 'support').click();
    await visitor.heading('support').waitFor();
    for (const name of ['Save', 'Delete', 'Move', 'Create subgroup'])
      expect(await visitor.button(name).count()).toBe(0);
  });

  it('are accessible: tree and all tabs of a group', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/groups');
    const { page } = visitor;
    await item(visitor, 'support').waitFor();
    await expectAccessible(page);
    await item(visitor, 'support').click();
    await visitor.heading('support').waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
