import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { signIn } from '../console/visitor.js';
import { exchange } from '../support/http.js';
import { admin, startServer, type TestServer } from '../support/server.js';

const html = { accept: 'text/html,*/*' };

describe('pages', () => {
  let server: TestServer;
  const get = (path: string, headers: Record<string, string> = html) =>
    exchange(`${server.url}${path}`, 'GET', headers);

  let browser: Browser | undefined;

  beforeAll(async () => {
    server = await startServer();
    browser = hasBrowser ? await startBrowser() : undefined;
  });
  afterAll(() => browser?.close());

  it('lead from / to everything that the server has', async () => {
    const { text } = await get('/');
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links).toEqual(expect.arrayContaining(['/graphql', '/reference', '/docs/', '/health/ready']));
    for (const href of links) expect({ href, status: (await get(href)).status }).toEqual({ href, status: 200 });
  });

  it('lead nowhere but to what the server has: each link of each page, with its place in the page', async () => {
    const pages = new Map<string, string>();
    const pending = ['/', '/docs/', '/docs/?q=backup', '/docs/graphql', '/reference?q=user', '/nothing'];
    const linked: { from: string; to: string }[] = [];
    for (const path of pending) {
      if (pages.has(path)) continue;
      const { status, text, headers } = await get(path);
      pages.set(path, text);
      if (path !== '/nothing') expect({ path, status }).toEqual({ path, status: 200 });
      // what is no document has no links of ours
      if (!headers.get('content-type')?.startsWith('text/html') || /^\/(console|graphql)/.test(path)) continue;
      for (const [, to = ''] of text.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(to)) continue;
        const { pathname, search, hash } = new URL(to, `http://server${path}`);
        linked.push({ from: path, to: pathname + search + hash });
        pending.push(pathname + search);
      }
    }
    expect(pages.size).toBeGreaterThan(200);
    const broken = linked.filter(({ to }) => {
      const [page = '', place] = to.split('#');
      return place !== undefined && !pages.get(page)?.includes(`id="${decodeURIComponent(place)}"`);
    });
    expect(broken).toEqual([]);
  });

  it('show the documents, whose links work', async () => {
    const list = await get('/docs/');
    const documents = [...list.text.matchAll(/href="(\/docs\/[^"]+|\/[A-Z]+\.md)"/g)].map(([, href = '']) => href);
    expect(documents).toContain('/docs/graphql.md');
    const broken: string[] = [];
    for (const path of documents) {
      const page = await get(path);
      expect(page.status).toBe(200);
      const links = [...page.text.matchAll(/(?:href|src)="(\/(?!auth\/)[^"#]*)/g)].map(([, href = '']) => href);
      for (const href of new Set(links)) if ((await get(href)).status !== 200) broken.push(`${path}: ${href}`);
    }
    expect(broken).toEqual([]);
  });

  it('answer unknown addresses with a page to browsers, and with JSON to others', async () => {
    const page = await get('/nothing/<i>');
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).not.toContain('<i>');
    const other = await get('/nothing', { accept: 'application/json' });
    expect({ status: other.status, text: other.text }).toEqual({ status: 404, text: '{"error":"Not found"}' });
    const ofRealm = '/auth/realms/master/nothing';
    expect((await get(ofRealm)).text).toContain(`This server has nothing at <code>${ofRealm}</code>.`);
    expect((await get(ofRealm, { accept: '*/*' })).text).toBe('{"error":"HTTP 404 Not Found"}');
  });

  it('serve only files that are meant to be served', async () => {
    const paths = [
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/assets/explorer/../../main.js',
      '/assets/explorer/..%2f..%2fmain.js',
      '/assets/explorer/toString',
      '/assets/reference/package.json',
      '/assets/reference/index.html',
      '/assets/other/index.html',
      '/package.json',
      '/schema/../package.json',
    ];
    for (const path of paths) expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 });
  });

  it('do not show the schema where introspection is restricted', async () => {
    const restricted = await startServer({ graphqlIntrospection: 'administrators' });
    const { text } = await exchange(`${restricted.url}/`, 'GET', html);
    expect(text).not.toContain('schema.graphql');
    expect((await exchange(`${restricted.url}/schema/schema.graphql`, 'GET', html)).status).toBe(404);
  });

  describe.skipIf(!hasBrowser)('in a browser', () => {
    const newContext = (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
      if (!browser) throw new Error('No browser runs');
      return browser.newContext(options);
    };

    it.each(['light', 'dark'] as const)(
      'fit a narrow window and need nothing from elsewhere (%s)',
      async (colorScheme) => {
        const context = await newContext({ colorScheme, viewport: { width: 400, height: 800 } });
        const page = await context.newPage();
        const wrong: string[] = [];
        page.on('console', (message) => {
          // the page that was asked for has the status 404
          if (message.type() === 'error' && !message.location().url.endsWith('/nothing')) wrong.push(message.text());
        });
        page.on('request', (request) => {
          if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) wrong.push(request.url());
        });
        const guides = ['/docs/', '/docs/graphql', '/docs/?q=backup'];
        const references = [
          '/reference',
          '/reference/role',
          '/reference/schemas/RoleRepresentation',
          '/reference?q=role',
        ];
        for (const path of ['/', ...guides, ...references, '/nothing']) {
          await page.goto(`${server.url}${path}`);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect({ path, width }).toEqual({ path, width: 400 });
        }
        expect(wrong).toEqual([]);
      },
    );

    it('find sections of the documents, which are beside a list of all of them', async () => {
      const page = await (await newContext()).newPage();
      await page.goto(`${server.url}/docs/`);
      await page.getByRole('searchbox', { name: 'Search the documents' }).fill('backup <b>');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText('0 sections with “backup <b>”.').waitFor();
      await page.getByRole('searchbox', { name: 'Search the documents' }).fill('restore backup');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'How do I back it up and restore it?' }).first().click();
      await page.getByRole('heading', { name: 'How do I back it up and restore it?' }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'How do I configure it?' }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(page.url()).toBe(`${server.url}/docs/settings.md`);
    });

    it('find an operation of the REST contract, copy its command, and send it after a login', async () => {
      const context = await newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await context.newPage();
      await page.goto(`${server.url}/`);
      await page.getByRole('link', { name: 'REST reference Every operation' }).click();
      await page.getByRole('searchbox', { name: 'Search the reference' }).fill('returns roles realm');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('link', { name: 'GET /{realm}/roles', exact: true }).click();
      const place = page.getByRole('region', { name: 'GET /{realm}/roles', exact: true });
      await place.getByText('Required permission: query:realm.').waitFor();
      await place.getByRole('button', { name: 'Copy' }).click();
      await place.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe('curl "$URL/auth/$realm/roles" \\\n  -H "Authorization: Bearer $TOKEN"');
      await place.getByText('Try it').click();
      await place.getByRole('button', { name: 'Log in' }).click();
      await signIn(page, admin);
      await place.getByRole('textbox', { name: 'realm (required)' }).fill('master');
      await place.getByRole('textbox', { name: 'search' }).fill('offline');
      await place.getByRole('button', { name: 'Send GET as admin' }).click();
      await place.getByText('"offline_access"').waitFor();
      // the login is repeated on other pages of the reference
      await page.goto(`${server.url}/reference/schemas/RoleRepresentation`);
      await page.getByRole('link', { name: 'POST /{realm}/roles', exact: true }).click();
      const creation = page.getByRole('region', { name: 'POST /{realm}/roles', exact: true });
      await creation.getByText('Try it').click();
      await creation.getByRole('textbox', { name: 'realm (required)' }).fill('master');
      await creation.getByRole('textbox', { name: 'body' }).fill('{ "name": "made-here" }');
      await creation.getByRole('button', { name: 'Send POST as admin' }).click();
      await creation.getByText('201 Created').waitFor();
    });
  });
});
