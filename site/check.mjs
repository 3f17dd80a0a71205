import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * What is wrong with a built site: links to pages, files, or headings that do not exist, and files that it would fetch from elsewhere.
 * @param {string} folder
 */
export function faultsOf(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const pages = new Map(
    names.filter((name) => name.endsWith('.html')).map((name) => [name, pageOf(join(folder, name))]),
  );
  if (pages.size === 0) return ['The site has no pages.'];
  return [...pages].flatMap(([name, { links, sources }]) => [
    ...links.filter((href) => isDead(href, name)).map((href) => `${name}: dead link ${href}`),
    ...sources.filter((href) => /^(https?:)?\/\//.test(href)).map((href) => `${name}: fetches ${href}`),
  ]);

  function isDead(href, from) {
    if (/^[a-z]+:/.test(href)) return false;
    const [path, anchor] = href.split('#');
    const absolute = path === '' ? `/${from}` : posix.resolve(`/${posix.dirname(from)}`, decodeURI(path));
    const to = (absolute === '/' ? '/index.html' : absolute).slice(1);
    if (!existsSync(join(folder, to))) return true;
    return anchor !== undefined && !pages.get(to)?.ids.has(decodeURIComponent(anchor));
  }
}

function pageOf(file) {
  const html = readFileSync(file, 'utf8');
  const all = (pattern) => [...html.matchAll(pattern)].map(([, value]) => value.replaceAll('&amp;', '&'));
  return {
    ids: new Set(all(/\sid="([^"]+)"/g)),
    links: all(/<a\s[^>]*?href="([^"]*)"/g),
    sources: [...all(/<(?:script|img|iframe)\s[^>]*?src="([^"]*)"/g), ...all(/<link\s[^>]*?href="([^"]*)"/g)],
  };
}
