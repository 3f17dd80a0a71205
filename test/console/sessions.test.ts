import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { expectAccessible, useConsole } from './visitor.js';

describe.skipIf(!hasBrowser)('sessions in the console', () => {
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      clients: [{ clientId: 'till', enabled: true, publicClient: true, directAccessGrantsEnabled: true }],
      users: ['anna', 'bert', 'cleo'].map((username) => ({
        username,
        enabled: true,
        credentials: [{ type: 'password', value: 'pw' }],
      })),
    });
    expect(made.status).toBe(201);
  });
  const logIn = async (username: string) => {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'till', username, password: 'pw' });
    const answer = await fetch(`${shop.server.url}/auth/realms/shop/protocol/openid-connect/token`, {
      method: 'POST',
      body,
    });
    expect(answer.status).toBe(200);
  };

  it('are found by user, ended one by one, of a user, and all together', async () => {
    for (const username of ['anna', 'anna', 'anna', 'bert', 'cleo']) await logIn(username);
    const { page, button, heading } = await shop.visit('master/shop/sessions');
    await page.getByText('5 of 5 loaded').waitFor();
    await page.getByRole('searchbox', { name: 'Search by username or IP address' }).fill('ann');
    await page.getByText('3 of 3 loaded').waitFor();
    await page.getByRole('button', { name: 'anna' }).first().click();
    await page.getByRole('dialog').getByText(/till/).waitFor();
    await expectAccessible(page);
    await button('End session').click();
    await button('Apply').click();
    await page.getByText('2 of 2 loaded').waitFor();
    await page.getByRole('button', { name: 'anna' }).first().click();
    await button('End all sessions of the user').click();
    await button('Apply').click();
    await page.getByText('No sessions').waitFor();
    await page.getByRole('searchbox', { name: 'Search by username or IP address' }).fill('');
    await page.getByText('2 of 2 loaded').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'bert' }).click();
    await page.getByRole('link', { name: 'Open user' }).click();
    await page.waitForURL(/\/shop\/users\/./);
    await heading(/^bert$/).waitFor();
    await page.goBack();
    await page.getByText('2 of 2 loaded').waitFor();
    await button(/^End all sessions$/).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('No sessions').waitFor();
    const { data } = await shop.admin.graphql<{ realm: { userSessions: { totalCount: number } } }>(
      '{ realm(name: "shop") { userSessions(first: 1) { totalCount } } }',
    );
    expect(data.realm.userSessions.totalCount).toBe(0);
  });
});
