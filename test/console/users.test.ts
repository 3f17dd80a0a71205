import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { userOf } from '../support/fixture.js';
import { expectAccessible, inAllAppearances, signIn, useConsole, type Visitor, within } from './visitor.js';

const total = 320;
/** More names than a page has. */
const names = (kind: string) => Array.from({ length: 60 }, (_, at) => `${kind}-${at}`);
const nameOf = (at: number) => `user-${String(at).padStart(3, '0')}`;

describe.skipIf(!hasBrowser)('users in the console', () => {
  const password = [{ type: 'password', value: 'pw' }];
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      roles: {
        realm: [{ name: 'reader' }, { name: 'editor', composites: { realm: ['reader'] } }],
        client: { 'account-console': names('duty').map((name) => ({ name })) },
      },
      groups: [{ name: 'staff', realmRoles: ['editor'] }, ...names('team').map((name) => ({ name }))],
      users: [
        {
          username: 'member',
          groups: names('team').map((name) => `/${name}`),
          clientRoles: { 'account-console': names('duty') },
          clientConsents: [{ clientId: 'account', grantedClientScopes: ['email'] }],
          credentials: password,
        },
        ...Array.from({ length: total }, (_, at) => ({
          username: nameOf(at),
          firstName: at % 2 === 0 ? 'Ann' : 'Bob',
          email: `${nameOf(at)}@shop.example`,
          enabled: at % 10 !== 0,
        })),
        {
          username: 'manager',
          enabled: true,
          attributes: { floor: ['3'] },
          clientRoles: { 'realm-management': ['manage-users', 'view-users'] },
          credentials: password,
        },
        {
          username: 'watcher',
          enabled: true,
          attributes: { floor: ['2'] },
          clientRoles: { 'realm-management': ['view-users'] },
          credentials: password,
        },
      ],
    });
    expect(made.status).toBe(201);
  });
  const watcher = { username: 'watcher', password: 'pw' };
  const manager = { username: 'manager', password: 'pw' };

  const stored = async (username: string) =>
    (await shop.admin.send('GET', `/admin/realms/shop/users?username=${username}&exact=true`)).body[0];
  const rows = ({ page }: Visitor) => page.getByRole('row').getByText(/^user-\d+$/);
  const openUser = async (visitor: Visitor, username: string) => {
    await visitor.open(`master/shop/users?search=${username}`);
    await visitor.button(username).click();
    await visitor.heading(username).waitFor();
  };

  it('are found as one types, filtered, and sorted, all of which is in the address', async () => {
    const visitor = await shop.visit('master/shop/users');
    const { page } = visitor;
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
    await page.getByRole('searchbox', { name: 'Search users' }).fill('user-31');
    await page.getByText('10 of 10 loaded').waitFor();
    expect(await rows(visitor).allTextContents()).toEqual(Array.from({ length: 10 }, (_, at) => nameOf(310 + at)));
    await page.getByRole('button', { name: 'Username' }).click();
    await expect.poll(() => rows(visitor).first().textContent(), within).toBe('user-319');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Disabled (1)' }).click();
    await page.getByText('1 of 1 loaded').waitFor();
    const copy = await visitor.context.newPage();
    await copy.goto(page.url());
    await copy.getByText('1 of 1 loaded').waitFor();
    expect(await copy.getByText('user-310', { exact: true }).count()).toBe(1);
  });

  it('are filtered by group, role, and attribute, all of which is in the address', async () => {
    const visitor = await shop.visit('master/shop/users');
    const { page } = visitor;
    const choose = async (filter: string, option: string) => {
      await page.getByRole('combobox', { name: filter, exact: true }).fill(option.replace('/', ''));
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Group', '/team-7');
    await page.getByText('1 of 1 loaded').waitFor();
    await page.getByRole('button', { name: 'member', exact: true }).waitFor();
    await choose('Role', 'reader');
    await page.getByText('Nothing matches the search and the filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
    const attribute = page.getByRole('searchbox', { name: 'Attribute or name=value' });
    await attribute.fill('floor');
    await page.getByText('2 of 2 loaded').waitFor();
    await attribute.fill('floor = 3');
    await page.getByText('1 of 1 loaded').waitFor();
    await page.reload();
    await page.getByText('1 of 1 loaded').waitFor();
    expect(await attribute.inputValue()).toBe('floor = 3');
    expect(await page.getByRole('row').getByText('manager', { exact: true }).count()).toBe(1);
  });

  it('are loaded page by page while one scrolls, and only those in sight are in the page', async () => {
    const visitor = await shop.visit('master/shop/users');
    const { page } = visitor;
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
    const list = page.getByRole('region', { name: 'Users' });
    await expect
      .poll(async () => {
        await list.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
        return page.getByText(`${total + 3} of ${total + 3} loaded`).count();
      }, within)
      .toBe(1);
    await list.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    await page.getByText('watcher', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(80);
  });

  it('are where they were after Back, with the rows that were loaded', async () => {
    const visitor = await shop.visit('master/shop/users');
    const { page, button, heading } = visitor;
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
    const list = page.getByRole('region', { name: 'Users' });
    await list.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight));
    await page.getByText(`250 of ${total + 3} loaded`).waitFor();
    await list.evaluate((frame) => frame.scrollTo(0, 200 * 44));
    await button('user-201').click();
    await heading('user-201').waitFor();
    await page.goBack();
    await page.getByText(`250 of ${total + 3} loaded`).waitFor();
    await expect.poll(() => list.evaluate((frame) => frame.scrollTop), within).toBe(200 * 44);
    // what was changed in between is loaded again, at the same place
    await button('user-201').click();
    await page.getByLabel('First name').fill('Changed');
    await button('Save').click();
    await page.getByText('user-201 is saved.').waitFor();
    await page.goBack();
    await expect.poll(() => list.evaluate((frame) => frame.scrollTop), within).toBe(200 * 44);
    await page.getByRole('row', { name: 'user-201' }).getByText('Changed').waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
  });

  it('are shown with the columns that were chosen, such as the last login, in low rows', async () => {
    await shop.admin.send('PUT', '/admin/realms/shop', { eventsEnabled: true });
    await userOf(shop.server, 'shop', 'watcher', 'pw');
    const { page, button } = await shop.visit('master/shop/users?search=watcher');
    const row = page.getByRole('row', { name: 'watcher' });
    const times = row.getByRole('cell').getByText(/\d, 20\d\d/);
    await row.waitFor();
    expect(await times.count()).toBe(0);
    await button('Columns').click();
    await page.getByRole('menuitemcheckbox', { name: 'Last login' }).click();
    await expect.poll(() => times.count(), within).toBe(1);
    const before = (await row.boundingBox())?.height ?? 0;
    await page.getByRole('menuitemcheckbox', { name: 'Low rows' }).click();
    await expect.poll(async () => (await row.boundingBox())?.height, within).toBeLessThan(before);
    await page.reload();
    await expect.poll(() => times.count(), within).toBe(1);
  });

  it('are shown by views that are saved under a name', async () => {
    const { page, button, field, open } = await shop.visit('master/shop/users');
    await button('Views').click();
    await page.getByText('Search, filter, or order the list first.').waitFor();
    await open('master/shop/users?search=user-05&sort=-USERNAME');
    await page.getByText('10 of 10 loaded').waitFor();
    await button('Views').click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    await field('Name').fill('Fifties');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText(`50 of ${total + 3} loaded`).waitFor();
    await button('Views').click();
    await page.getByRole('menuitem', { name: 'Fifties' }).click();
    await page.getByText('10 of 10 loaded').waitFor();
    expect(new URL(page.url()).search).toBe('?search=user-05&sort=-USERNAME');
    await button('Fifties').click();
    await page.getByRole('menuitem', { name: 'Delete Fifties' }).click();
    await page.getByText('Fifties is deleted.').waitFor();
    await button('Undo').click();
    await button('Fifties').waitFor();
    await page.reload();
    await button('Fifties').waitFor();
  });

  it('are disabled together after a preview, and enabled again by undo', async () => {
    const { page } = await shop.visit('master/shop/users?search=user-05');
    await page.getByText('10 of 10 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Disable' }).click();
    // one of the ten is disabled already
    await page.getByText('9 of 10 users would change.').waitFor();
    const changes = page.getByRole('region', { name: 'Changes' });
    // one line for all of them
    expect(await changes.getByText('Enabled', { exact: true }).count()).toBe(1);
    await changes.getByText(/^user-05\d, user-05\d,/).waitFor();
    expect((await stored('user-051')).enabled).toBe(true);
    await page.getByRole('button', { name: 'Apply to 10 users' }).click();
    await page.getByText('9 users are changed.').waitFor();
    expect((await stored('user-051')).enabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect([(await stored('user-050')).enabled, (await stored('user-051')).enabled]).toEqual([false, true]);
  });

  it('are selected in a range with Shift, and all that match, also those that are not loaded', async () => {
    const { page, button } = await shop.visit('master/shop/users?search=user-');
    await page.getByText(`50 of ${total} loaded`).waitFor();
    await page.getByRole('checkbox', { name: 'Select user-002' }).check();
    await page.getByRole('checkbox', { name: 'Select user-006' }).click({ modifiers: ['Shift'] });
    await page.getByText('5 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select user-004' }).click({ modifiers: ['Shift'] });
    await page.getByText('2 selected').waitFor();
    expect(await button(/that match/).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await page.getByText('50 selected').waitFor();
    await button(`Select all ${total} that match`).click();
    await page.getByText(`${total} selected`).waitFor();
    await button('Disable').click();
    await page.getByText(`288 of ${total} users would change.`).waitFor();
    await button(`Apply to ${total} users`).click();
    await page.getByText('288 users are changed.').waitFor();
    expect((await stored('user-319')).enabled).toBe(false);
    await button('Undo').click();
    await page.getByText('Undone.').waitFor();
    expect([(await stored('user-310')).enabled, (await stored('user-319')).enabled]).toEqual([false, true]);
  });

  it('join a group together, and have its roles, for reasons that are shown', async () => {
    const visitor = await shop.visit('master/shop/users?search=user-06');
    const { page } = visitor;
    await page.getByRole('checkbox', { name: 'Select user-061' }).check();
    await page.getByRole('checkbox', { name: 'Select user-062' }).check();
    await page.getByRole('button', { name: 'Join group' }).click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Group' }).click();
    await page.getByRole('option', { name: '/staff' }).click();
    await page.getByText('2 of 2 users would change.').waitFor();
    await page.getByRole('button', { name: 'Apply to 2 users' }).click();
    await page.getByText('2 users are changed.').waitFor();
    await openUser(visitor, 'user-061');
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'Why does the user have reader?' }).click();
    await page.getByText('The group /staff has it.').waitFor();
    expect(await page.getByText('The role editor, which the user has, contains it.').count()).toBe(1);
  });

  it('get roles of clients, which are found by both names', async () => {
    const { page, button, heading } = await shop.visit('master/shop/users?search=user-002');
    await button('user-002').click();
    await heading('user-002').waitFor();
    await page.getByRole('tab', { name: 'Roles' }).click();
    const add = page.getByRole('combobox', { name: 'Add role' });
    await add.fill('no such role');
    await page.getByText('Nothing found').waitFor();
    await add.fill('console duty-7');
    await page.getByRole('option', { name: 'account-console · duty-7', exact: true }).click();
    await page.getByText('account-console · duty-7 is added.').waitFor();
    await page.getByRole('link', { name: 'account-console · duty-7', exact: true }).waitFor();
    const { id } = await stored('user-002');
    const { clientMappings } = (await shop.admin.send('GET', `/admin/realms/shop/users/${id}/role-mappings`)).body;
    expect(clientMappings['account-console'].mappings).toMatchObject([{ name: 'duty-7' }]);
  });

  it('get required actions that are chosen from those of the realm', async () => {
    const { page, button, heading } = await shop.visit('master/shop/users?search=user-001');
    await button('user-001').click();
    await heading('user-001').waitFor();
    await page.getByRole('combobox', { name: 'Required actions' }).click();
    await page.getByRole('option', { name: 'Verify Email' }).click();
    await button('Save').click();
    await page.getByText('user-001 is saved.').waitFor();
    expect((await stored('user-001')).requiredActions).toEqual(['VERIFY_EMAIL']);
  });

  it('are created, and errors stand at their fields', async () => {
    const { page, heading } = await shop.visit('master/shop/users');
    await page.getByRole('button', { name: 'Create user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('user-001');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText(/exists/).waitFor();
    await dialog.getByLabel('Username').fill('newcomer');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await heading('newcomer').waitFor();
    expect((await stored('newcomer')).enabled).toBe(true);
  });

  it('keep the changes of two who save at once', async () => {
    const [one, other] = await Promise.all([shop.visit(), shop.visit()]);
    await Promise.all([openUser(one, 'user-100'), openUser(other, 'user-100')]);
    await one.page.getByLabel('First name').fill('Theirs');
    await one.page.getByLabel('Last name').fill('Kept');
    await one.page.getByRole('button', { name: 'Save' }).click();
    await one.page.getByText('user-100 is saved.').waitFor();
    await other.page.getByLabel('First name').fill('Mine');
    await other.field('Email').fill('mine@shop.example');
    await other.page.getByRole('button', { name: 'Save' }).click();
    const dialog = other.page.getByRole('dialog', { name: 'Somebody else has saved in the meantime' });
    await dialog.waitFor();
    await expectAccessible(other.page);
    expect(await dialog.getByRole('button', { name: 'Save both' }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'First name: Mine: Mine' }).check();
    await dialog.getByRole('button', { name: 'Save both' }).click();
    await other.page.getByText('user-100 is saved.').waitFor();
    expect(await stored('user-100')).toMatchObject({
      firstName: 'Mine',
      lastName: 'Kept',
      email: 'mine@shop.example',
    });
  });

  it('are kept as they were typed while an expired session is renewed in a second window', async () => {
    const { page, context } = await shop.visit('shop/shop/users?search=user-110', manager);
    await page.getByRole('button', { name: 'user-110' }).click();
    await page.getByLabel('Last name').fill('Typed');
    await shop.admin.send('POST', `/admin/realms/shop/users/${(await stored('manager')).id}/logout`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your session has expired.').waitFor();
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await signIn(popup, manager);
    await page.getByText('user-110 is saved.').waitFor();
    expect((await stored('user-110')).lastName).toBe('Typed');
  });

  it('are found when a lost connection is back', async () => {
    const { page, context } = await shop.visit('master/shop/users');
    await page.getByText('user-001', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByRole('searchbox', { name: 'Search users' }).fill('user-120');
    await page.getByText('The connection to the server is lost.').waitFor();
    await context.setOffline(false);
    await page.getByText('1 of 1 loaded').waitFor();
    expect(await page.getByText('The connection to the server is lost.').count()).toBe(0);
  });

  it('are shown to those who may only look, with the permission that is missing', async () => {
    const { page } = await shop.visit('shop/shop/users?search=user-130', watcher);
    await page.getByRole('button', { name: 'user-130' }).click();
    await page.getByLabel('Last name').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await page.getByText('Permission manage-users is required').waitFor();
    expect(await page.getByText('Some of this is hidden from you').count()).toBe(0);
  });

  it('have lists that load page by page and state how long they are', async () => {
    const visitor = await shop.visit();
    const { page, button } = visitor;
    await openUser(visitor, 'member');
    for (const [tab, last] of [
      ['Groups', '/team-9'],
      ['Roles', 'account-console · duty-9'],
    ]) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      const all = Number(
        /\d+$/.exec((await page.getByText(/^50 of \d+/).textContent())?.replace(' loaded', '') ?? '')?.[0],
      );
      expect(all).toBeGreaterThanOrEqual(60);
      await button('Load more').click();
      await page.getByText(`${all} of ${all} loaded`).waitFor();
      await page.getByRole('link', { name: String(last), exact: true }).waitFor();
      expect(await button('Load more').count()).toBe(0);
    }
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await page.getByText('1 of 1 loaded').waitFor();
    await page.getByRole('tab', { name: 'Consents and identities' }).click();
    await page.getByText('1 of 1 loaded').waitFor();
  });

  it('are accessible: list, actions, and all tabs of a user', inAllAppearances, async () => {
    const visitor = await shop.visit('master/shop/users?search=user-14');
    const { page } = visitor;
    await page.getByRole('checkbox', { name: 'Select user-141' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('1 of 1 users would change.').waitFor();
    await expectAccessible(page);
    await openUser(visitor, 'user-141');
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectAccessible(page);
    }
    expect(visitor.faults).toEqual([]);
  });
});
