import { defineConfig } from 'vite';

/** The explorer is built into dist/explorer, which the server serves under /assets/explorer. */
export default defineConfig({
  base: '/assets/explorer/',
  // directives such as "use client" in packages mean nothing here
  logLevel: 'error',
  build: {
    outDir: '../dist/explorer',
    emptyOutDir: true,
    assetsDir: '.',
    target: 'es2023',
  },
  worker: { format: 'es' },
});
