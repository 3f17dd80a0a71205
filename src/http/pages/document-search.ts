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
  /** in lower case: the heading, and all of these texts */
  searched: { heading: string; all: string };
}

/** The sections of all documents, from the first search on: documents of a version do not change. */
let index: Promise<Section[]> | undefined;

const most = 30;
/** Characters of a section that are shown around the first word that was found. */
const excerpt = 160;

/** The sections that have all words of a search as HTML, those with the words in their heading first. */
export async function resultsFor(searched: string): Promise<string> {
  index ??= readSections();
  const words = [...new Set(escapeHtml(searched).toLowerCase().split(/\s+/))];
  const has = (text: string) => words.every((word) => text.includes(word));
  const sections = (await index).filter(({ searched }) => has(searched.all));
  const isFirst = ({ searched }: Section) => has(searched.heading);
  const found = [...sections.filter(isFirst), ...sections.filter((section) => !isFirst(section))];
  const rows = found.slice(0, most).map(({ document, heading, address, text }) => {
    const at = Math.max(text.toLowerCase().indexOf(words[0] ?? '') - excerpt / 2, 0);
    const title = heading === document ? heading : `${document} › ${heading}`;
    const end = at + excerpt;
    // from word to word, so that no entity is cut either
    const begun = text.slice(at, end).replace(at > 0 ? /^\S*\s/ : '', '');
    const shown = begun.replace(end < text.length ? /\s\S*$/ : '', '');
    return `<li><a href="${address}">${title}</a><br><span>${shown} …</span></li>`;
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
  const sections: Section[] = [];
  // one after the other: others have their turn while a file is read
  for (const name of names) {
    const html = await htmlOf(await readFile(join(folder, name), 'utf8'));
    sections.push(...sectionsIn(html, `/docs/${name}`));
  }
  return sections;
}

function sectionsIn(html: string, path: string): Section[] {
  const parts = [...html.matchAll(/<h\d id="([^"]+)">(.*?)<\/h\d>(.*?)(?=<h\d id=|$)/gs)];
  const [document = path] = parts.map(([, , heading = '']) => textOf(heading));
  return parts.map(([, id, heading = '', below = '']) => {
    const [title, text] = [textOf(heading), textOf(below)];
    const searched = { heading: title.toLowerCase(), all: `${document} ${title} ${text}`.toLowerCase() };
    return { document, heading: title, address: `${path}#${id}`, text, searched };
  });
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
