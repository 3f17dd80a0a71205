import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { readPack } from '../tools/graphiql-pack.mjs';
import { faceStyle } from './face.js';

const base = '/assets/explorer/';
const pack = readPack();

/** Imports GraphiQL and its packages from the bundle in graphiql.br, and writes the files of the bundle beside the page. */
const packedGraphiql: Plugin = {
  name: 'packed-graphiql',
  enforce: 'pre',
  resolveId(source) {
    if (source === './graphiql.js' || source === 'react/jsx-runtime')
      return { id: base + pack.entry, external: 'absolute' };
  },
  generateBundle() {
    for (const { name, content } of pack.files) this.emitFile({ type: 'asset', fileName: name, source: content });
  },
  transformIndexHtml: {
    // before those of the page
    order: 'pre',
    handler: () =>
      [
        ...[pack.entry, ...pack.imports].map((name) => ({ rel: 'modulepreload', href: base + name })),
        ...pack.styles.map((name) => ({ rel: 'stylesheet', href: base + name })),
      ]
        .map((attrs): HtmlTagDescriptor => ({ tag: 'link', attrs, injectTo: 'head' }))
        .concat({ tag: 'style', children: faceStyle, injectTo: 'head' }),
  },
};

/** The explorer and the script of the REST reference are built into dist/explorer, which the server serves under /assets/explorer. */
export default defineConfig({
  base,
  logLevel: 'error',
  plugins: [packedGraphiql],
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    assetsDir: '.',
    target: 'es2023',
    rolldownOptions: {
      input: { index: 'explorer/index.html', reference: 'explorer/reference.ts' },
      // the server makes the pages of the reference, and knows its script by name
      output: { entryFileNames: ({ name }) => (name === 'reference' ? '[name].js' : '[name]-[hash].js') },
    },
  },
});
