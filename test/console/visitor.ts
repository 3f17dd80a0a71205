import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { startBrowser } from '../../tools/browser.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { admin, startServer, type TestServer } from '../support/server.js';

/** How long a story waits for what it expects. Machines that run tests are slow. */
export const within = { timeout: 30_000 };

/** The size of the window unless a story changes it. */
const viewport = { width: 1440, height: 900 };

/** A folder for pictures of the screens that are checked, to look at. */
const pictures = process.env.CONSOLE_PICTURES;

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

interface Credentials {
  username: string;
  password: string;
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
  /** the browser of each user, by realm and username: it stays signed in, and has loaded the console's scripts */
  contexts: Map<string, BrowserContext>;
  /** signs in and opens a path, by default the overview of the realm master */
  visit(path?: string, as?: Credentials): Promise<Visitor>;
}

/** Starts a server and a browser before the stories of a file; `prepare` makes what they need. */
export function useConsole(prepare?: (admin: Caller) => Promise<void>, options: Partial<Config> = {}): Console {
  const console = { contexts: new Map() } as Console;
  beforeAll(async () => {
    console.server = await startServer(options);
    console.admin = await administrator(console.server);
    await prepare?.(console.admin);
    console.browser = await startBrowser();
  });
  // what stays open goes on to work, and slows the stories that follow
  afterEach(async () => {
    for (const context of console.browser.contexts()) await closePages(context, console.server.url);
  });
  afterAll(() => console.browser?.close());
  console.visit = (path, as) => visitor(console, path, as);
  return console;
}

/** Closes what a story has opened, and forgets what the console has kept in the browser but the login. */
async function closePages(context: BrowserContext, url: string): Promise<void> {
  await context.setOffline(false);
  for (const page of context.pages()) {
    if (page.url().startsWith(url)) await page.evaluate(() => localStorage.clear());
    await page.close();
  }
}

async function visitor(console: Console, path = 'master/master', as: Credentials = admin): Promise<Visitor> {
  const { browser, contexts, server } = console;
  const login = `${path.split('/')[0]}/${as.username}`;
  const context = contexts.get(login) ?? (await browser.newContext({ viewport, locale: 'en' }));
  contexts.set(login, context);
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
  const form = page.locator('form input[name="password"]');
  await form
    .or(page.getByRole('heading', { level: 1 }))
    .first()
    .waitFor();
  if (await form.isVisible()) await signIn(page, as);
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

/** The appearances in which a thorough run checks each screen. A dark page has other colours than a light one, and nothing else. */
const allAppearances = [
  { colorScheme: 'light', viewport, rules: {} },
  { colorScheme: 'dark', viewport, rules: { runOnly: ['color-contrast'] } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 }, rules: { runOnly: ['color-contrast'] } },
  { colorScheme: 'light', viewport: { width: 360, height: 740 }, rules: {} },
] as const;

/** Both colour schemes and both widths, once each: the second is looked at for its width alone. */
const appearances = isThorough ? allAppearances : [allAppearances[0], { ...allAppearances[2], rules: undefined }];

/** How long a story may take that checks many screens in all appearances. */
export const inAllAppearances = { timeout: 240_000 };

/** Expects in each appearance that axe finds no violation on the page as it is, and that the page is as narrow as its window. */
export async function expectAccessible(page: Page): Promise<void> {
  const faults: unknown[] = [];
  for (const { colorScheme, viewport: size, rules } of appearances) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await page.mouse.move(0, 0); // away from what it would explain in the new layout
    await page.evaluate(finishTransitions);
    if (pictures) {
      const screen = new URL(page.url()).pathname.split('/').slice(3).join('-');
      await page.screenshot({ path: `${pictures}/${screen}-${colorScheme}-${size.width}.png` });
    }
    for (const { id, nodes } of rules ? await violations(page, rules) : []) {
      faults.push({ colorScheme, width: size.width, id, at: nodes.map(({ target }) => target.join(' ')) });
    }
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed > size.width) faults.push({ colorScheme, width: size.width, needed });
  }
  expect(faults).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(viewport);
}

/** Ends the transitions of the page at once, as colours that are half-way have another contrast. */
function finishTransitions(): void {
  for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
}

/** What axe finds on the page as it is. A policy of the page refuses scripts that are added to it, and not those of the debugger. */
export async function violations(page: Page, rules: object): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  return page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`);
}
