import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

describe.skipIf(!hasBrowser)('roles in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      clients: [{ clientId: 'till' }],
      roles: {
        realm: [
          { name: 'reader', description: 'Reads what is published' },
          { name: 'editor', composites: { realm: ['reader'], client: { till: ['sell'] } } },
          { name: 'chief', composites: { realm: ['editor'] } },
        ],
        client: { till: [{ name: 'sell' }] },
      },
      groups: [{ name: 'staff', realmRoles: ['editor'] }],
      users: [
        { username: 'anna', groups: ['/staff'] },
        { username: 'bert', realmRoles: ['editor'] },
      ],
    });
    expect(made.status).toBe(201);
  });

  it('are those of the realm or of a client, which is in the address', async () => {
    const { page, button } = await shop.visit('master/shop/roles?search=edi');
    await button('editor').waitFor();
    expect(await button('reader').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search roles' }).fill('');
    await button('reader').waitFor();
    await page.getByRole('combobox', { name: 'Client' }).fill('till');
    await page.getByRole('option', { name: 'till' }).click();
    await button('sell').waitFor();
    await expect.poll(() => page.url(), within).toContain('client=till');
    expect(await button('editor').count()).toBe(0);
  });

  it('show what contains them and what they contain, and who has them', async () => {
    const { page, button, heading } = await shop.visit('master/shop/roles');
    await button('editor').click();
    await heading('editor').waitFor();
    await page.getByRole('tab', { name: 'Users' }).click();
    await page.getByRole('row', { name: /anna.*inherited/ }).waitFor();
    await page.getByRole('row', { name: /bert.*direct/ }).waitFor();
    await page.getByRole('tab', { name: 'Groups' }).click();
    await button('/staff').waitFor();
    await page.getByRole('tab', { name: 'Contained roles' }).click();
    const graph = page.getByRole('region', { name: /Roles that contain it/ });
    expect(await graph.getByRole('link').allTextContents()).toEqual(['chief', 'reader', 'sell']);
    await button('Remove reader').click();
    await expect.poll(() => graph.getByRole('link', { name: 'reader' }).count(), within).toBe(0);
    await button('Undo').click();
    await graph.getByRole('link', { name: 'reader' }).click();
    await heading('reader').waitFor();
  });

  it('are created in a client, described, and deleted', async () => {
    const { page, button, field, heading } = await shop.visit('master/shop/roles?client=till');
    await button('Create role').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('refund');
    await dialog.getByLabel('Description').fill('Pays money');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await heading('till · refund').waitFor();
    await expect.poll(() => field('Description').inputValue(), within).toBe('Pays money');
    await field('Description').fill('Pays money back');
    await button('Save').click();
    await page.getByText('refund is saved.').waitFor();
    const roles = async () => {
      const [client] = (await shop.admin.send('GET', '/admin/realms/shop/clients?clientId=till')).body;
      const { body } = await shop.admin.send('GET', `/admin/realms/shop/clients/${client.id}/roles`);
      return body.map(({ name, description }: Record<string, string>) => [name, description]);
    };
    expect(await roles()).toContainEqual(['refund', 'Pays money back']);
    await button('Delete').click();
    await button('Apply').click();
    await page.getByText('refund is deleted.').waitFor();
    expect(await roles()).toEqual([['sell', undefined]]);
  });

  it('are accessible: list and all tabs of a role', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/roles');
    const { page, button, heading } = visitor;
    await button('editor').waitFor();
    await expectAccessible(page);
    await button('editor').click();
    await heading('editor').waitFor();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
