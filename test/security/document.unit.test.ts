import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (CVE|GHSA)-/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
  .map(([id = '', what = '', cover = '']) => ({ id, what, cover }));

describe('the published vulnerabilities', () => {
  it('are listed once each, with words of their own', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, what, cover } of rows) {
      expect([id, what.length > 20, cover.length > 5]).toEqual([id, true, true]);
    }
  });

  it.each(rows.filter(({ cover }) => cover.startsWith('[')))('$id names a test that is there', ({ cover }) => {
    for (const entry of cover.split('<br>')) {
      const [, path = '', title = ''] = /^\[([^\]]+)\]\(\.\.\/\1\): “(.+)”$/.exec(entry) ?? [];
      expect([entry, existsSync(path)]).toEqual([entry, true]);
      const source = readFileSync(path, 'utf8');
      expect([title, source.includes(`'${title}'`) || source.includes(`"${title}"`)]).toEqual([title, true]);
    }
  });
});
