import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../config/project.js';
import { escapeHtml } from './layout.js';
import { htmlOf } from './markdown.js';

/** A part of a document below a heading. All texts are HTML without tags. */
interface Section {
  document: string;
  heading: string;
  address: string;
  text: string;
}

/** The sections of all documents, from the first search on: documents of a version do not change. */
let index: Promise<Section[]> | undefined;

const most = 30;
/** Characters of a section that are shown around the first word that was found. */
const excerpt = 160;

/** The sections that have all words of a search as HTML, those with the words in their heading first. */
export async function resultsFor(searched: string): Promise<string> {
  index ??= readSections();
  const words = escapeHtml(searched).toLowerCase().split(/\s+/);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const sections = (await index).filter(({ document, heading, text }) => has(`${document} ${heading} ${text}`));
  const found = [...sections.filter(({ heading }) => has(heading)), ...sections.filter(({ heading }) => !has(heading))];
  const rows = found.slice(0, most).map(({ document, heading, address, text }) => {
    const at = Math.max(text.toLowerCase().indexOf(words[0] ?? '') - excerpt / 2, 0);
    const title = heading === document ? heading : `${document} › ${heading}`;
    return `<li><a href="${address}">${title}</a><br><span>${text.slice(at, at + excerpt).replace(/^\S*;|&\w*$/g, '')} …</span></li>`;
  });
  const count = found.length > most ? `The first ${most} of ${found.length} sections` : `${found.length} sections`;
  return `<h1>Search</h1>
<p class="lead" role="status">${count} with “${escapeHtml(searched)}”.</p>
<ul class="results">
${rows.join('\n')}
</ul>`;
}

async function readSections(): Promise<Section[]> {
  const folder = join(projectFolder, 'docs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const documents = await Promise.all(
    names.map(async (name) => sectionsIn(await htmlOf(await readFile(join(folder, name), 'utf8')), `/docs/${name}`)),
  );
  return documents.flat();
}

function sectionsIn(html: string, path: string): Section[] {
  const parts = [...html.matchAll(/<h\d id="([^"]+)">(.*?)<\/h\d>(.*?)(?=<h\d id=|$)/gs)];
  const [document = path] = parts.map(([, , heading = '']) => textOf(heading));
  return parts.map(([, id, heading = '', text = '']) => ({
    document,
    heading: textOf(heading),
    address: `${path}#${id}`,
    text: textOf(text),
  }));
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
