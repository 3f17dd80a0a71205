import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (CVE|GHSA)-/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
  .map(([id = '', what = '', cover = '']) => ({ id, what, cover }));

const threats = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.includes('(../test/oauth/') && !/^\| (CVE|GHSA)-/.test(line))
  .flatMap((line) => line.split(' | ')[1]?.replace(/ \|$/, '').split('<br>') ?? []);

/** Whether a document names a test that is there, by its file and title. */
function requireTest(entry: string): void {
  const [, path = '', title = ''] = /^\[([^\]]+)\]\(\.\.\/\1\): “(.+)”$/.exec(entry) ?? [];
  expect([entry, existsSync(path)]).toEqual([entry, true]);
  const source = readFileSync(path, 'utf8');
  expect([title, source.includes(`'${title}'`) || source.includes(`"${title}"`)]).toEqual([title, true]);
}

describe('the threats to requests and tokens of clients', () => {
  it('name tests that are there', () => {
    expect(threats.length).toBeGreaterThanOrEqual(15);
    threats.forEach(requireTest);
  });
});

describe('the published vulnerabilities', () => {
  it('are listed once each, with words of their own', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, what, cover } of rows) {
      expect([id, what.length > 20, cover.length > 5]).toEqual([id, true, true]);
    }
  });

  it.each(rows.filter(({ cover }) => cover.startsWith('[')))('$id names a test that is there', ({ cover }) => {
    cover.split('<br>').forEach(requireTest);
  });
});
