import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { htmlOf } from '../../src/http/pages/markdown.js';
import { documents as pages } from '../../tools/documents.mjs';

function linksOf(tokens: Token[]): Tokens.Link[] {
  const links: Tokens.Link[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link' || token.type === 'image') links.push(token as Tokens.Link);
  });
  return links;
}

const isRelative = ({ href }: Tokens.Link): boolean => !/^([a-z]+:|#|\/)/.test(href);
const fileOf = (page: string, { href }: Tokens.Link): string => join(dirname(page), href.replace(/#.*/, ''));

describe('links of the documents', () => {
  const found = pages.map((page) => ({ page, links: linksOf(marked.lexer(readFileSync(page, 'utf8'))) }));

  it('lead to files that exist', () => {
    const relative = found.flatMap(({ page, links }) =>
      links.filter(isRelative).map((link) => ({ page, file: fileOf(page, link) })),
    );
    expect(relative.length).toBeGreaterThan(100);
    expect(relative.filter(({ file }) => !existsSync(file))).toEqual([]);
  });

  it('lead to headings that exist', async () => {
    const headings = new Map<string, string[]>();
    for (const page of pages) {
      const html = await htmlOf(readFileSync(page, 'utf8'));
      headings.set(
        page,
        [...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id = '']) => id),
      );
    }
    const anchors = found.flatMap(({ page, links }) =>
      links
        .filter((link) => link.href.includes('#') && (isRelative(link) || link.href.startsWith('#')))
        .map((link) => ({
          page,
          to: link.href.startsWith('#') ? page : fileOf(page, link),
          id: decodeURIComponent(link.href.replace(/^[^#]*#/, '')),
        })),
    );
    expect(anchors.length).toBeGreaterThan(5);
    expect(anchors.filter(({ to, id }) => !headings.get(to)?.includes(id))).toEqual([]);
  });

  it('are defined, and have no definitions that nothing uses', () => {
    for (const page of pages) {
      const text = readFileSync(page, 'utf8');
      const defined = [...text.matchAll(/^\[([\w-]+)\]: /gm)].map(([, name]) => name);
      const used = [...text.matchAll(/\]\[([\w-]+)\]/g)].map(([, name]) => name);
      expect([page, [...new Set(used)].sort()]).toEqual([page, [...new Set(defined)].sort()]);
    }
  });
});

describe('the comparison with other APIs', () => {
  const page = 'docs/graphql.md';
  const text = readFileSync(page, 'utf8');
  const section = text.slice(text.indexOf('## How does it compare?'));
  const tokens = marked.lexer(section);
  const table = tokens.find((token): token is Tokens.Table => token.type === 'table');
  const rows = (table?.rows ?? []).map((cells) => ({ name: cells[0]?.text ?? '', cells: cells.slice(1) }));

  it('has as many cells in each row, each with one proof unless nothing is documented', () => {
    const lines = section.split('\n').filter((line) => line.startsWith('|'));
    expect(lines.map((line) => line.split('|').length)).toEqual(lines.map(() => 9));
    expect(rows.length).toBeGreaterThanOrEqual(18);
    for (const { name, cells } of rows) {
      const proofs = cells.map((cell) => (cell.text === 'not documented' ? 1 : linksOf(cell.tokens).length));
      expect([name, proofs]).toEqual([name, [1, 1, 1, 1, 1, 1]]);
    }
  });

  it.each(rows)('proves what it states of Realmgate: $name', ({ cells }) => {
    const [link] = linksOf(cells[0]?.tokens ?? []);
    expect(link && isRelative(link)).toBe(true);
    if (!link?.title) return expect(cells[0]?.text).toMatch(/^\[no\]/);
    const source = readFileSync(fileOf(page, link), 'utf8');
    expect([link.title, source.includes(`'${link.title}'`)]).toEqual([link.title, true]);
  });
});
