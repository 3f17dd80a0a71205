import { readdirSync } from 'node:fs';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../support/http.js';
import { startServer, type TestServer } from '../support/server.js';

const assets = readdirSync(new URL('../../dist/console/assets/', import.meta.url));
const script = assets.find((name) => /^index-.*\.js$/.test(name)) ?? '';

/** The bytes of an answer as they were sent. */
const bytesOf = (url: string, encoding: string): Promise<{ bytes: Buffer; encoding: string | undefined }> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ bytes: Buffer.concat(parts), encoding: response.headers['content-encoding'] }),
      );
    }).on('error', reject);
  });

describe('the console is served', () => {
  let server: TestServer;
  const page = (path: string) => exchange(`${server.url}${path}`, 'GET', { accept: 'text/html' });

  beforeAll(async () => {
    server = await startServer();
  });

  it('at all paths below /console/, with a strict policy, and asked for anew each time', async () => {
    for (const path of ['/console/', '/console/master/', '/console/master/shop/users/VXNlcjox']) {
      const { status, headers, text } = await page(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(text).toContain('<div id="root">');
      expect(headers.get('cache-control')).toBe('no-cache');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  it('with files that caches keep for good, in the smallest form that the browser takes', async () => {
    const url = `${server.url}/assets/console/${script}`;
    const { headers } = await exchange(url, 'GET', {});
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('vary')).toBe('accept-encoding');
    const plain = await bytesOf(url, 'identity');
    const gzip = await bytesOf(url, 'gzip, deflate');
    const brotli = await bytesOf(url, 'gzip, deflate, br');
    expect([plain.encoding, gzip.encoding, brotli.encoding]).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(brotli.bytes.length).toBeLessThan(gzip.bytes.length);
  });

  it('from nothing but its own folder', async () => {
    for (const path of ['index.html', '../main.js', '..%2f..%2fmain.js', 'toString', 'nothing.js'])
      expect({ path, status: (await page(`/assets/console/${path}`)).status }).toEqual({ path, status: 404 });
  });

  it('where administrators of the reference server look for it', async () => {
    const answer = await fetch(`${server.url}/auth/admin/shop/console/?code=a&state=b`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console/shop/?code=a&state=b']);
    const bare = await fetch(`${server.url}/auth/admin/shop/console`, { redirect: 'manual' });
    expect(bare.headers.get('location')).toBe('/console/shop/');
    expect((await fetch(`${server.url}/auth/admin/master/console/whoami`)).status).toBe(401);
  });

  it('unless it is turned off, or only trusted documents are executed', async () => {
    for (const options of [{ console: false }, { trustedDocumentsOnly: true }]) {
      const without = await startServer(options);
      expect((await exchange(`${without.url}/console/`, 'GET', {})).status).toBe(404);
      expect((await exchange(`${without.url}/assets/console/${script}`, 'GET', {})).status).toBe(404);
      expect((await exchange(`${without.url}/`, 'GET', { accept: 'text/html' })).text).not.toContain('/console/');
    }
  });
});
