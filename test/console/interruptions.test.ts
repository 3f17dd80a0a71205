import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { head, rawClient } from '../faults/socket.js';
import { useConsole, within } from './visitor.js';

/** Requests that the server works on at once. */
const places = 4;
/** Longer than what a server takes in before it is asked for, so that a request without its end is in work. */
const bodyBytes = 100_000;

describe.skipIf(!hasBrowser)('what one types in the console', () => {
  const shop = useConsole(
    async (admin) => {
      const made = await admin.send('POST', '/', {
        realm: 'shop',
        enabled: true,
        users: [
          {
            username: 'clerk',
            enabled: true,
            clientRoles: { 'realm-management': ['view-clients', 'manage-clients'] },
            credentials: [{ type: 'password', value: 'pw' }],
          },
        ],
        clients: [{ clientId: 'till', enabled: true }],
      });
      expect(made.status).toBe(201);
    },
    { maxConcurrentRequests: places },
  );
  const stored = async () => (await shop.admin.send('GET', '/admin/realms/shop/clients?clientId=till')).body[0];
  const openTill = async (as?: { username: string; password: string }) => {
    const visitor = await shop.visit(`${as ? 'shop' : 'master'}/shop/clients?search=till`, as);
    await visitor.button('till').click();
    await visitor.heading('till').waitFor();
    return visitor;
  };

  it('is saved once a busy server has room again, which says when it is asked the next time', async () => {
    const { page, field, button } = await openTill();
    await field('Name').fill('Typed');
    const request = head('POST', '/auth/shop/users', shop.admin.token, bodyBytes);
    const others = await Promise.all(
      Array.from({ length: places }, () => rawClient(shop.server, request + ' '.repeat(bodyBytes / 2))),
    );
    await button('Check changes').click();
    await page.getByText(/^The server is busy\. The request is repeated in \d+ s\.$/).waitFor();
    for (const { socket } of others) socket.destroy();
    await button('Save').click();
    await page.getByText('till is saved.').waitFor();
    expect((await stored()).name).toBe('Typed');
    expect(await page.getByText('The server is busy.').count()).toBe(0);
  });

  it('is kept while the connection is lost, also if a screen is opened that was not loaded yet', async () => {
    const { page, context, heading, field, button } = await openTill();
    await field('Name').fill('Offline');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Identity providers' }).click();
    await button('Stay').click();
    expect(await field('Name').inputValue()).toBe('Offline');
    await page.getByRole('link', { name: 'Identity providers' }).click();
    await button('Discard changes').click();
    await page.getByText('The connection to the server is lost.').waitFor();
    await heading('till').waitFor();
    await context.setOffline(false);
    await heading('Identity providers').waitFor();
    await page.getByText('The connection to the server is lost.').waitFor({ state: 'detached' });
  });

  it('is kept if its permission was removed meanwhile, and saved once the permission is back', async () => {
    const { page, field, button } = await openTill({ username: 'clerk', password: 'pw' });
    await field('Description').fill('Kept');
    const realm = '/admin/realms/shop';
    const [clerk] = (await shop.admin.send('GET', `${realm}/users?username=clerk`)).body;
    const [management] = (await shop.admin.send('GET', `${realm}/clients?clientId=realm-management`)).body;
    const mappings = `${realm}/users/${clerk.id}/role-mappings/clients/${management.id}`;
    const roles = (await shop.admin.send('GET', mappings)).body.filter(
      ({ name }: { name: string }) => name === 'manage-clients',
    );
    expect((await shop.admin.send('DELETE', mappings, roles)).status).toBe(204);
    await button('Check changes').click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Permission `\w+:clients` is required/ })
      .first()
      .waitFor();
    expect(await field('Description').inputValue()).toBe('Kept');
    expect((await stored()).description).toBeUndefined();
    expect((await shop.admin.send('POST', mappings, roles)).status).toBe(204);
    await button('Check changes').click();
    await button('Save').click();
    await page.getByText('till is saved.').waitFor();
    await expect.poll(async () => (await stored()).description, within).toBe('Kept');
  });
});
