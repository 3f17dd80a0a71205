import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
// --no-sandbox: the tests may run as root
const within = { timeout: 30_000 };
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

// Where no browser is installed these tests are reported as skipped; CHROMIUM names one.
describe.skipIf(executablePath === undefined)('GraphiQL in a browser', () => {
  let server: TestServer;
  let admin: Caller;
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    browser = await chromium.launch({ executablePath: executablePath as string, args });
    page = await browser.newPage();
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) elsewhere.push(url);
    });
    await page.goto(`${server.url}/graphql`);
    await page.waitForSelector('.graphiql-query-editor');
  });
  afterAll(() => browser?.close());

  it('runs the welcome query with a token from the headers pane', async () => {
    await page.getByRole('button', { name: 'Headers', exact: true }).click();
    const headers = page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden)').last();
    await headers.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(JSON.stringify({ Authorization: `Bearer ${admin.token}` }));
    // the editor closes brackets and quotes by itself
    await page.keyboard.press('Control+Shift+End');
    await page.keyboard.press('Delete');
    await page.locator('.graphiql-execute-button').click();
    await expect.poll(() => page.locator('.graphiql-response').textContent(), within).toContain('totalCount');
  });

  it('shows the schema, which needs no token', async () => {
    await page.locator('button[aria-label="Show Documentation Explorer"]').click();
    await page.waitForSelector('.graphiql-doc-explorer-root-type, .graphiql-doc-explorer');
    await expect.poll(() => page.locator('.graphiql-plugin').textContent(), within).toMatch(/query/i);
  });

  it('logs in with its button, keeps the login over a reload, and logs out', async () => {
    const fresh = await (await browser.newContext()).newPage();
    const run = async () => {
      await fresh.locator('.graphiql-execute-button').click();
      await fresh.waitForFunction(() =>
        document.querySelector('.graphiql-response')?.textContent?.includes('totalCount'),
      );
    };
    await fresh.goto(`${server.url}/graphql`);
    await fresh.getByRole('button', { name: 'Log in' }).click();
    await fresh.getByLabel('Username or email').fill('admin');
    await fresh.getByLabel('Password').fill('admin');
    await fresh.getByRole('button', { name: 'Sign in' }).click();
    await fresh.getByRole('button', { name: 'Log out' }).waitFor();
    expect(fresh.url()).toBe(`${server.url}/graphql`);
    await run();
    const stored = await fresh.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/eyJ/);
    await fresh.reload();
    await fresh.getByRole('button', { name: 'Log out' }).waitFor();
    await run();
    await fresh.getByRole('button', { name: 'Log out' }).click();
    await fresh.getByRole('button', { name: 'Log in' }).waitFor();
    await fresh.locator('.graphiql-execute-button').click();
    await fresh.waitForFunction(() => document.querySelector('.graphiql-response')?.textContent?.includes('UNAUTH'));
  });

  it('loads nothing from other hosts', () => {
    expect(elsewhere).toEqual([]);
  });
});
