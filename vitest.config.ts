import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, sep } from 'node:path';
import { defineConfig, type Plugin, type TestProjectConfiguration } from 'vitest/config';
import { affectedTests } from './test/support/affected.mjs';
import { declaredTests } from './test/support/declarations.mjs';
import { useMemoryFolder } from './test/support/memory-folder.mjs';
import { postgresqlBinaries } from './test/support/postgresql.mjs';

/** For each worker and its threads. */
const quickCrypto = new URL('test/support/quick-crypto.mjs', import.meta.url).href;
/** The option that only older versions of V8 have. */
const laterOptimisation = /--interrupt-budget \(/.test(
  execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' }),
)
  ? ['--interrupt-budget=500000']
  : [];
const sources = join(import.meta.dirname, 'src') + sep;

/**
 * Tests import the sources of the server and get the build, which Node loads quickly. The imports that are never executed are those
 * of the source: `vitest related` follows them.
 */
const builtServer: Plugin = {
  name: 'built-server',
  enforce: 'pre',
  load(id) {
    if (!id.startsWith(sources)) return;
    const built = join(import.meta.dirname, 'build', id.slice(sources.length).replace(/ts$/, 'js'));
    const imported = [...readFileSync(built, 'utf8').matchAll(/^(?:import|export|}) .*?(["'])(\.[^"']+)\1;$/gm)];
    const followed = imported.map(([, , path]) => `import(${JSON.stringify(path)});`);
    return `export * from ${JSON.stringify(built)};\nif (false) { ${followed.join(' ')} }`;
  },
};

useMemoryFolder();

const hasPostgresql = Boolean(process.env.TEST_POSTGRES_URL) || postgresqlBinaries() !== undefined;
if (!hasPostgresql) {
  console.log('PostgreSQL is not installed and TEST_POSTGRES_URL is not set: the tests run on SQLite only.');
}

export default defineConfig(({ mode }) => {
  const thorough = mode === 'thorough';
  const recorded = mode === 'recorded';
  const tests = declaredTests().filter(({ isThorough }) => thorough || !isThorough);
  const paths = (chosen: typeof tests) => chosen.map(({ path }) => path);
  const onDatabase = (dialect: 'sqlite' | 'postgresql', chosen: typeof tests): TestProjectConfiguration => ({
    test: {
      name: dialect,
      include: paths(chosen),
      provide: { dialect, thorough, recorded },
      globalSetup: [`test/support/${dialect}-setup.mjs`],
    },
  });
  const served = tests.filter(({ isUnit }) => !isUnit);
  const projects: TestProjectConfiguration[] = [
    {
      test: {
        name: 'units',
        include: paths(tests.filter(({ isUnit }) => isUnit)),
        provide: { thorough, recorded },
        globalSetup: ['test/support/build.mjs'],
      },
    },
    onDatabase('sqlite', served),
  ];
  // on the server of TEST_POSTGRES_URL or on one that ends with the run; the stories of the console use the API, whose own tests run on both
  const onPostgresql = served.filter(({ path, onBothDatabases }) =>
    thorough ? !path.startsWith('test/console/') : onBothDatabases,
  );
  if (hasPostgresql) projects.push(onDatabase('postgresql', onPostgresql));

  return {
    plugins: [builtServer],
    // the one build of graphql that its other users get from Node; two of them do not work together
    resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
    test: {
      setupFiles: ['test/support/stepped-clock.mjs', 'test/support/record.ts', 'test/support/each-file.ts'],
      reporters: ['default', ['test/support/summary.mjs', { thorough }]],
      server: { deps: { external: [/\/build\//] } },
      pool: 'forks',
      // megabytes for what is young: a worker makes much, and keeps little of it. V8 optimises functions later than usual, as most run
      // too seldom for the time of its threads: they took a quarter of the processor time of a worker
      execArgv: ['--max-semi-space-size=32', ...laterOptimisation, '--import', quickCrypto],
      // the files of a worker share its modules, which take longer to load than most files to run
      isolate: false,
      // some wait for directories, browsers and time limits; others have the processors meanwhile
      maxWorkers: Math.ceil(availableParallelism() * 1.5),
      // a change of the server is built, and the tests that execute it run
      watchTriggerPatterns: [
        {
          pattern: /\/src\/.*\.ts$/,
          testsToRun(file) {
            execFileSync(process.execPath, ['tools/prepare.mjs', '--develop'], {
              cwd: import.meta.dirname,
              stdio: 'inherit',
            });
            return affectedTests([relative(import.meta.dirname, file)]).chosen;
          },
        },
      ],
      // a test without an expectation would pass whatever happens
      // machines that run tests are slow
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
      testTimeout: 90_000,
      hookTimeout: 120_000,
      projects: projects.map((project) => ({ extends: true, ...(project as object) })),
    },
  };
});
