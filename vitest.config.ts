import { defineConfig } from 'vitest/config';
import { postgresqlBinaries } from './test/support/postgresql.mjs';

/** The whole suite once per database. On PostgreSQL it runs on the server of TEST_POSTGRES_URL or on a throw-away one. */
const sqlite = {
  test: { name: 'sqlite', provide: { dialect: 'sqlite' }, globalSetup: ['test/support/sqlite-setup.mjs'] },
};
const postgresql = {
  test: {
    name: 'postgresql',
    provide: { dialect: 'postgresql' },
    globalSetup: ['test/support/postgresql-setup.mjs'],
  },
};

const withPostgresql = Boolean(process.env.TEST_POSTGRES_URL) || postgresqlBinaries() !== undefined;
if (!withPostgresql) {
  console.log('PostgreSQL is not installed and TEST_POSTGRES_URL is not set: the tests run on SQLite only.');
}

export default defineConfig({
  // the one build of graphql that its other users get from Node; two of them do not work together
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/quick-crypto.mjs', 'test/support/each-file.ts'],
    reporters: ['default', 'test/support/slowest-files.mjs'],
    pool: 'forks',
    // the files of a worker share its modules, which take longer to load than most files to run
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 90_000,
    hookTimeout: 120_000,
    projects: [sqlite, ...(withPostgresql ? [postgresql] : [])].map((project) => ({ extends: true, ...project })),
  },
});
