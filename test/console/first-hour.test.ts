import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { freshDatabaseUrl } from '../support/database.js';
import { ready, start } from '../support/process.js';
import { signIn } from './visitor.js';

// What somebody does who has just read the README: the program starts with an empty database, and the rest is clicked.
const readme = readFileSync('README.md', 'utf8');
const [, password = ''] = /^ADMIN_PASSWORD=(\S+) npm start$/m.exec(readme) ?? [];
const [, startPage = ''] = /^Open <http:\/\/localhost:8080(\/)>, choose \*Console\*/m.exec(readme) ?? [];

describe.skipIf(!hasBrowser)('the first hour', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  it('leads from the README to a realm with a user who has logged in', async () => {
    const service = start({ DATABASE_URL: await freshDatabaseUrl(), ADMIN_PASSWORD: password });
    const url = await ready(service);
    // a terminal shows the same address in a line of its own
    expect(service.output()).toContain(`"url":"${url}"`);
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    const dialog = page.getByRole('dialog');
    await page.goto(url + startPage);

    await page.getByRole('link', { name: 'Console' }).click();
    await signIn(page, { username: 'admin', password });
    await page.getByRole('button', { name: 'Create realm' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
    await dialog.getByRole('button', { name: 'Create realm' }).click();
    await page.getByRole('heading', { name: 'Overview of shop' }).waitFor();

    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('No users', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByRole('textbox', { name: 'Username' }).fill('ann');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { name: 'ann' }).waitFor();
    await page.getByRole('tab', { name: 'Credentials' }).click();
    await page.getByRole('button', { name: 'Set password' }).click();
    await dialog.getByLabel('New password').fill('first-password');
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is set.').waitFor();

    // users have browsers of their own
    await page.getByRole('link', { name: 'Overview' }).click();
    const account = (await page.getByRole('link', { name: 'Account page' }).getAttribute('href')) ?? '';
    const other = await (await browser.newContext({ locale: 'en' })).newPage();
    await other.goto(url + account);
    await other.getByRole('link', { name: 'Sign in' }).click();
    await signIn(other, { username: 'ann', password: 'first-password' });
    await other.getByRole('heading', { name: 'Update password' }).waitFor();
    await other.getByLabel('New password').fill('second-password');
    await other.getByLabel('Confirm password').fill('second-password');
    await other.getByRole('button', { name: 'Submit' }).click();
    await other.getByText('You are signed in as ann').waitFor();

    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByText('ann', { exact: true }).waitFor();
  });
});
