import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, type Visitor } from './visitor.js';

describe.skipIf(!hasBrowser)('the realm as code in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      roles: { realm: [{ name: 'reader', description: 'Reads' }] },
      users: [
        {
          username: 'looker',
          enabled: true,
          clientRoles: { 'realm-management': ['view-realm'] },
          credentials: [{ type: 'password', value: 'pw' }],
        },
        {
          username: 'viewer',
          enabled: true,
          clientRoles: { 'realm-management': ['realm-admin'] },
          credentials: [{ type: 'password', value: 'pw' }],
        },
      ],
    });
    expect(made.status).toBe(201);
  });
  const choose = ({ page }: Visitor, files: Record<string, string>) =>
    page
      .locator('input[type=file]')
      .setInputFiles(
        Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
      );
  const roles = async () =>
    (await shop.admin.send('GET', '/admin/realms/shop/roles')).body.map(({ name }: { name: string }) => name);

  it('is planned from files, applied, and reverted', async () => {
    const visitor = await shop.visit('master/shop/code');
    const { page, button, heading, field, faults } = visitor;
    await heading('Realm as code').waitFor();
    await page.getByText('No file was applied yet').waitFor();
    await choose(visitor, {
      'roles.yaml': 'roles:\n  realm:\n    - name: auditor\n      description: Reads reports\n',
      'realm.json': JSON.stringify({ displayName: 'The shop' }),
    });
    await heading('Plan of roles.yaml, realm.json').waitFor();
    await page.getByText(/^1 to create, 1 to update, 0 to delete/).waitFor();
    expect(await page.getByText('Reads reports').count()).toBe(1);
    const others = page.getByRole('switch', { name: /^Delete objects that the files do not have/ });
    await others.check();
    await button('Apply and delete 1').waitFor();
    await others.uncheck();
    await button(/^Apply$/).waitFor();
    expect(await roles()).not.toContain('auditor');
    await field('Source').fill('https://git.example/shop');
    await field('Revision').fill('7c1e');
    await button(/^Apply$/).click();
    await page.getByText('This realm follows https://git.example/shop.').waitFor();
    await page.getByText(/^Last applied .* by admin\. Revision: 7c1e$/).waitFor();
    await page.getByRole('row').getByText('admin', { exact: true }).waitFor();
    expect(await roles()).toContain('auditor');
    await page.getByRole('button', { name: '1', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Revert apply 1' });
    await dialog.getByText(/^0 to create, 1 to update, 1 to delete/).waitFor();
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await page.getByText('Revert of 1').waitFor();
    expect(await roles()).not.toContain('auditor');
    expect(faults).toEqual([]);
  });

  it('says on the screen of an object that the file describes it, and shows no history to those who may not view events', async () => {
    const file = { roles: { realm: [{ name: 'described' }] } };
    const apply = { desired: file, modes: { roles: 'KEEP' }, source: 'https://git.example/shop' };
    expect((await shop.admin.send('POST', '/admin/realms/shop/apply', apply)).status).toBe(200);
    const described = (await shop.admin.send('GET', '/admin/realms/shop/roles/described')).body.id;
    const { id: other } = (await shop.admin.send('GET', '/admin/realms/shop/roles/offline_access')).body;
    const { page, open, faults } = await shop.visit(`master/shop/roles/${btoa(`Role:${described}`)}`);
    const notice = page.getByText('The file that this realm follows describes this object.');
    await notice.waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Realm as code' }).click();
    await page.getByText('This realm follows https://git.example/shop.').waitFor();
    await open(`master/shop/roles/${btoa(`Role:${other}`)}`);
    await page.getByRole('heading', { name: 'offline_access' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(faults).toEqual([]);
    const looker = await shop.visit('shop/shop/code', { username: 'looker', password: 'pw' });
    await looker.page.getByText('This realm follows https://git.example/shop.').waitFor();
    expect(await looker.page.getByText('History').count()).toBe(0);
    expect(looker.faults).toEqual([]);
  });

  it('is planned in the modes that the files have, whatever the switch says', async () => {
    const visitor = await shop.visit('master/shop/code');
    const { page } = visitor;
    await visitor.heading('Realm as code').waitFor();
    const file = (mode: string) =>
      `$realmgate: { modes: { roles: ${mode} } }\nroles:\n  realm:\n    - { name: buyer }\n    - { name: seller }\n`;
    await choose(visitor, { 'roles.yaml': file('KEEP') });
    await page.getByText(/^2 to create, 0 to update, 0 to delete/).waitFor();
    await page.getByRole('switch', { name: /^Delete objects that the files do not have/ }).check();
    await page.getByText(/^2 to create, 0 to update, 0 to delete/).waitFor();
    expect(await page.getByText('Notes').count()).toBe(0);
    await visitor.button('Discard').click();
    await choose(visitor, { 'roles.yaml': file('FULL') });
    await page.getByText(/^2 to create, 0 to update, [1-9]\d* to delete/).waitFor();
  });

  it('shows why files are refused, by the name of the file', async () => {
    const visitor = await shop.visit('master/shop/code');
    await visitor.heading('Realm as code').waitFor();
    await choose(visitor, { 'list.json': '[]' });
    await visitor.page.getByText('list.json must have an object with the fields of a realm.').waitFor();
    await choose(visitor, { 'a.json': '{"displayName":"A"}', 'b.yml': 'displayName: B' });
    await visitor.page.getByText('Both b.yml and an earlier file have displayName.').waitFor();
    await choose(visitor, { 'bad.yaml': 'roles: [' });
    await visitor.page.getByText(/^bad\.yaml: /).waitFor();
    expect(await visitor.heading(/^Plan of/).count()).toBe(0);
  });

  it('names the place of each fault of a file', async () => {
    const visitor = await shop.visit('master/shop/code');
    await visitor.heading('Realm as code').waitFor();
    const clients = [
      { clientId: 'a', redirectUris: ['x#y'] },
      { clientId: 'b', rootUrl: 'data:x' },
    ];
    await choose(visitor, { 'clients.json': JSON.stringify({ clients }) });
    await visitor.page.getByText('clients.1.rootUrl: Root URL uses an illegal scheme').waitFor();
    const first = visitor.page.getByText('clients.0.redirectUris.0: Redirect URIs must not contain an URI fragment');
    expect(await first.count()).toBe(1);
  });

  it('does not apply a plan that the realm has left behind, and shows the new one', async () => {
    const visitor = await shop.visit('master/shop/code');
    const { page, button } = visitor;
    await visitor.heading('Realm as code').waitFor();
    await choose(visitor, { 'shop.json': '{"roles":{"realm":[{"name":"reader","description":"Reads all"}]}}' });
    await page.getByText(/^0 to create, 1 to update/).waitFor();
    const changed = await shop.admin.send('PUT', '/admin/realms/shop/roles/reader', {
      name: 'reader',
      description: 'Read by hand',
    });
    expect(changed.status).toBe(204);
    await button(/^Apply$/).click();
    await page.getByText('The realm has changed since the plan was made. This is the new plan.').waitFor();
    await page.getByText('Read by hand').waitFor();
    await button(/^Apply$/).click();
    await page.getByText('The plan is applied.').waitFor();
    expect((await shop.admin.send('GET', '/admin/realms/shop/roles/reader')).body.description).toBe('Reads all');
  });

  it('is saved as a file that can be planned again without changes', async () => {
    const visitor = await shop.visit('master/shop/code');
    await visitor.button('Download').click();
    const saved = visitor.page.waitForEvent('download');
    await visitor.page.getByRole('menuitem', { name: 'YAML without users' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('shop.yaml');
    await choose(visitor, { 'shop.yaml': readFileSync(await download.path(), 'utf8') });
    await visitor.page.getByText('The realm is as the files describe it.').waitFor();
    expect(await visitor.button(/^Apply$/).count()).toBe(0);
  });

  it('is accessible', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/code');
    await visitor.heading('Realm as code').waitFor();
    await choose(visitor, { 'shop.json': '{"roles":{"realm":[{"name":"packer","description":"Packs"}]}}' });
    await visitor.page.getByText(/^1 to create/).waitFor();
    await expectAccessible(visitor.page);
  });
});
