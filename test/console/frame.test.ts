import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { userOf } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import { expectAccessible, inAllAppearances, signIn, useConsole, within } from './visitor.js';

/** Bytes that the first page may take, as they are sent: its JavaScript, and all of it. */
const budget = { scripts: 200 * 1024, all: 300 * 1024 };

const storage = 'org.keycloak.storage.UserStorageProvider';
const directory = {
  enabled: ['false'],
  vendor: ['other'],
  connectionUrl: ['ldap://directory.example'],
  usersDn: ['ou=people,dc=example'],
  usernameLDAPAttribute: ['uid'],
  rdnLDAPAttribute: ['uid'],
  uuidLDAPAttribute: ['entryUUID'],
  userObjectClasses: ['inetOrgPerson'],
};

describe.skipIf(!hasBrowser)('the frame of the console', () => {
  const shop = useConsole(async (admin) => {
    await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      displayName: 'The shop',
      adminEventsEnabled: true,
      eventsEnabled: true,
      users: [
        {
          username: 'clerk',
          email: 'clerk@shop.example',
          enabled: true,
          clientRoles: { 'realm-management': ['view-users', 'query-users'] },
          credentials: [{ type: 'password', value: 'pw' }],
        },
        { username: 'guest', enabled: true, credentials: [{ type: 'password', value: 'pw' }] },
      ],
      clients: [{ clientId: 'till', enabled: true }],
      identityProviders: [{ alias: 'partner', providerId: 'oidc', enabled: true }],
      components: { [storage]: [{ name: 'Staff directory', providerId: 'ldap', config: directory }] },
    });
    await admin.send('POST', '/', { realm: 'other', enabled: true });
    const desired = { webhooks: [{ name: 'audit-log', url: 'https://hooks.example/audit', enabled: true }] };
    expect((await admin.send('POST', '/admin/realms/shop/apply', { desired })).status).toBe(200);
  });
  const clerk = { username: 'clerk', password: 'pw' };

  it('signs in with a code and PKCE, keeps no token in the browser, and survives a reload', async () => {
    const { page, heading, faults } = await shop.visit();
    await heading('Overview of master').waitFor();
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toMatch(/eyJ|verifier/);
    await page.reload();
    await heading('Overview of master').waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/master/master`);
    expect(faults).toEqual([]);
  });

  it('loads less than 200 KB of JavaScript for the first page, and less than 300 KB in all', async () => {
    const { page } = await shop.visit();
    await page.getByText('Recent changes').waitFor();
    const loaded = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .map((entry) => entry as PerformanceResourceTiming)
        .map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
    );
    const scripts = loaded.filter(({ name }) => name.endsWith('.js'));
    const bytes = (files: typeof loaded) => files.reduce((sum, { size }) => sum + size, 0);
    expect(scripts.length).toBeGreaterThan(1);
    expect(bytes(scripts)).toBeLessThan(budget.scripts);
    expect(loaded.filter(({ name }) => /\.css$|\/graphql$/.test(name)).length).toBeGreaterThan(1);
    expect(bytes(loaded)).toBeLessThan(budget.all);
  });

  const lists = ['users', 'roles', 'clients', 'client-scopes', 'audit', 'logins', 'sessions'];

  it.each(lists)('shows all columns of the list %s in a window of 1280 pixels', async (list) => {
    // a session, a login event, and an audit record
    await shop.admin.send('PUT', '/shop', { displayName: 'The shop' });
    await userOf(shop.server, 'shop', 'clerk', 'pw');
    const { page, open } = await shop.visit('master/shop');
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(`master/shop/${list}`);
    const frame = page.locator('.list');
    await frame.getByRole('row').nth(1).waitFor(within);
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  it.each(lists)('lets the columns of the list %s share the room of a wide window', async (list) => {
    await shop.admin.send('PUT', '/shop', { displayName: 'The shop' });
    await userOf(shop.server, 'shop', 'clerk', 'pw');
    const { page, open } = await shop.visit('master/shop');
    await page.setViewportSize({ width: 2560, height: 1200 });
    await open(`master/shop/${list}`);
    const headings = page.locator('.list').getByRole('columnheader');
    await headings.first().waitFor(within);
    const widths = await headings.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
    const total = widths.reduce((sum, width) => sum + width, 0);
    expect(total).toBeGreaterThan(1800);
    expect(Math.max(...widths) / total).toBeLessThan(0.5);
  });

  it('gives the names of clients more room than their kinds', async () => {
    const { page } = await shop.visit('master/shop/clients');
    const widthOf = async (name: string) =>
      (await page.getByRole('columnheader', { name, exact: true }).boundingBox())?.width ?? 0;
    await page.locator('.list').getByRole('row').nth(1).waitFor(within);
    expect(await widthOf('Kind')).toBeLessThan(await widthOf('Client'));
  });

  it('gives the focus back after a dialog, and moves it to the content of another screen', async () => {
    const { page, button, heading } = await shop.visit('master/shop/roles');
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    const expectFocus = (on: string) => expect.poll(focused, within).toBe(on);
    await button('Create role').click();
    await page.keyboard.press('Escape');
    await expectFocus('Create role');
    await button('Create role').click();
    await page.getByRole('dialog').getByLabel('Name').fill('seller');
    await page.keyboard.press('Enter');
    await heading('seller').waitFor();
    await expectFocus('content');
    await button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await heading('Roles').waitFor();
    await expectFocus('content');
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog').getByRole('textbox').fill('Users');
    await page.keyboard.press('Enter');
    await heading('Users').waitFor();
    await expectFocus('content');
  });

  it('covers no count by the actions on selected rows in a narrow window', async () => {
    const { page } = await shop.visit('master/shop/users');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('checkbox', { name: 'Select clerk' }).check();
    await page.getByRole('toolbar').waitFor();
    // the page gets its space below the list after the bar is there
    const distance = async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      const count = await page.getByText('2 of 2 loaded').boundingBox();
      const bar = await page.getByRole('toolbar').boundingBox();
      return (bar?.y ?? 0) - (count?.y ?? 0) - (count?.height ?? 0);
    };
    await expect.poll(distance, within).toBeGreaterThan(0);
  });

  it('signs in to any realm, and shows what the caller may see', async () => {
    const { page, heading } = await shop.visit('shop/shop/users', clerk);
    await heading('Users').waitFor();
    await page.getByText('clerk@shop.example').waitFor();
    await expect
      .poll(() => page.getByRole('navigation').getByRole('link').allTextContents(), within)
      .toEqual(['Overview', 'Users', 'Groups', 'Roles', 'Sessions', 'Clients']);
    expect(await page.getByRole('button', { name: 'Create user' }).count()).toBe(0);
  });

  it('says to callers without a role that they may not administer the realm', async () => {
    const guest = { username: 'guest', password: 'pw' };
    const context = await shop.browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${shop.server.url}/console/shop`);
    await signIn(page, guest);
    await page.getByText('You may not administer shop').waitFor();
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(0);
  });

  it('changes the realm, and keeps it in the address', async () => {
    const { page, heading } = await shop.visit();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { operationName, variables } = request.postDataJSON?.() ?? {};
      if (operationName === 'Overview') asked.push(variables);
    });
    await page.getByRole('combobox', { name: 'Realm' }).click();
    await page.getByRole('option', { name: 'shop · The shop' }).click();
    await heading('Overview of shop').waitFor();
    expect(page.url()).toBe(`${shop.server.url}/console/master/shop`);
    await page.getByText('Recent changes').waitFor();
    // once, after it is known what the caller may view in that realm
    expect(asked).toEqual([expect.objectContaining({ realm: 'shop', viewsEvents: true, viewsUsers: true })]);
  });

  it('has the line below the tabs as long as the tabs', async () => {
    const { page } = await shop.visit('master/shop/settings');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('tab', { name: 'Client policies' }).click();
    const line = await page.getByRole('tablist').evaluate((tabs) => ({
      before: getComputedStyle(tabs, '::before').display,
      below: getComputedStyle(tabs).boxShadow,
    }));
    expect(line).toEqual({ before: 'none', below: expect.stringContaining('inset') });
  });

  it('says of which policy a setting in the palette is', async () => {
    const { page } = await shop.visit('master/shop');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or command' }).waitFor();
    await page.keyboard.type('registration within');
    const found = page.getByRole('option', { name: 'Registration within' });
    await expect
      .poll(() => found.allInnerTexts(), within)
      .toEqual([expect.stringContaining('Security keys'), expect.stringContaining('Passkeys')]);
  });

  it('finds users and performs commands by the keyboard alone', async () => {
    const { page, heading } = await shop.visit('master/shop');
    await heading('Overview of shop').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or command' }).waitFor();
    await page.keyboard.type('disable client till');
    await page.getByRole('option', { name: 'Disable till' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Disable till' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('till is disabled.').waitFor();
    const { data } = await shop.admin.graphql<{ realm: { client: { isEnabled: boolean } } }>(
      '{ realm(name: "shop") { client(clientId: "till") { isEnabled } } }',
    );
    expect(data.realm.client.isEnabled).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or command' }).waitFor();
    await page.keyboard.type('go to user clerk');
    await page.getByRole('option', { name: 'clerk' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/shop\/users\/./);
    expect(page.url()).toMatch(/^[^?]*\/console\/master\/shop\/users\/\w+/);
  });

  it.each(
    sampled(
      [
        ['client scope', 'open client scope email', 'email', 'client-scopes/'],
        ['identity provider', 'partner', 'partner', 'identity-providers/'],
        ['directory', 'staff', 'Staff directory', 'directories/'],
        ['flow', 'open flow docker', 'docker auth', 'authentication?flow='],
        ['webhook', 'webhook audit-log', 'audit-log', 'webhooks/'],
        ['setting', 'remember me', 'Remember me', 'settings?search='],
        ['realm', 'realm other', 'other', '../other'],
      ],
      3,
    ),
  )('finds a %s by the keyboard', async (_, typed, option, path) => {
    const { page, heading } = await shop.visit('master/shop');
    await heading('Overview of shop').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search or command' }).waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option', { name: option, exact: true }).waitFor();
    await page.keyboard.press('Enter');
    const wanted = new URL(path, `${shop.server.url}/console/master/shop/`).href;
    await expect.poll(() => page.url().startsWith(wanted), within).toBe(true);
  });

  it('creates a user, and changes appearance and language, by commands of the palette', async () => {
    const { page, heading } = await shop.visit('master/shop');
    const command = async (typed: string, option: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox').and(page.locator(':focus')).waitFor();
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: option }).waitFor();
      await page.keyboard.press('Enter');
    };
    await heading('Overview of shop').waitFor();
    await command('create a user', 'Create user');
    const dialog = page.getByRole('dialog', { name: 'Create user' });
    await dialog.getByLabel('Username').fill('typist');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await heading('typist').waitFor();
    await command('dark', 'Dark');
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    await command('german', 'German');
    await page.getByRole('link', { name: 'Gruppen' }).waitFor();
    await command('abmelden', 'Abmelden');
    await page.getByText('Beendet Ihre Sitzung in diesem Browser.').waitFor();
    expect(await page.getByText('Sie sind abgemeldet.').count()).toBe(0);
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByText('Sie sind abgemeldet.').waitFor();
    expect((await shop.admin.send('GET', '/admin/realms/shop/users?username=typist')).body).toHaveLength(1);
  });

  it('keeps what is typed while the palette is loaded, and while it opens', async () => {
    const { page, heading } = await shop.visit('master/shop');
    await heading('Overview of shop').waitFor();
    let release = () => {};
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/palette-/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to ');
    release();
    await page.keyboard.type('user clerk', { delay: 10 });

    await page.getByRole('option', { name: 'clerk' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search or command' }).inputValue()).toBe('go to user clerk');
  });

  it('speaks German, and remembers the language and the appearance', async () => {
    const { page, heading } = await shop.visit('master/shop/users');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await heading('Benutzer').waitFor();
    await page.getByRole('button', { name: /^Konto von/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dunkel' }).click();
    await page.reload();
    await heading('Benutzer').waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
  });

  it('loads the texts of the language that is shown, and those of the other one for a search', async () => {
    const { page } = await shop.visit('master/shop/settings?section=login');
    const loaded = async () => {
      const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      return [...new Set(names.flatMap((name) => /\/texts\.(\w+)-[^/]*\.js$/.exec(name)?.[1] ?? []))].sort();
    };
    expect(await loaded()).toEqual(['en']);
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('unbenutzt');
    await page.getByLabel('Session, unused', { exact: true }).waitFor();
    expect(await loaded()).toEqual(['de', 'en']);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByLabel('Sitzung, unbenutzt', { exact: true }).waitFor();
    expect(await page.getByLabel('Session, unused', { exact: true }).count()).toBe(0);
  });

  it('shows a change of somebody else at once', async () => {
    const { page, heading } = await shop.visit('master/shop');
    await heading('Recent changes').waitFor();
    const opened = page.waitForEvent('websocket').catch(() => undefined);
    await page.reload();
    await opened;
    await heading('Recent changes').waitFor();
    await expect
      .poll(async () => {
        await shop.admin.send('POST', '/shop/groups', { name: `team-${Date.now()}` });
        return page.getByText(/team-\d+/).count();
      }, within)
      .toBeGreaterThan(0);
  });

  it('opens the operation of a screen in GraphiQL', async () => {
    const { page, context, heading } = await shop.visit('master/shop/users');
    await heading('Users').waitFor();
    const [explorer] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Show as GraphQL' }).click(),
    ]);
    await explorer.locator('.graphiql-query-editor').getByText('RealmUsers').first().waitFor();
    await explorer.locator('.graphiql-editor-tool').getByText('shop').first().waitFor();
    expect(new URL(explorer.url()).pathname).toBe('/graphql');
  });

  it('signs out of the browser', async () => {
    const { page } = await shop.visit();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/openid-connect\/auth$/);
  });

  it('is accessible: overview and palette', inAllAppearances, async () => {
    const { page, heading } = await shop.visit('master/shop');
    await heading('Health').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Users' }).waitFor();
    await expectAccessible(page);
  });
});
