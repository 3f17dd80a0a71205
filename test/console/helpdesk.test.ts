import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, inAllAppearances, useConsole, within } from './visitor.js';

// Administrators with few permissions: what they see says what they may do, and nothing else.
describe.skipIf(!hasBrowser)('the console of a help desk', () => {
  const shop = useConsole(async (admin) => {
    const user = (username: string, roles: string[]) => ({
      username,
      enabled: true,
      credentials: [{ type: 'password', value: 'pw' }],
      clientRoles: { 'realm-management': roles },
    });
    const users = [
      user('desk', ['query-clients', 'query-users', 'query-groups']),
      user('carer', ['view-users']),
      user('looker', ['view-realm']),
    ];
    expect((await admin.send('POST', '/', { realm: 'shop', enabled: true, users })).status).toBe(201);
  });

  it.each(['desk', 'carer', 'looker'])('has no screen that is refused in part: %s', async (username) => {
    const { page, faults } = await shop.visit('shop/shop', { username, password: 'pw' });
    const links = page.getByRole('navigation').getByRole('link');
    for (const link of await links.all()) {
      await link.click();
      await page
        .getByRole('heading', { name: String(await link.textContent()), level: 1 })
        .or(page.getByRole('heading', { name: /^(Overview|Settings) of shop$/, level: 1 }))
        .waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), within).toBe(0);
      expect(await page.getByRole('alert').allTextContents(), page.url()).toEqual([]);
      // an object of each list
      const row = page.getByRole('row').getByRole('button', { name: /^(?!Order by)/ });
      const list = page.url();
      const path = new URL(list).pathname;
      if (!/\/(users|groups|roles|clients)$/.test(path) || (await row.count()) === 0) continue;
      await row.last().click();
      await page.getByRole('navigation', { name: 'Path' }).waitFor();
      await expect.poll(() => page.locator('[aria-busy="true"]').count(), within).toBe(0);
      expect(await page.getByRole('alert').allTextContents(), page.url()).toEqual([]);
    }
    expect(faults).toEqual([]);
  });

  it('does not invite to create what one may not create, and says what is missing', inAllAppearances, async () => {
    const { page, open } = await shop.visit('shop/shop/clients', { username: 'desk', password: 'pw' });
    await page.getByText('Permission view-clients is required to view all.').waitFor();
    expect(await page.getByText('Create').count()).toBe(0);
    await expectAccessible(page);
    await open('shop/shop/clients?search=till');
    await page.getByText('Nothing matches').waitFor();
  });

  it('invites those to create who may', async () => {
    const { page } = await shop.visit('master/shop/identity-providers');
    const invitation = page.getByText('Choose “Create identity provider” to begin.');
    await expect.poll(() => invitation.count(), within).toBe(1);
  });

  it('shows of what it may not change whether it is on', inAllAppearances, async () => {
    const { page } = await shop.visit('shop/shop/settings?section=login', { username: 'looker', password: 'pw' });
    const colorOf = async (name: string) => {
      const found = page.getByRole('switch', { name });
      await found.waitFor();
      expect(await found.isDisabled()).toBe(true);
      const color = (track: Element) => getComputedStyle(track).backgroundColor;
      return found.locator('xpath=following-sibling::*[1]').evaluate(color);
    };
    expect(await colorOf('Login with email')).not.toBe(await colorOf('Remember me'));
    await expectAccessible(page);
  });
});
