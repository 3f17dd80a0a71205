import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { startBrowser } from '../../tools/browser.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { admin, startServer, type TestServer } from '../support/server.js';

/** How long a story waits for what it expects. Machines that run tests are slow. */
export const within = { timeout: 30_000 };

/** A folder for pictures of the screens that are checked, to look at. */
const pictures = process.env.CONSOLE_PICTURES;

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

interface Credentials {
  username: string;
  password: string;
}

interface Visit extends BrowserContextOptions {
  as?: Credentials;
}

/** Somebody who uses the console in a browser of his own. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** errors in the browser's console, and requests to other servers: a story expects none */
  faults: string[];
  /** opens a path below `/console/{realm of the login}/` */
  open(path: string): Promise<void>;
  heading(name: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
  field(name: string | RegExp): Locator;
}

/** A server with a browser beside it, for the stories of a file. */
export interface Console {
  server: TestServer;
  admin: Caller;
  browser: Browser;
  /** signs in and opens a path, by default the overview of the realm master */
  visit(path?: string, options?: Visit): Promise<Visitor>;
}

/** Starts a server and a browser before the stories of a file; `prepare` makes what they need. */
export function useConsole(prepare?: (admin: Caller) => Promise<void>, options: Partial<Config> = {}): Console {
  const console = {} as Console;
  beforeAll(async () => {
    console.server = await startServer(options);
    console.admin = await administrator(console.server);
    await prepare?.(console.admin);
    console.browser = await startBrowser();
  });
  afterAll(() => console.browser?.close());
  console.visit = (path, visit) => visitor(console, path, visit);
  return console;
}

async function visitor({ server, browser }: Console, path = 'master/master', visit: Visit = {}): Promise<Visitor> {
  const { as = admin, ...options } = visit;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en', ...options });
  context.setDefaultTimeout(within.timeout);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
  });
  page.on('console', (message) => {
    if (/content security policy|react|unhandled/i.test(message.text())) faults.push(message.text());
  });
  const open = async (to: string) => {
    await page.goto(`${server.url}/console/${to}`);
  };
  await open(path);
  await signIn(page, as);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    page,
    context,
    faults,
    open,
    heading: (name) => page.getByRole('heading', { name }),
    button: (name) => page.getByRole('button', { name }),
    field: (name) => page.getByRole('textbox', { name }),
  };
}

/** Fills in the form of the login page. */
export async function signIn(page: Page, { username, password }: Credentials): Promise<void> {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Expects that axe finds no violation on the page as it is, and that the page is not wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  if (pictures) {
    const screen = new URL(page.url()).pathname.split('/').slice(3).join('-');
    const scheme = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    await page.screenshot({ path: `${pictures}/${screen}-${scheme}-${page.viewportSize()?.width}.png` });
  }
  // a policy of the page refuses scripts that are added to it, and not those of the debugger
  const violations = (await page.evaluate(`${axe}; axe.run().then(({ violations }) => violations)`)) as Violation[];
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])).toEqual([]);
  const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(needed).toBeLessThanOrEqual(there ?? 0);
}

/** The appearances in which each screen is checked. */
export const appearances = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const satisfies BrowserContextOptions[];
