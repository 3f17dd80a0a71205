import { describe, expect, it } from 'vitest';
import { sectorDocuments } from '../../src/services/clients/sector-documents.js';
import type { FetchPublic } from '../../src/services/core/fetch-public.js';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `https://app-${at}.example/sector`);

/** A server that answers when it is told to, and not after the request was ended. */
function openServer() {
  const asked: string[] = [];
  let answers: (() => void)[] = [];
  const fetch: FetchPublic = (url, { signal } = {}) => {
    asked.push(String(url));
    return new Promise((done, failed) => {
      signal?.addEventListener('abort', () => failed(signal.reason));
      answers.push(() => done(new Response(JSON.stringify([`${url}/in`]))));
    });
  };
  const answer = (): void => {
    const open = answers;
    answers = [];
    for (const one of open) one();
  };
  return { asked, fetch, answer, open: () => answers.length };
}

describe('the documents of sectors', () => {
  it('are read a few at a time, each once', async () => {
    const { asked, fetch, answer, open } = openServer();
    const documents = sectorDocuments(fetch);
    const addresses = numbered(20);
    const all = Promise.all([...addresses, ...addresses].map((address) => documents.listedAt(address)));
    for (const count of [8, 8, 4]) {
      await expect.poll(open).toBe(count);
      answer();
    }
    expect(await all).toEqual([...addresses, ...addresses].map((address) => [`${address}/in`]));
    expect(asked).toEqual(addresses);
  });

  it('are late together, however many there are', async () => {
    const { asked, fetch } = openServer();
    const documents = sectorDocuments(fetch, 20);
    const listed = await Promise.all(numbered(1000).map((address) => documents.listedAt(address)));
    expect(new Set(listed)).toEqual(new Set(['late']));
    expect(asked.length).toBe(8);
  });

  it('that cannot be read are no reason to stop', async () => {
    const documents = sectorDocuments(async (url) => {
      if (String(url).endsWith('0')) throw new Error('refused');
      return new Response('{', { status: String(url).endsWith('1') ? 404 : 200 });
    });
    expect(await Promise.all(['0', '1', '2'].map((path) => documents.listedAt(path)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
