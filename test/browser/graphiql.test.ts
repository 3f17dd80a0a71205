import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const within = { timeout: 30_000 };
const narrow = { width: 400, height: 800 };

describe.skipIf(!hasBrowser)('GraphiQL in a browser', () => {
  let server: TestServer;
  let admin: Caller;
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const violations: string[] = [];

  const opened = async (context?: BrowserContext): Promise<Page> => {
    const fresh = await (context ?? (await browser.newContext())).newPage();
    fresh.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) elsewhere.push(url);
    });
    fresh.on('console', (message) => {
      if (/content security policy/i.test(message.text())) violations.push(message.text());
    });
    await fresh.goto(`${server.url}/graphql`);
    await fresh.waitForSelector('.graphiql-query-editor .view-lines');
    return fresh;
  };
  const logIn = async (on: Page): Promise<void> => {
    await on.getByRole('button', { name: 'Log in' }).click();
    await on.getByLabel('Username or email').fill('admin');
    await on.getByLabel('Password').fill('admin');
    await on.getByRole('button', { name: 'Sign in' }).click();
    await on.getByRole('button', { name: 'Log out' }).waitFor();
  };
  // the editor shows spaces that do not break
  const answer = async (on: Page) => (await on.locator('.graphiql-response').textContent())?.replaceAll('\u00a0', ' ');
  const run = async (on: Page, expected: string): Promise<void> => {
    await on.locator('.graphiql-query-editor .view-line').first().waitFor();
    await on.locator('.graphiql-execute-button').click();
    await expect.poll(() => answer(on), within).toContain(expected);
  };
  const tabs = (on: Page) => on.locator('.graphiql-tab-button').allTextContents();

  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
    browser = await startBrowser();
    page = await opened();
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
    await run(page, 'totalCount');
  });

  it('shows the schema, which needs no token', async () => {
    await page.locator('button[aria-label="Show Documentation Explorer"]').click();
    await page.waitForSelector('.graphiql-doc-explorer-root-type, .graphiql-doc-explorer');
    await expect.poll(() => page.locator('.graphiql-plugin').textContent(), within).toMatch(/query/i);
  });

  it('remembers what was run', async () => {
    await page.locator('button[aria-label="Show History"]').click();
    await expect.poll(() => page.locator('.graphiql-plugin').textContent(), within).toContain('Welcome');
  });

  it('logs in with its button, keeps the login over a reload, and logs out', async () => {
    const fresh = await opened();
    await logIn(fresh);
    expect(fresh.url()).toBe(`${server.url}/graphql`);
    await run(fresh, 'totalCount');
    const stored = await fresh.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toMatch(/eyJ/);
    await fresh.reload();
    await fresh.getByRole('button', { name: 'Log out' }).waitFor();
    await run(fresh, 'totalCount');
    await fresh.getByRole('button', { name: 'Log out' }).click();
    await fresh.getByRole('button', { name: 'Log in' }).waitFor();
    await run(fresh, 'UNAUTH');
  });

  it('logs in where the policies of clients require a nonce, as those of the sample realm do', async () => {
    const { clientPolicies, clientProfiles } = JSON.parse(readFileSync('examples/acme-realm.json', 'utf8'));
    const send = (name: string, body: object) => admin.send('PUT', `/master/client-policies/${name}`, body);
    expect((await send('profiles', clientProfiles)).status).toBe(204);
    expect((await send('policies', clientPolicies)).status).toBe(204);
    await logIn(await opened(await browser.newContext()));
    expect((await send('policies', { policies: [] })).status).toBe(204);
  });

  it('opens examples in tabs with IDs of the realm, which survive a reload', async () => {
    const fresh = await opened();
    await logIn(fresh);
    await fresh.locator('button[aria-label="Show Examples"]').click();
    await fresh.getByRole('searchbox', { name: 'Search examples' }).fill('effective');
    await fresh.getByRole('button', { name: /^EffectiveRoles/ }).click();
    await expect.poll(() => tabs(fresh), within).toEqual(['Welcome', 'EffectiveRoles']);
    await run(fresh, 'effectiveRoles');
    await fresh.locator('.graphiql-tab-button').first().click();
    // what is edited is stored a moment later
    await expect
      .poll(() => fresh.evaluate(() => localStorage.getItem('graphiql:tabState')), within)
      .toMatch(/EffectiveRoles.*"activeTabIndex":0/s);
    await fresh.reload();
    await fresh.getByRole('button', { name: 'Log out' }).waitFor();
    await expect.poll(() => tabs(fresh), within).toEqual(['Welcome', 'EffectiveRoles']);
    expect(await fresh.locator('[role="tab"][aria-selected="true"]').textContent()).toContain('Welcome');
  });

  it('receives messages of subscriptions with the token of the login', async () => {
    const fresh = await opened();
    await logIn(fresh);
    await fresh.locator('button[aria-label="Show Examples"]').click();
    await fresh.getByRole('button', { name: /^AdminEventsLive/ }).click();
    // GraphiQL knows the name of the operation a moment after its text
    await fresh.waitForFunction(() =>
      /subscription.AdminEventsLive/.test(document.querySelector('.graphiql-query-editor')?.textContent ?? ''),
    );
    // the first message confirms that the subscription has started
    await run(fresh, '"event": null');
    await admin.send('POST', '/admin/realms/master/roles', { name: 'seen-live' });
    await expect.poll(() => answer(fresh), within).toContain('roles/seen-live');
  });

  it('opens the operation of an address once', async () => {
    const fresh = await opened();
    await fresh.goto(`${server.url}/graphql?query=${encodeURIComponent('query Shared { viewer { displayName } }')}`);
    await expect.poll(() => tabs(fresh), within).toContain('Shared');
    expect(fresh.url()).toBe(`${server.url}/graphql`);
  });

  it('fits a narrow window', async () => {
    const context = await browser.newContext({ viewport: narrow });
    const fresh = await opened(context);
    const boxes = await Promise.all(
      ['.graphiql-query-editor', '.graphiql-response', '.login button'].map((selector) =>
        fresh.locator(selector).first().boundingBox(),
      ),
    );
    for (const box of boxes) {
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(narrow.width);
    }
    // below each other, each with most of the width
    expect(boxes[1]?.y).toBeGreaterThan(boxes[0]?.y ?? 0);
    expect(boxes[1]?.width).toBeGreaterThan(300);
  });

  it('shows light text in the dark', async () => {
    const fresh = await opened(await browser.newContext({ colorScheme: 'dark' }));
    await fresh.locator('button[aria-label="Show Examples"]').click();
    const darkest = await fresh.evaluate(() => {
      const texts = [
        ...document.querySelectorAll('.shelf *, .login a, .login span, .graphiql-editors span, .graphiql-tab-button'),
      ];
      const lightness = texts
        .filter((element) => element.textContent?.trim() && element.getClientRects().length > 0)
        .map((element) => {
          const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
          return Math.max(red, green, blue);
        });
      return Math.min(...lightness);
    });
    expect(darkest).toBeGreaterThan(90);
  });

  it('loads nothing from other hosts, and nothing that its policy forbids', () => {
    expect(elsewhere).toEqual([]);
    expect(violations).toEqual([]);
  });
});
