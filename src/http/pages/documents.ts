import { access, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { projectFolder } from '../../config/project.js';
import { ownMember } from '../../services/core/json.js';
import type { Answer } from '../answer.js';
import { documentGroups } from './document-navigation.js';
import { resultsFor } from './document-search.js';
import { guidePage } from './guide-page.js';
import { htmlOf } from './markdown.js';

/** Files outside of docs/ that documents link to. */
const others = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE', 'NOTICE'];
const readable =
  /^(docs\/(decisions\/|pictures\/)?[\w-]+\.(md|svg|png)|schema\/(schema\.graphql|openapi\.json|realm\.schema\.json))$/;

const types: Record<string, string> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json',
};

/**
 * The documents of this version: /docs/ lists and searches them, and /docs/graphql.md and others are shown as pages, also without
 * the ending. Undefined for other addresses and for documents that are not installed.
 */
export async function documentPage(path: string, query: URLSearchParams): Promise<Answer | undefined> {
  if (path === '/docs' || path === '/docs/') return startPage(query.get('q')?.trim().slice(0, 200) ?? '');
  const name = /^\/docs\/(decisions\/)?[\w-]+$/.test(path) ? `${path.slice(1)}.md` : path.slice(1);
  if (!isServed(name)) return undefined;
  const bytes = await readFile(join(projectFolder, name)).catch(() => undefined);
  if (!bytes) return undefined;
  const [, extension = ''] = /\.(\w+)$/.exec(name) ?? [];
  if (extension !== 'md')
    return { status: 200, body: bytes, type: ownMember(types, extension) ?? 'text/plain;charset=UTF-8', public: true };
  const text = bytes.toString('utf8');
  const title = /^# (.+)$/m.exec(text)?.[1];
  return withNavigation(title ?? name, await adapted(await htmlOf(text), posix.dirname(path)), path);
}

const isServed = (name: string): boolean => readable.test(name) || others.includes(name);

/**
 * The HTML of a document with links that work on this server: a page has the address of its document, but /docs/ and the pages below it
 * differ in depth, and a link to a file of the sources that is not served becomes its text.
 */
async function adapted(html: string, folder: string): Promise<string> {
  const given = [...html.matchAll(/(?:href|src)="(?![a-z]+:|\/|#)([^"#]+)/g)].map(([, to = '']) => to);
  const missing = new Set<string>();
  for (const to of new Set(given)) {
    const name = posix.join(folder, to).slice(1);
    const isThere =
      isServed(name) &&
      (await access(join(projectFolder, name)).then(
        () => true,
        () => false,
      ));
    if (!isThere) missing.add(to);
  }
  return html
    .replace(/<a href="(?![a-z]+:)([^"#]+)[^>]*>(.*?)<\/a>/gs, (link, to, text) => (missing.has(to) ? text : link))
    .replace(/(href|src)="(?![a-z]+:|\/|#)([^"]+)"/g, (_, attribute, to) => `${attribute}="${posix.join(folder, to)}"`);
}

/** A page of the documents with their search beside it and the list of all of them. */
const withNavigation = async (title: string, article: string, path: string, searched = ''): Promise<Answer> =>
  guidePage({
    title,
    article,
    path,
    name: 'Documents',
    search: { action: '/docs/', label: 'Search the documents', searched },
    groups: await documentGroups(),
    hasContents: true,
  });

/** The results of a search in the documents, or the start page without one. Undefined if no documents are installed. */
async function startPage(searched: string): Promise<Answer | undefined> {
  if ((await documentGroups()).length === 0) return undefined;
  if (searched !== '') return withNavigation(`${searched} - Search`, await resultsFor(searched), '', searched);
  const start = `<h1>Documentation</h1>
<p class="lead">Guides for use, operation, and development of this version.</p>
<p>Begin with <a href="/docs/first-realm.md">your first realm</a>, or choose a question from the list.</p>`;
  return withNavigation('Documentation', start, '/docs/');
}
