import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../tools/browser.mjs';
import { signIn, useConsole, violations } from '../console/visitor.js';
import { admin } from '../support/server.js';

// Every page of the server in light and in dark colours. A dark page has other colours than a light one, and nothing else.
const schemes = [
  { colorScheme: 'light', rules: {} },
  { colorScheme: 'dark', rules: { runOnly: ['color-contrast'] } },
] as const;

/** The rules that docs/accessibility.md lists, because only GraphiQL can mend what breaks them. */
const ofGraphiql = [...readFileSync('docs/accessibility.md', 'utf8').matchAll(/^\| `([\w-]+)` \|/gm)].map(
  ([, rule]) => rule,
);

const pages = [
  ['welcome', '/'],
  ['documentation', '/docs/'],
  ['a document', '/docs/settings'],
  ['search in documents', '/docs/?q=backup'],
  ['reference', '/reference'],
  ['an area of the reference', '/reference/user-storage'],
  ['a schema', '/reference/schemas/RoleRepresentation'],
  ['search in the reference', '/reference?q=role'],
  ['what is not found', '/nothing'],
  ['what a realm does not have', '/auth/realms/master/nothing'],
  ['account', '/auth/realms/master/account'],
  ['a refused login', '/auth/realms/master/protocol/openid-connect/auth?client_id=none'],
] as const;

describe.skipIf(!hasBrowser)('axe finds nothing', () => {
  const shop = useConsole();
  const newPage = async (options: Parameters<typeof shop.browser.newContext>[0]): Promise<Page> =>
    (await shop.browser.newContext({ locale: 'en', ...options })).newPage();
  const rulesBroken = async (page: Page, rules: object) => (await violations(page, rules)).map(({ id }) => id);
  /** Waits for pages that are made by scripts. Transitions have colours in between. */
  const settled = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    await page.evaluate(() => {
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    });
  };

  const expectNoViolation = async (page: Page): Promise<void> => {
    for (const { colorScheme, rules } of schemes) {
      await page.emulateMedia({ colorScheme });
      expect({ colorScheme, rules: await rulesBroken(page, rules) }).toEqual({ colorScheme, rules: [] });
    }
  };

  it.each(pages)('on the page of %s', async (_, path) => {
    const page = await newPage({});
    await page.goto(shop.server.url + path);
    await expectNoViolation(page);
  });

  it('on the login page', async () => {
    const page = await newPage({});
    await page.goto(`${shop.server.url}/auth/realms/master/account`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Password').waitFor();
    await expectNoViolation(page);
  });

  it('on any screen of the console that its navigation leads to', async () => {
    const { page } = await shop.visit();
    const links = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link');
    await links.first().waitFor();
    const found: unknown[] = [];
    for (const link of await links.all()) {
      const screen = await link.textContent();
      await link.click();
      await page.locator('a[aria-current="page"]', { hasText: screen ?? '' }).waitFor();
      for (const { colorScheme, rules } of schemes) {
        await page.emulateMedia({ colorScheme });
        await settled(page);
        for (const rule of await rulesBroken(page, rules)) found.push({ screen, colorScheme, rule });
      }
    }
    expect(await links.count()).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  it('in GraphiQL, but for what only GraphiQL can mend', async () => {
    let context: BrowserContext | undefined;
    const found = new Set<string>();
    for (const { colorScheme } of schemes) {
      // the editor takes its colours when it is loaded
      const page = await newPage({ colorScheme, storageState: await context?.storageState() });
      context = page.context();
      await page.goto(`${shop.server.url}/graphql`);
      await page.getByRole('button', { name: 'Log in' }).click();
      if (found.size === 0) await signIn(page, admin);
      await page.getByRole('button', { name: 'Log out' }).waitFor();
      // GraphiQL sends what its editor holds, which is loaded after its buttons
      await page.locator('.graphiql-query-editor .view-line').first().waitFor();
      await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
      await page.getByText('totalCount').nth(1).waitFor();
      for (const pane of ['Examples', 'Documentation Explorer', 'History']) {
        await page.getByRole('button', { name: `Show ${pane}` }).click();
        await page.getByRole('button', { name: `Hide ${pane}` }).waitFor();
        for (const rule of await rulesBroken(page, {})) found.add(rule);
      }
    }
    expect([...found].sort()).toEqual([...ofGraphiql].sort());
  });
});
