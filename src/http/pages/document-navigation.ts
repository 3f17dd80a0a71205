import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../config/project.js';
import type { Group } from './guide-page.js';

/** Those of the README in its order, then the others. They are read once, as documents of a version do not change. */
let list: Promise<Group[]> | undefined;

/** The list of all documents by groups. Empty if no documents are installed. */
export function documentGroups(): Promise<Group[]> {
  list ??= readList();
  return list;
}

async function readList(): Promise<Group[]> {
  const names = (await readdir(join(projectFolder, 'docs')).catch(() => [])).filter((name) => name.endsWith('.md'));
  if (names.length === 0) return [];
  const listedGroups = groupsIn(
    await readFile(join(projectFolder, 'README.md'), 'utf8').catch(() => ''),
    new Set(names),
  );
  const listed = new Set(listedGroups.flatMap(({ entries }) => entries.map(({ path }) => path)));
  const rest = names.map((name) => `/docs/${name}`).filter((path) => !listed.has(path));
  const others = rest.map((path) => ({ path, title: path.slice('/docs/'.length, -'.md'.length) }));
  const more = { name: 'More', entries: [...others, { path: '/CHANGELOG.md', title: 'Changes' }] };
  return [...listedGroups, more].filter(({ entries }) => entries.length > 0);
}

/** The groups of the section "Documentation" of the README. A row is a question with its pages, of which the first answers it. */
function groupsIn(readme: string, names: ReadonlySet<string>): Group[] {
  const [section = ''] = (readme.split(/^## Documentation$/m)[1] ?? '').split(/^## /m);
  return section
    .split(/^### /m)
    .slice(1)
    .map((group) => ({
      name: group.slice(0, group.indexOf('\n')),
      entries: [...group.matchAll(/^\| (.+?) \| (.+) \|$/gm)].flatMap(([, question = '', pages = '']) =>
        [...pages.matchAll(/\[([^\]]+)\]\(docs\/([\w-]+\.md)\)/g)]
          .filter(([, , name = '']) => names.has(name))
          .map(([, text = '', name], at) => ({ path: `/docs/${name}`, title: at === 0 ? question : text })),
      ),
    }));
}
