import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operatorContext } from '../../src/cli/with-services.js';
import { performWrite } from '../../src/services/core/perform.js';
import { apply } from '../../src/services/realms/desired/operations.js';
import { realmByName } from '../../src/services/realms/locate.js';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, signIn, useConsole, type Visitor, within } from './visitor.js';

const roles = Array.from({ length: 60 }, (_, at) => `role-${at}`);

describe.skipIf(!hasBrowser)('events in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      eventsEnabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      users: [{ username: 'clerk', enabled: true, credentials: [{ type: 'password', value: 'pw' }] }],
    });
    expect(made.status).toBe(201);
    await admin.send('POST', '/admin/realms/master/users', { username: 'idle', enabled: true });
    for (const name of roles) await admin.send('POST', '/admin/realms/shop/roles', { name, description: 'Old' });
    await admin.send('PUT', '/admin/realms/shop/roles/role-7', { name: 'role-7', description: 'New, and "better"' });
  });
  const file = async ({ page, button }: Visitor, format: string) => {
    await button('Export').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const download = await saved;
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };

  it('are found by filters that are in the address, and show what has changed', async () => {
    const visitor = await shop.visit('master/shop/audit?type=UPDATE');
    const { page, heading, faults } = visitor;
    await heading('Audit records').waitFor();
    await page.getByText('1 of 1 loaded').waitFor();
    await page.getByRole('button', { name: 'role.update' }).click();
    const record = page.getByRole('dialog', { name: 'role.update' });
    await record.getByText('New, and "better"', { exact: true }).waitFor();
    expect(await record.getByRole('deletion').allTextContents()).toEqual(['Old']);
    await record.getByRole('link', { name: 'admin' }).waitFor();
    const copy = await visitor.context.newPage();
    await copy.goto(page.url());
    await copy.getByRole('dialog', { name: 'role.update' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('are those of one actor, of a kind of objects, or of one object, which are in the address', async () => {
    const { page, button, open } = await shop.visit('master/shop/audit');
    await page.getByText('50 of 61 loaded').waitFor();
    await page.getByRole('combobox', { name: 'Actor' }).fill('idl');
    await page.getByRole('option', { name: 'idle' }).click();
    await page.getByText('No events').waitFor();
    await page.getByText('Nothing matches the search and the filters.').waitFor();
    await page.getByRole('combobox', { name: 'Actor' }).fill('adm');
    await page.getByRole('option', { name: 'admin' }).click();
    await page.getByText('50 of 61 loaded').waitFor();
    await page.getByRole('combobox', { name: 'Object' }).click();
    await page.getByRole('option', { name: 'User', exact: true }).click();
    await page.getByText('No events').waitFor();
    expect([...new URL(page.url()).searchParams.keys()].sort()).toEqual(['actor', 'object']);
    await button('Clear filters').click();
    await page.getByText('50 of 61 loaded').waitFor();
    await open('master/shop/audit?type=UPDATE');
    await button('role.update').click();
    await button('All changes of this object').click();
    await page.getByText('1 of 1 loaded').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).fill('');
    await page.getByRole('option', { name: 'Created' }).click();
    await button('role.create').waitFor();
    await page.getByText('1 of 1 loaded').waitFor();
  });

  it('name the command line, where nobody is logged in', async () => {
    const ctx = operatorContext(shop.server.services);
    const locate = async () => ({ realm: await realmByName(ctx, 'shop') });
    const desired = { roles: { realm: [{ name: 'by-command' }] } };
    await performWrite(ctx, apply, locate, { desired, modes: { roles: 'KEEP' } });
    const { page } = await shop.visit('master/shop/audit?search=by-command');
    await expect.poll(() => page.getByText('the command line', { exact: true }).count(), within).toBeGreaterThan(0);
  });

  it('come live while one looks, if they match the filters', async () => {
    const { page } = await shop.visit('master/shop/audit?type=DELETE');
    await page.getByText('No events').waitFor();
    const started = page.waitForEvent('websocket').then((socket) =>
      // the first message confirms that the subscription has started
      socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"cursor"')),
    );
    await page.getByRole('switch', { name: 'Live' }).check();
    await started;
    await shop.admin.send('POST', '/admin/realms/shop/roles', { name: 'brief' });
    await shop.admin.send('DELETE', '/admin/realms/shop/roles/brief');
    await page.getByRole('button', { name: 'role.delete' }).waitFor();
    expect(await page.getByText('1 of 1 loaded').count()).toBe(1);
  });

  it('are exported as JSON and CSV: all that match, not only those that are loaded', async () => {
    const visitor = await shop.visit('master/shop/audit?type=CREATE&search=role-');
    await visitor.page.getByText('50 of 60 loaded').waitFor();
    const json = await file(visitor, 'JSON');
    expect(json.name).toBe('shop-audit.json');
    expect(JSON.parse(json.text)).toHaveLength(roles.length);
    const csv = (await file(visitor, 'CSV')).text.trimEnd().split('\r\n');
    expect(csv).toHaveLength(roles.length + 1);
    expect(csv[0]?.split(',').slice(0, 3)).toEqual(['id', 'time', 'operation']);
  });

  it('show logins, with the reason of those that failed', async () => {
    const clerk = { username: 'clerk', password: 'pw' };
    const context = await shop.browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${shop.server.url}/console/shop`);
    await signIn(page, { ...clerk, password: 'wrong' });
    await page.getByText('Invalid username or password').waitFor();
    await signIn(page, clerk);
    await page.getByRole('heading', { level: 1 }).or(page.getByText('You may not administer')).first().waitFor();
    const visitor = await shop.visit('master/shop/logins?type=LOGIN_ERROR');
    await visitor.page.getByText('1 of 1 loaded').waitFor();
    await visitor.page.getByRole('button', { name: 'Failed login' }).click();
    await visitor.page.getByRole('dialog').getByText('invalid_user_credentials').waitFor();
    await visitor.open('master/shop/logins?type=LOGIN');
    await expect.poll(() => visitor.page.getByText('clerk', { exact: true }).count(), within).toBe(1);
    await visitor.page.getByRole('combobox', { name: 'User' }).fill('cle');
    await visitor.page.getByRole('option', { name: 'clerk' }).click();
    await visitor.page.getByText('1 of 1 loaded').waitFor();
    expect(new URL(visitor.page.url()).searchParams.get('actor')).not.toBeNull();
  });

  it('are accessible', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/audit');
    await visitor.page.getByRole('button', { name: 'role.create' }).first().waitFor();
    await expectAccessible(visitor.page);
    await visitor.open('master/shop/logins');
    await visitor.heading('Login events').waitFor();
    await visitor.page.getByRole('region', { name: 'Login events' }).or(visitor.page.getByText('No events')).waitFor();
    await expectAccessible(visitor.page);
    await visitor.open('master/shop/audit?type=UPDATE');
    await visitor.page.getByRole('button', { name: 'role.update' }).click();
    await visitor.page.getByRole('dialog').getByText('Before', { exact: true }).waitFor();
    await expectAccessible(visitor.page);
  });

  it('are told in words, with the names of what was changed', async () => {
    const [clerk] = (await shop.admin.send('GET', '/admin/realms/shop/users?username=clerk')).body;
    const group = await shop.admin.send('POST', '/admin/realms/shop/groups', { name: 'tills' });
    const [tills] = (await shop.admin.send('GET', '/admin/realms/shop/groups?search=tills')).body;
    expect(group.status).toBe(201);
    await shop.admin.send('PUT', `/admin/realms/shop/groups/${tills.id}`, { name: 'tills', attributes: { at: ['2'] } });
    await shop.admin.send('PUT', `/admin/realms/shop/users/${clerk.id}`, { emailVerified: true });
    // a name that is no part of an address
    await shop.admin.send('POST', '/admin/realms/shop/roles', { name: '50%off' });
    await shop.admin.send('DELETE', '/admin/realms/shop/roles/50%25off');
    const { page, heading, button } = await shop.visit('master/shop');
    await heading('Overview of shop').waitFor();
    await page.getByText('Group /tills').first().waitFor();
    await page.getByText('Realm role 50%off').first().waitFor();
    await page.getByText('User clerk').waitFor();
    await page.getByRole('link', { name: 'Audit records' }).click();
    await page.getByText('User clerk').waitFor();
    await button('user.update').click();
    const record = page.getByRole('dialog', { name: 'user.update' });
    await record.getByText('Email verified', { exact: true }).waitFor();
    expect(await record.getByRole('deletion').allTextContents()).toEqual(['no']);
    expect(await record.getByRole('insertion').allTextContents()).toEqual(['yes']);
  });
});
