import type { Answer } from '../answer.js';
import { escapeHtml, htmlPage } from './layout.js';

/** A page of a list: its address, and what it is about. */
interface Entry {
  path: string;
  title: string;
}

/** Pages under a title of the list. */
export interface Group {
  name: string;
  entries: Entry[];
}

interface Guide {
  title: string;
  /** HTML */
  article: string;
  /** address of the page, which the list marks */
  path: string;
  /** what the list has */
  name: string;
  search: { action: string; label: string; searched: string };
  groups: readonly Group[];
  /** whether the headings of the article are listed beside it where there is room */
  hasContents?: boolean;
  /** sources that the policy of the page allows besides */
  sources?: Readonly<Record<string, string>>;
}

/** A page with a search beside it and the list of all pages of its kind. */
export function guidePage({ title, article, path, name, search, groups, hasContents = false, sources }: Guide): Answer {
  const { action, label, searched } = search;
  const lists = groups.map(
    ({ name: group, entries }) =>
      `<p>${escapeHtml(group)}</p>\n<ul>\n${entries.map((entry) => item(entry, path)).join('\n')}\n</ul>`,
  );
  return htmlPage(
    title,
    `<div class="docs">
<article>
${article}
</article>
<nav aria-label="${name}">
<form role="search" action="${action}"><input type="search" name="q" aria-label="${label}" placeholder="Search" value="${escapeHtml(searched)}"> <button>Search</button></form>
${lists.join('\n')}
</nav>
${hasContents ? contentsOf(article) : ''}
</div>`,
    200,
    { 'form-action': "'self'", ...sources },
  );
}

/** The headings of an article as links, if it has several. */
function contentsOf(article: string): string {
  const headings = [...article.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)];
  if (headings.length < 3) return '';
  const items = headings.map(
    ([, id, text = '']) => `<li><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, '')}</a></li>`,
  );
  return `<nav class="here" aria-label="On this page"><p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul></nav>`;
}

const item = ({ path, title }: Entry, here: string): string =>
  `<li><a href="${path}"${path === here || path === `${here}.md` ? ' aria-current="page"' : ''}>${escapeHtml(title.charAt(0).toUpperCase() + title.slice(1))}</a></li>`;
