import { availableParallelism } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { defineConfig, type Plugin, type TestProjectConfiguration } from 'vitest/config';
import { postgresqlBinaries } from './test/support/postgresql.mjs';

/** Tests that need neither a server nor a database. */
const unitTests = 'test/**/*.unit.test.ts';
const units = (excluded: string[] = []): TestProjectConfiguration => ({
  test: { name: 'units', include: [unitTests], exclude: excluded, globalSetup: ['test/support/build.mjs'] },
});

/** The others run once per database. On PostgreSQL they run on the server of TEST_POSTGRES_URL or on a throw-away one. */
const onDatabase = (dialect: 'sqlite' | 'postgresql', excluded: string[] = []): TestProjectConfiguration => ({
  test: {
    name: dialect,
    include: ['test/**/*.test.ts'],
    exclude: [unitTests, ...excluded],
    provide: { dialect },
    globalSetup: [`test/support/${dialect}-setup.mjs`],
  },
});

/**
 * What the quick run leaves out: tests that need a browser or a directory, that start processes of their own, that ask one question
 * of every operation, field, address or power of an administrator, and that work on large files.
 */
const thorough = [
  'test/{main,package,readme,workers}.test.ts',
  'test/{administration,browser,cli,console,deploy,faults,fuzz,ids,instances,ldap,limits,matrix,permissions,secrets,updates,upgrade}/**',
  'test/client-certificates/key-stores.test.ts',
  'test/database/differential.test.ts',
  'test/login/pages.test.ts',
  'test/realms/large-file*.test.ts',
  'test/tokens/purposes.test.ts',
];

const withPostgresql = Boolean(process.env.TEST_POSTGRES_URL) || postgresqlBinaries() !== undefined;
if (!withPostgresql) {
  console.log('PostgreSQL is not installed and TEST_POSTGRES_URL is not set: the tests run on SQLite only.');
}
/** The stories of the console use its API, whose own tests run on both databases. */
const onlySqlite = ['test/console/**'];
const all = [units(), onDatabase('sqlite'), ...(withPostgresql ? [onDatabase('postgresql', onlySqlite)] : [])];
const quick = [units(thorough), onDatabase('sqlite', thorough)];

const sources = join(import.meta.dirname, 'src') + sep;

/** Tests import the sources of the server, for their types, and get what was built of them, which Node loads quickly. */
const builtServer: Plugin = {
  name: 'built-server',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!source.startsWith('.') || importer === undefined) return;
    const path = resolve(dirname(importer), source);
    if (path.startsWith(sources)) return join(import.meta.dirname, 'dist', path.slice(sources.length));
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [builtServer],
  // the one build of graphql that its other users get from Node; two of them do not work together
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    setupFiles: ['test/support/quick-crypto.mjs', 'test/support/each-file.ts'],
    reporters: ['default', 'test/support/slowest-files.mjs'],
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    execArgv: ['--max-semi-space-size=32'], // megabytes for what is young: a worker makes much, and keeps little of it
    // the files of a worker share its modules, which take longer to load than most files to run
    isolate: false,
    // some wait for directories, browsers and time limits; others have the processors meanwhile
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // a test without an expectation would pass whatever happens
    expect: { requireAssertions: true },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    projects: (mode === 'quick' ? quick : all).map((project) => ({ extends: true, ...(project as object) })),
  },
}));
