import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Writes each text of the build also as the server sends it to browsers that take compressed answers. */
const precompressed: Plugin = {
  name: 'precompressed',
  // the texts are complete only now
  async writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(js|css|svg)$/.test(file))) {
      const text = await readFile(join(dir, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      await writeFile(join(dir, `${name}.br`), brotliCompressSync(text, { params }));
      await writeFile(join(dir, `${name}.gz`), gzipSync(text, { level: 9 }));
    }
  },
};

/** The console is built into dist/console, whose assets the server serves under /assets/console. */
export default defineConfig({
  base: '/assets/console/',
  // directives such as "use client" in packages mean nothing here
  logLevel: 'error',
  plugins: [precompressed],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // a file of its own keeps the page's policy: nothing is loaded from the text of another one
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  experimental: {
    // the folder of the build is not a part of the addresses
    renderBuiltUrl: (name) => `/assets/console/${name.replace(/^assets\//, '')}`,
  },
});
