import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, startBrowser } from '../../tools/browser.mjs';
import { violations } from '../console/visitor.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { authorizationUrl } from './agent.js';
import { callback, importShop } from './realm.js';

const accent = 'realmgateLoginAccentColor';
const background = 'realmgateLoginBackgroundColor';
const logo = 'realmgateLoginLogo';
/** An image with a script in it, which must not run. */
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><script>parent.ran = true; top.ran = true</script><rect width="120" height="40" fill="teal"/></svg>`;
const attributes = {
  [accent]: '#ffcc00',
  [background]: '#123456',
  [logo]: `data:image/svg+xml;base64,${btoa(svg)}`,
};

const mergePatch = { 'content-type': 'application/merge-patch+json' };

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  await importShop(admin, { attributes, resetPasswordAllowed: true, registrationAllowed: true });
  await importShop(admin, { realm: 'plain' });
});

describe('the appearance of login pages', () => {
  const stored = async (realm: string) => (await admin.send('GET', `/admin/realms/${realm}`)).body.attributes;

  it.each([
    ['REST update', 'PUT', '/admin/realms/plain', (wrong: object) => ({ attributes: wrong })],
    ['REST patch', 'PATCH', '/admin/realms/plain', (wrong: object) => ({ attributes: wrong })],
    ['import', 'POST', '/admin/realms', (wrong: object) => ({ realm: 'new', attributes: wrong })],
    ['realm file', 'POST', '/plain/apply', (wrong: object) => ({ desired: { attributes: wrong } })],
  ])('is checked by a %s, which changes nothing then', async (_name, method, path, body) => {
    const before = await stored('plain');
    for (const name of [accent, background, logo]) {
      const answer = await admin.send(
        method,
        path,
        body({ [accent]: '#000000', [name]: 'red}' }),
        method === 'PATCH' ? mergePatch : {},
      );
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(`attributes.${name}`);
    }
    expect(await stored('plain')).toEqual(before);
    expect((await admin.send('GET', '/admin/realms/new')).status).toBe(404);
  });

  it('goes into another realm by the export', async () => {
    const exported = await admin.send('POST', '/admin/realms/shop/partial-export');
    expect(exported.body.attributes).toMatchObject(attributes);
    const { id: _, ...file } = exported.body;
    expect((await admin.send('POST', '/admin/realms', { realm: 'copy', attributes: file.attributes })).status).toBe(
      201,
    );
    expect(await stored('copy')).toMatchObject(attributes);
  });
});

describe.skipIf(!hasBrowser)('login pages', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  /** A page in one of the colour schemes, and what its policy has refused. */
  async function open(realm: string, colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> {
    const page = await (await browser.newContext({ colorScheme, locale: 'en' })).newPage();
    const faults: string[] = [];
    // what a policy refuses; error pages and missing icons are answers of HTTP
    page.on('console', (message) => message.text().includes('Content Security') && faults.push(message.text()));
    await page.goto(server.url + authorizationUrl(realm, { client_id: 'app', redirect_uri: callback }));
    return { page, faults };
  }
  const colorsOf = (page: Page) =>
    page.evaluate(() => {
      const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
      return {
        button: [style('button').backgroundColor, style('button').color],
        page: style('body').backgroundColor,
        languages: style('nav a').color,
      };
    });

  it.each(['light', 'dark'] as const)('have the colours and the logo of the realm, %s', async (scheme) => {
    const { page, faults } = await open('shop', scheme);
    const image = page.getByRole('banner').getByRole('img', { name: 'Shop & Co' });
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(120);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await colorsOf(page)).toEqual({
      button: ['rgb(255, 204, 0)', 'rgb(0, 0, 0)'],
      page: 'rgb(18, 52, 86)',
      languages: 'rgb(255, 255, 255)',
    });
    expect(await violations(page, {})).toEqual([]);
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByRole('button', { name: 'Register' }).waitFor();
    expect((await colorsOf(page)).button[0]).toBe('rgb(255, 204, 0)');
    expect(await violations(page, {})).toEqual([]);
    await page.goto(`${server.url}${authorizationUrl('shop', { client_id: 'nobody', redirect_uri: callback })}`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('img', { name: 'Shop & Co' }).waitFor();
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('without them are as built in, %s', async (scheme) => {
    const { page, faults } = await open('plain', scheme);
    expect(await page.getByRole('img').count()).toBe(0);
    expect(await page.getByRole('banner').textContent()).toBe('Shop & Co');
    expect((await colorsOf(page)).button[0]).toBe(scheme === 'light' ? 'rgb(55, 85, 210)' : 'rgb(153, 182, 255)');
    expect(await violations(page, {})).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('stay readable with colours that are hard to read', async () => {
    for (const [accentColor, backgroundColor] of [
      ['#ffffff', '#ffffff'],
      ['#000000', '#000000'],
      ['#777777', '#767676'],
    ] as const) {
      const changed = { attributes: { [accent]: accentColor, [background]: backgroundColor } };
      expect((await admin.send('PATCH', '/admin/realms/plain', changed, mergePatch)).status).toBe(204);
      for (const scheme of ['light', 'dark'] as const) {
        const { page } = await open('plain', scheme);
        expect(await violations(page, {})).toEqual([]);
      }
    }
  });
});
