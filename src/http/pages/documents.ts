import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { projectFolder } from '../../config/project.js';
import { ownMember } from '../../services/core/json.js';
import type { Answer } from '../answer.js';
import { htmlPage } from './layout.js';
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
 * The documents of this version: /docs/ lists them, and /docs/graphql.md and others are shown as pages. Undefined for other
 * addresses and for documents that are not installed.
 */
export async function documentPage(path: string): Promise<Answer | undefined> {
  if (path === '/docs' || path === '/docs/') return listPage();
  const name = path.slice(1);
  if (!readable.test(name) && !others.includes(name)) return undefined;
  const bytes = await readFile(join(projectFolder, name)).catch(() => undefined);
  if (!bytes) return undefined;
  const [, extension = ''] = /\.(\w+)$/.exec(name) ?? [];
  if (extension !== 'md')
    return { status: 200, body: bytes, type: ownMember(types, extension) ?? 'text/plain;charset=UTF-8', public: true };
  const text = bytes.toString('utf8');
  return htmlPage(titleOf(text) ?? name, await rendered(text, posix.dirname(path)));
}

const titleOf = (text: string): string | undefined => /^# (.+)$/m.exec(text)?.[1];

async function rendered(text: string, folder: string): Promise<string> {
  const html = await htmlOf(text);
  // a page has the address of its document, but /docs/ and the pages below it differ in depth
  return html.replace(/(href|src)="(?![a-z]+:|\/|#)([^"]+)"/g, (_, attribute, to) => {
    return `${attribute}="${posix.join(folder, to)}"`;
  });
}

async function listPage(): Promise<Answer | undefined> {
  const names = (await readdir(join(projectFolder, 'docs')).catch(() => [])).filter((name) => name.endsWith('.md'));
  const cards = await Promise.all(
    names.map(async (name) => {
      const title = titleOf(await readFile(join(projectFolder, 'docs', name), 'utf8')) ?? name;
      return `<li><a href="/docs/${name}"><strong>${title}</strong><span>${name}</span></a></li>`;
    }),
  );
  if (cards.length === 0) return undefined;
  const more = others.slice(0, 4).map((name) => `<li><a href="/${name}"><strong>${name}</strong></a></li>`);
  return htmlPage(
    'Documentation',
    `<h1>Documentation</h1>
<ul class="cards">
${[...cards, ...more].join('\n')}
</ul>`,
  );
}
