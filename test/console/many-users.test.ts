// @thorough
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { login } from '../support/fixture.js';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

/** How many users the realm has, all of whom are members of one group with a role. */
const total = 10_000;
const nameOf = (at: number) => `user-${String(at).padStart(5, '0')}`;
const loggedIn = 60;

/** Stories that go through the whole realm wait longer than others. */
const throughAll = { timeout: 240_000 };

describe.skipIf(!hasBrowser)('the console in a realm of 10,000 users', () => {
  const credentials = [{ type: 'password', value: 'pw' }];
  const big = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'big',
      enabled: true,
      eventsEnabled: true,
      roles: { realm: [{ name: 'reader' }] },
      groups: [{ name: 'everyone', realmRoles: ['reader'] }],
      users: Array.from({ length: total }, (_, at) => ({
        username: nameOf(at),
        firstName: at % 2 === 0 ? 'Ann' : 'Bob',
        lastName: `Smith ${at}`,
        email: `${nameOf(at)}@big.example`,
        enabled: at % 10 !== 9,
        groups: ['/everyone'],
        ...(at === 0 && { credentials }),
      })),
    });
    expect(made.status).toBe(201);
    for (let at = 0; at < loggedIn; at += 1) await login(big.server, 'big', nameOf(0), 'pw');
  });

  it('shows the numbers of the realm', async () => {
    const { page, faults } = await big.visit('master/big');
    await page.getByText('10,000', { exact: true }).first().waitFor();
    for (const figure of ['Logins in 24 hours', 'Active sessions']) {
      await page.getByText(`${figure}${loggedIn}`, { exact: true }).waitFor();
    }
    expect(faults).toEqual([]);
  });

  it('finds users as one types, and filters them', async () => {
    const { page } = await big.visit('master/big/users');
    await page.getByText('50 of 10,000 loaded').waitFor();
    await page.getByRole('searchbox', { name: 'Search users' }).pressSequentially('user-0777');
    await page.getByText('10 of 10 loaded').waitFor();
    await page.getByText('user-07770', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search users' }).fill('');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Disabled (1,000)' }).click();
    await page.getByText('50 of 1,000 loaded').waitFor();
    expect(new URL(page.url()).searchParams.get('enabled')).toBe('false');
  });

  it('reaches the last user by the keyboard, page by page, asking for each page once', throughAll, async () => {
    const { page } = await big.visit('master/big/users');
    const cursors: string[] = [];
    page.on('request', (request) => {
      const { operationName, query = '', variables } = request.url().endsWith('/graphql') ? request.postDataJSON() : {};
      if (operationName === 'UserList' || query.startsWith('query UserList')) {
        if (variables.after) cursors.push(variables.after);
      }
    });
    await page.getByText('50 of 10,000 loaded').waitFor();
    await page.getByRole('region', { name: 'Users' }).focus();
    const all = page.getByText('10,000 of 10,000 loaded');
    while ((await all.count()) === 0) {
      await page.keyboard.press('End');
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await page.keyboard.press('End');
    await page.getByText(nameOf(total - 1), { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(80);
    expect(cursors).toHaveLength(Math.ceil((total - 50) / 200));
    expect(new Set(cursors).size).toBe(cursors.length);
  });

  it('disables many users after a preview', async () => {
    const { page } = await big.visit('master/big/users?search=user-05&enabled=true');
    await page.getByText('50 of 900 loaded').waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('50 of 50 users would change.').waitFor();
    await page.getByRole('button', { name: 'Apply to 50 users' }).click();
    await page.getByText('50 users are changed.').waitFor();
    await page.getByText('50 of 850 loaded').waitFor();
    const enabled = async () => {
      const found = '{ realm(name: "big") { users(filter: { search: "user-05", isEnabled: true }) { totalCount } } }';
      return (await big.admin.graphql<{ realm: { users: { totalCount: number } } }>(found)).data.realm.users.totalCount;
    };
    expect(await enabled()).toBe(850);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await enabled()).toBe(900);
  });

  it('lists who has a role, and by what', async () => {
    const { page, button, heading } = await big.visit('master/big/roles?search=reader');
    await button('reader').click();
    await heading('reader').waitFor();
    await page.getByRole('tab', { name: 'Users' }).click();
    await page.getByText('50 of 10,000 loaded').waitFor();
    await page.getByText('inherited').first().waitFor();
    expect(await page.getByText('direct', { exact: true }).count()).toBe(0);
  });

  it('lists the sessions of a user beside the account', async () => {
    const { page, button, heading } = await big.visit(`master/big/users?search=${nameOf(0)}`);
    await button(nameOf(0)).click();
    await heading(nameOf(0)).waitFor();
    await page.getByRole('tab', { name: 'Sessions' }).click();
    const ends = page.getByRole('button', { name: /^End session/ });
    await expect.poll(() => ends.count(), within).toBeGreaterThanOrEqual(50);
  });

  it('is saved as a file with its users, whose plan is empty', throughAll, async () => {
    const { page, button, context } = await big.visit('master/big/code');
    context.setDefaultTimeout(throughAll.timeout);
    await button('Download').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'JSON with users' }).click();
    const file = readFileSync(await (await saved).path());
    expect(JSON.parse(file.toString()).users).toHaveLength(total);
    await page.locator('input[type=file]').setInputFiles([{ name: 'big.json', mimeType: 'text/plain', buffer: file }]);
    await page.getByText('The realm is as the files describe it.').waitFor();
    expect(await button(/^Apply$/).count()).toBe(0);
  });

  it('is accessible', inAllAppearances, async () => {
    const { page } = await big.visit('master/big/users');
    await page.getByText('50 of 10,000 loaded').waitFor();
    await expectAccessible(page);
  });
});
