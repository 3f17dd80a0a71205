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
          username: 'carer',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['manage-users'] },
        },
        {
          username: 'boss',
          enabled: true,
          credentials: [{ type: 'password', value: 'pw' }],
          clientRoles: { 'realm-management': ['realm-admin'] },
        },
      ],
      roles: { realm: [{ name: 'teller' }] },
      passwordPolicy: 'length(6)',
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: {} }],
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

  it('creates a user with a password, which the policy of the realm may refuse', async () => {
    const { page, button, heading } = await shop.visit('master/shop/users');
    await button('Create user').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('berta');
    await dialog.getByLabel('Password', { exact: true }).fill('weak');
    await dialog.getByLabel('To be changed at the next login').uncheck();
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('minimum length 6').waitFor();
    expect(await page.getByText('Not done').count()).toBe(0);
    await dialog.getByLabel('Password', { exact: true }).fill('better');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await heading('berta').waitFor();
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await button('Edit password').click();
    await dialog.getByLabel('Name of the credential').fill('first');
    await dialog.getByRole('button', { name: 'Check changes' }).click();
    await dialog.getByRole('button', { name: 'Edit password' }).click();
    await page.getByText('password · first').waitFor();
  });

  it('creates the users of a list, all or none, and names the lines that are refused', async () => {
    const { page, button } = await shop.visit('master/shop/users');
    await button('Create several users').click();
    const dialog = page.getByRole('dialog');
    const lines = dialog.getByRole('textbox', { name: 'Users' });
    await lines.fill('username,email\ncarl,carl@shop.example,Carl,"Smith, Jr."\n\nanna\n');
    await dialog.getByRole('button', { name: 'Create several users' }).click();
    await dialog.getByText('Line 4:').waitFor();
    await lines.fill('dora,nobody');
    await dialog.getByRole('button', { name: 'Create several users' }).click();
    await dialog.getByText('Line 1: This must be an email address').waitFor();
    await lines.fill('carl,carl@shop.example,Carl,"Smith, Jr."\ndora');
    await dialog.getByRole('button', { name: 'Create several users' }).click();
    await page.getByText('2 users are created.').waitFor();
    await button('dora').waitFor();
    const [carl] = (await shop.admin.send('GET', '/admin/realms/shop/users?username=carl')).body;
    expect(carl).toMatchObject({
      email: 'carl@shop.example',
      firstName: 'Carl',
      lastName: 'Smith, Jr.',
      enabled: true,
    });
  });

  it('links a user with an account at a provider', async () => {
    const { page, button, heading } = await shop.visit('master/shop/users?search=anna');
    await button('anna').click();
    await heading('anna').waitFor();
    await page.getByRole('tab', { name: 'Consents and identities' }).click();
    await button('Link identity').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Identity provider' }).click();
    await page.getByRole('option', { name: 'partner' }).click();
    await dialog.getByLabel('ID at the provider').fill('4711');
    await dialog.getByRole('button', { name: 'Link identity' }).click();
    await page.getByText('partner is linked.').waitFor();
    await page.getByText('4711').waitFor();
    const [{ id }] = (await shop.admin.send('GET', '/admin/realms/shop/users?username=anna')).body;
    const linked = (await shop.admin.send('GET', `/admin/realms/shop/users/${id}/federated-identity`)).body;
    expect(linked).toMatchObject([{ identityProvider: 'partner', userId: '4711' }]);
    await button('Unlink partner').click();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('partner is unlinked.').waitFor();
    await page.getByText('The user is linked to no identity provider.').waitFor();
  });

  it('gives a role without the permission to list roles', async () => {
    const { page, button, heading } = await shop.visit('shop/shop/users?search=anna', {
      username: 'carer',
      password: 'pw',
    });
    await button('anna').click();
    await heading('anna').waitFor();
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('combobox', { name: 'Add role' }).fill('tell');
    await page.getByRole('option', { name: 'teller' }).click();
    await page.getByText('teller is added.').waitFor();
    const [{ id }] = (await shop.admin.send('GET', '/admin/realms/shop/users?username=anna')).body;
    const { body } = await shop.admin.send('GET', `/admin/realms/shop/users/${id}/role-mappings/realm`);
    expect(body).toContainEqual(expect.objectContaining({ name: 'teller' }));
  });

  it('is told that the realm has no mail server', async () => {
    expect((await shop.admin.send('PUT', '/admin/realms/shop', { smtpServer: {} })).status).toBe(204);
    const { page, button } = await shop.visit('master/shop/users?search=anna');
    await button('anna').click();
    await button('Send email').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send email' }).click();
    await page.getByText('the realm has no mail server').waitFor();
  });
});
