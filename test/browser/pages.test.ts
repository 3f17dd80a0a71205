import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { exchange } from '../support/http.js';
import { startServer, type TestServer } from '../support/server.js';

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
    // documents may name files of the sources, which are not served
    expect(
      broken.filter((link) => !/: \/(client|src|test|prisma|tools|bench|deploy|examples|\.ci)\//.test(link)),
    ).toEqual([]);
  });

  it('answer unknown addresses with a page to browsers, and with JSON to others', async () => {
    const page = await get('/nothing/<i>');
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).not.toContain('<i>');
    const other = await get('/nothing', { accept: 'application/json' });
    expect({ status: other.status, text: other.text }).toEqual({ status: 404, text: '{"error":"Not found"}' });
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
        page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
        page.on('request', (request) => {
          if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) wrong.push(request.url());
        });
        for (const path of ['/', '/docs/', '/docs/graphql.md', '/reference']) {
          await page.goto(`${server.url}${path}`);
          if (path === '/reference') await page.getByText('role', { exact: true }).first().waitFor();
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect({ path, width }).toEqual({ path, width: 400 });
        }
        expect(wrong).toEqual([]);
      },
    );

    it('show an operation of the REST contract', async () => {
      const page = await (await newContext()).newPage();
      await page.goto(`${server.url}/reference`);
      await page.getByText('role', { exact: true }).first().click();
      await page.locator('.opblock').first().waitFor();
      expect(await page.locator('.opblock-summary-path').first().textContent()).toContain('/');
    });
  });
});
