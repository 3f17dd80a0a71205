// Makes a clone ready to run: dependencies, generated clients, build. It runs before `npm start` and `npm test`, uses
// nothing but Node itself, and does and prints nothing when nothing has changed since it last ran.
//
//   node tools/prepare.mjs             what the server needs
//   node tools/prepare.mjs --develop   also the packages that tests and tools need, and Prisma's client
//   node tools/prepare.mjs --types     also the types of GraphQL documents, for the check of types
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, build } from './build.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const wantsTypes = process.argv.includes('--types');
const develops = wantsTypes || process.argv.includes('--develop');
const lockFile = 'dist/.preparing';
const stamps = 'node_modules/.cache/realmgate'; // goes with the dependencies, so that new ones mean a new build
const generated = ['src/generated/sqlite/client.ts', 'src/generated/postgresql/client.ts', 'src/generated/pothos.ts'];

// tests run with NODE_ENV=test, with which Vite would build pages with the larger and slower texts of developers
const pages = { env: { ...process.env, NODE_ENV: 'production' } };

class CommandFailed extends Error {}

/** Makes what is out of date. */
async function prepare() {
  await step({
    name: 'dependencies',
    inputs: ['package-lock.json'],
    also: `${process.platform} ${process.arch}`,
    ready: () => differenceOfPackages() === undefined,
    run: installDependencies,
    adopt: true,
  });
  const dataModel = step({
    name: 'data model',
    inputs: ['package-lock.json', 'prisma/schema.prisma', 'tools/generate-datamodel.mjs'],
    ready: () => existsSync('src/generated/datamodel.ts'),
    run: () => execute(process.execPath, ['tools/generate-datamodel.mjs']),
  });
  const prisma = develops
    ? step({
        name: 'Prisma',
        inputs: ['package-lock.json', 'prisma/schema.prisma', 'tools/generate.mjs'],
        ready: () => generated.every((path) => existsSync(path)),
        // it tells at length what it writes; errors come on the other stream
        run: () => execute(process.execPath, ['tools/generate.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] }),
      })
    : undefined;
  const texts = step({
    name: 'texts',
    inputs: ['tools/generate-texts.mjs', ...filesIn('console/src').filter((file) => file.endsWith('.json'))],
    ready: () => existsSync('console/src/words/texts.ts'),
    run: () => execute(process.execPath, ['tools/generate-texts.mjs']),
  });
  const documents = makeDocuments();
  await allOf([
    allOf([dataModel, prisma, documents]).then(transpile),
    allOf([documents, texts]).then(() =>
      step({
        name: 'console',
        inputs: [
          'package-lock.json',
          'client/src/document.ts',
          'src/brand/brand.ts',
          ...filesIn('console').filter((file) => !/-types\.ts$/.test(file)),
        ],
        ready: () => existsSync('dist/console/index.html'),
        run: () => execute(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'console'], pages),
      }),
    ),
    step({
      name: 'explorer',
      inputs: ['package-lock.json', 'tools/graphiql-pack.mjs', 'src/brand/brand.ts', ...filesIn('explorer')],
      ready: () => existsSync('dist/explorer/index.html'),
      run: () => execute(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'explorer'], pages),
    }),
  ]);
}

/** Writes the documents of the client and of the console, and with `--types` their types. */
async function makeDocuments() {
  const inputs = [
    'package-lock.json',
    'schema/schema.graphql',
    ...['tools/generate-client.mjs', 'tools/made-fragments.mjs', 'tools/made-pages.mjs', 'tools/named-mutations.mjs'],
    ...['client/documents', 'examples/screens', 'console/src']
      .flatMap(filesIn)
      .filter(
        (file) =>
          /(\.(graphql|tsx?)|texts\.en\.json)$/.test(file) && !/[/\\](documents(-types)?|texts)\.ts$/.test(file),
      ),
  ];
  await step({
    name: 'documents',
    inputs,
    ready: () => existsSync('client/src/generated/operations.ts') && existsSync('console/src/session/documents.ts'),
    run: () => execute(process.execPath, ['tools/generate-client.mjs']),
  });
  if (!wantsTypes) return;
  await step({
    name: 'types',
    inputs: [...inputs, 'tools/generate-client-types.mjs'],
    ready: () => existsSync('client/src/generated/operations-types.ts'),
    run: () => execute(process.execPath, ['tools/generate-client-types.mjs']),
  });
}

/** Builds the server and the client, which its command line uses. */
async function transpile() {
  const start = Date.now();
  const changed = await build();
  if (changed.length > 0) {
    console.log(`prepare: build of ${changed.length} sources in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

/**
 * Runs a step unless its outputs are there and were made from the present inputs, and from what is to be noted `also`, or from more.
 * `adopt`: or by hand. Files with the same times and sizes are not read.
 */
async function step({ name, inputs, also = '', ready, run, adopt = false }) {
  const file = join(stamps, `${name}.json`);
  const made = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const current = ready();
  const times = hash(
    'sha1',
    inputs.map((path) => [path, statSync(path).size, statSync(path).mtimeMs].join()).join('\n'),
  );
  const isMade = current && made?.also.startsWith(also);
  if (isMade && made.times === times) return;
  const digest = hash('sha1', inputs.map((path) => `${path} ${hash('sha1', readFileSync(path))}`).join('\n'));
  if (!(isMade && made.digest === digest) && !(current && adopt && made === undefined)) {
    const start = Date.now();
    await run();
    console.log(`prepare: ${name} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  mkdirSync(stamps, { recursive: true });
  writeFileSync(file, JSON.stringify({ also, times, digest }));
}

/** Waits for all, and throws the first error. */
async function allOf(works) {
  const results = await Promise.allSettled(works);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The packages that npm noted as installed, by their places. */
function installedPackages() {
  const note = 'node_modules/.package-lock.json';
  return existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).packages : undefined;
}

/** How the packages that npm noted as installed differ from those of the lock file: some are `missing`, or are `others`. */
function differenceOfPackages() {
  const installed = installedPackages();
  if (!installed) return 'others';
  const locked = Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages);
  const wanted = locked.filter(([path, entry]) => path.includes('node_modules/') && (develops || !entry.dev));
  const isOther = ([path, entry]) =>
    installed[path] && (installed[path].version !== entry.version || installed[path].name !== entry.name);
  if (wanted.some(isOther)) return 'others';
  // what is optional may be for other machines
  const isMissing = ([path, entry]) => !installed[path] && !entry.optional && !(entry.devOptional && !develops);
  return wanted.some(isMissing) ? 'missing' : undefined;
}

/** Installs the packages of the lock file: those that are not there, or all anew if other ones are. */
function installDependencies() {
  console.log('prepare: installing dependencies.');
  const command = differenceOfPackages() === 'others' ? ['ci'] : ['install', '--no-save'];
  // packages of development stay where they are
  const hasTools = Object.values(installedPackages() ?? {}).some(({ dev }) => dev);
  const kinds = develops || hasTools ? '--include=dev' : '--omit=dev';
  // native packages contain prebuilt binaries, so no package needs its install script
  return execute('npm', [...command, kinds, '--ignore-scripts', '--no-audit', '--no-fund'], {
    shell: process.platform === 'win32',
  });
}

/** Runs a command. Throws a CommandFailed if it fails, as the command has said why. */
async function execute(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new CommandFailed(`${command} ${args.join(' ')}`);
}

/** Runs `work` while no other process prepares the same clone; one that was killed is not waited for. */
async function alone(work) {
  mkdirSync(dirname(lockFile), { recursive: true });
  for (;;) {
    try {
      const file = openSync(lockFile, 'wx');
      writeFileSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    pause(200);
    if (!ownerLives()) rmSync(lockFile, { force: true });
  }
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function ownerLives() {
  try {
    const owner = Number(readFileSync(lockFile, 'utf8'));
    return owner > 0 && process.kill(owner, 0);
  } catch (error) {
    return error.code === 'EPERM'; // alive, and somebody else's
  }
}

function pause(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

try {
  await alone(prepare);
} catch (error) {
  if (error instanceof BuildError) console.error(error.message);
  else if (!(error instanceof CommandFailed)) throw error;
  process.exitCode = 1;
}
