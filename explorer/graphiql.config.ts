import { defineConfig } from 'vite';

/** The bundle of GraphiQL, for tools/pack-graphiql.mjs. */
export default defineConfig({
  base: '/assets/explorer/',
  // directives such as "use client" in packages mean nothing here
  logLevel: 'error',
  build: {
    write: false,
    assetsDir: '.',
    target: 'es2023',
    license: { fileName: 'licenses.md' },
    rolldownOptions: { input: 'graphiql.ts', preserveEntrySignatures: 'strict' },
  },
  worker: { format: 'es' },
});
