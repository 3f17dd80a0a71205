import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { type Mailbox, openMailbox } from '../mail/mailbox.js';
import { signIn, useConsole, within } from './visitor.js';

// What administrators do for a user at once: emails with a link, a login as this user, and their own password.
describe.skipIf(!hasBrowser)('an administrator', () => {
  let mailbox: Mailbox;
  const shop = useConsole(async (admin) => {
    mailbox = await openMailbox();
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      smtpServer: { host: '127.0.0.1', port: String(mailbox.port), from: 'id@shop.example' },
      users: [
        { username: 'anna', email: 'anna@shop.example', enabled: true },
        {
          username: 'boss',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['realm-admin'] },
        },
      ],
    });
    expect(made.status).toBe(201);
  });

  it('sends an email to reset the password or to verify the address, and signs in as the user', async () => {
    const { page, context, button, heading, faults } = await shop.visit('master/shop/users?search=anna');
    await button('anna').click();
    await heading('anna').waitFor();
    await button('Send email').click();
    const dialog = page.getByRole('dialog', { name: 'Send email' });
    await dialog.getByText('Update Password', { exact: true }).waitFor();
    await dialog.getByRole('combobox', { name: 'Required actions' }).click();
    await page.getByRole('option', { name: 'Verify Email' }).click();
    await dialog.getByText('Sends anna@shop.example a link').click();
    await dialog.getByRole('button', { name: 'Send email' }).click();
    await page.getByText('The email to anna@shop.example is sent.').waitFor();
    await expect.poll(() => mailbox.mails.at(-1)?.recipients, within).toEqual(['anna@shop.example']);
    const mail = await context.newPage();
    await mail.goto(mailbox.link());
    await expect.poll(() => mail.getByRole('listitem').count(), within).toBe(2);
    await mail.close();

    await button('Sign in as this user').click();
    const opened = context.waitForEvent('page');
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in as this user' }).click();
    const account = await opened;
    await account.getByText('You are signed in as anna.').waitFor();
    await page.getByText('You are signed in as anna.').waitFor();
    await page.reload();
    await heading('anna').waitFor();
    expect(faults).toEqual([]);
  });

  it('changes the own password, and comes back to the screen', async () => {
    const page = await (await shop.browser.newContext({ locale: 'en' })).newPage();
    await page.goto(`${shop.server.url}/console/shop/shop/clients`);
    await signIn(page, { username: 'boss', password: 'pw' });
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    await page.getByRole('button', { name: 'Account of' }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await page.getByLabel('New password').fill('better');
    await page.getByLabel('Confirm').fill('better');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'boss', password: 'better' };
    const answer = await fetch(`${shop.server.url}/auth/realms/shop/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(answer.status).toBe(200);
  });
});
