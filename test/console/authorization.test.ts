import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, type Visitor } from './visitor.js';

describe.skipIf(!hasBrowser)('authorization services of a client', () => {
  const shop = useConsole(async (admin) => {
    const client = { clientId: 'vault', serviceAccountsEnabled: true, authorizationServicesEnabled: true };
    const users = [
      {
        username: 'watcher',
        enabled: true,
        clientRoles: { 'realm-management': ['view-clients', 'view-authorization'] },
        credentials: [{ type: 'password', value: 'pw' }],
      },
    ];
    const made = await admin.send('POST', '/admin/realms', { realm: 'shop', enabled: true, clients: [client], users });
    expect(made.status).toBe(201);
  });
  const id = async () => (await shop.admin.send('GET', '/admin/realms/shop/clients?clientId=vault')).body[0].id;
  const stored = async (below = '') =>
    (await shop.admin.send('GET', `/admin/realms/shop/clients/${await id()}/authz/resource-server${below}`)).body;
  const open = async (as?: { username: string; password: string }): Promise<Visitor> =>
    shop.visit(`${as ? 'shop' : 'master'}/shop/clients/${btoa(`Client:${await id()}`)}?tab=authorization`, as);
  const upload = async ({ page }: Visitor, name: string, content: string) => {
    await page.getByRole('button', { name: 'Import authorization settings' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import authorization settings' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    return dialog;
  };

  it('have settings, which are changed after a preview', inAllAppearances, async () => {
    const { page, button, faults } = await open();
    await page.getByRole('combobox', { name: 'Decision strategy' }).click();
    await page.getByRole('option', { name: 'Affirmative' }).click();
    await page.getByRole('combobox', { name: 'Without a permission for a resource' }).click();
    await page.getByRole('option', { name: 'Permitted' }).click();
    await page.getByRole('switch', { name: 'The application may manage its resources' }).uncheck();
    await button('Check changes').click();
    const preview = page.getByRole('status').filter({ hasText: 'What would change' });
    await preview.getByText('Decision strategy').waitFor();
    expect(await stored('/settings')).toMatchObject({ decisionStrategy: 'UNANIMOUS' });
    await expectAccessible(page);
    await button('Save').click();
    await page.getByText('vault is saved.').waitFor();
    expect(await stored('/settings')).toMatchObject({
      decisionStrategy: 'AFFIRMATIVE',
      policyEnforcementMode: 'PERMISSIVE',
      allowRemoteResourceManagement: false,
    });
    expect(faults).toEqual([]);
  });

  it('are imported from a file after a preview, in JSON or YAML', async () => {
    const visitor = await open();
    const { page } = visitor;
    const settings = {
      scopes: [{ name: 'open' }],
      resources: [{ name: 'drawer', uris: ['/drawer'], scopes: [{ name: 'open' }] }],
      policies: [
        { name: 'nobody', type: 'user', logic: 'POSITIVE', config: { users: '["watcher"]' } },
        {
          name: 'drawer permission',
          type: 'resource',
          config: { resources: '["drawer"]', applyPolicies: '["nobody"]' },
        },
      ],
    };
    const dialog = await upload(visitor, 'vault.json', JSON.stringify(settings));
    await dialog.getByRole('status').getByText('drawer', { exact: false }).first().waitFor();
    expect(await stored('/resource?name=drawer')).toEqual([]);
    await dialog.getByRole('button', { name: 'Import authorization settings' }).click();
    await page.getByText('The settings are imported.').waitFor();
    expect(await stored('/resource?name=drawer')).toMatchObject([{ uris: ['/drawer'], scopes: [{ name: 'open' }] }]);
    // what was imported is there to be edited and chosen
    await page.getByRole('button', { name: 'Delete drawer permission' }).waitFor();
    await page.getByRole('button', { name: 'Delete drawer', exact: true }).waitFor();
    const again = await upload(visitor, 'more.yaml', 'scopes:\n  - name: close\n');
    await again.getByRole('status').waitFor();
    await again.getByRole('button', { name: 'Import authorization settings' }).click();
    await page.getByRole('button', { name: 'Delete close' }).waitFor();
  });

  it('say at the file what is wrong with it, and import nothing', async () => {
    const visitor = await open();
    const broken = await upload(visitor, 'broken.json', '{');
    await broken.getByText(/^broken\.json: /).waitFor();
    await visitor.page.keyboard.press('Escape');
    await broken.waitFor({ state: 'hidden' });
    const refused = await upload(visitor, 'odd.json', JSON.stringify({ resources: [{ name: 'odd', color: 'red' }] }));
    await refused.getByText(/color/).or(visitor.page.getByRole('alert').getByText(/color/)).first().waitFor();
    expect(await stored('/resource?name=odd')).toEqual([]);
  });

  it('have no form for a policy with more objects than it can load', async () => {
    const names = Array.from({ length: 501 }, (_, at) => `guest-${at}`);
    const partial = { ifResourceExists: 'SKIP', users: names.map((username) => ({ username, enabled: true })) };
    expect((await shop.admin.send('POST', '/admin/realms/shop/partialImport', partial)).status).toBe(200);
    const all = (await shop.admin.send('GET', '/admin/realms/shop/users?search=guest-&max=1000')).body;
    const create = async (name: string, users: { id: string }[]) =>
      shop.admin.send('POST', `/admin/realms/shop/clients/${await id()}/authz/resource-server/policy/user`, {
        name,
        users: users.map((user) => user.id),
      });
    expect((await create('guests', all)).status).toBe(201);
    expect((await create('hosts', all.slice(0, 500))).status).toBe(201);
    const { page, button, field } = await open();
    await button('Edit guests').click();
    await page.getByText('It has more than 500 objects').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await button('Edit hosts').click();
    await page.getByRole('dialog', { name: 'Edit hosts' }).waitFor();
    expect(await field('Name').inputValue()).toBe('hosts');
  });

  it('are read by those who may not change them', async () => {
    const { page, heading } = await open({ username: 'watcher', password: 'pw' });
    await heading('Resources').waitFor();
    await page.getByRole('switch', { name: 'The application may manage its resources' }).waitFor();
    for (const name of ['Import authorization settings', 'Add resource', 'Check changes'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });
});
