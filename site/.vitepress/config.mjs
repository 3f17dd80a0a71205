import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { colors, logo } from '../../src/brand/brand.ts';
import { documents } from '../../tools/documents.mjs';
import { linksOf } from '../links.mjs';
import { navigationOf } from '../navigation.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const links = linksOf(project, documents);
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const navigation = navigationOf(readme, (href) => links.addressOf('README.md', href));

/** Folders without documents, and other files in Markdown. */
function others() {
  const folders = new Set(documents.filter((file) => file.includes('/')).map((file) => file.split('/')[0]));
  const entries = readdirSync(project, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const empty = entries.filter(({ name }) => !folders.has(name)).map(({ name }) => `${name}/**`);
  const files = [...folders].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.md') && !documents.includes(file)),
  );
  return [...empty, ...files, '**/node_modules/**'];
}

const logoAddress = `data:image/svg+xml,${encodeURIComponent(logo)}`;
const accented = ({ accent }) => `{ --vp-c-brand-1: ${accent}; --vp-c-brand-2: ${accent} }`;

export default defineConfig({
  title: 'Realmgate',
  description: 'Identity and access administration',
  head: [
    ['link', { rel: 'icon', href: logoAddress }],
    ['style', {}, `html:root ${accented(colors.light)} html.dark:root ${accented(colors.dark)}`],
  ],
  srcDir: project,
  srcExclude: others(),
  outDir: join(project, 'site/dist'),
  cacheDir: join(project, 'site/node_modules/.cache'),
  rewrites: { 'README.md': 'index.md' },
  // the README leads to the service on the reader's machine
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify: (title) => slug(title) },
    config: (markdown) => markdown.use(links.plugin),
  },
  themeConfig: {
    logo: logoAddress,
    sidebar: navigation,
    outline: [2, 3],
    search: { provider: 'local' },
  },
  buildEnd: ({ outDir }) => links.copyFiles(outDir),
});
