// Makes a clone ready to run: dependencies, generated clients, build. It runs before `npm start` and `npm test`, uses
// nothing but Node itself, and does and prints nothing when nothing has changed since it last ran.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const lockFile = 'dist/.preparing';
const stamps = 'node_modules/.cache/realmgate'; // goes with the dependencies, so that new ones mean a new build
const generated = ['src/generated/sqlite/client.ts', 'src/generated/postgresql/client.ts', 'src/generated/pothos.ts'];

// tests run with NODE_ENV=test, with which Vite would build pages with the larger and slower texts of developers
const pages = { env: { ...process.env, NODE_ENV: 'production' } };

/** Makes what is out of date, in order. */
function prepare() {
  step({
    name: 'dependencies',
    // npm itself records the versions of the packages
    wanted: `${process.platform} ${process.arch}`,
    ready: lockedPackagesAreInstalled,
    run: installDependencies,
    adopt: true,
  });
  step({
    name: 'generated',
    wanted: hashOf(['package-lock.json', 'prisma/schema.prisma', 'tools/generate.mjs']),
    ready: () => generated.every((path) => existsSync(path)),
    // it tells at length what it writes; errors come on the other stream
    run: () => execute(process.execPath, ['tools/generate.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] }),
  });
  // the command line uses it
  step({
    name: 'client',
    wanted: hashOf(['package-lock.json', 'tsconfig.json', 'client/tsconfig.json', ...filesIn('client/src')]),
    ready: () => existsSync('client/dist/index.js'),
    run: () => execute(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'client']),
  });
  step({
    name: 'build',
    wanted: hashOf(['package-lock.json', 'tsconfig.json', ...filesIn('src')]),
    ready: () => existsSync('dist/main.js'),
    run: () => execute(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.']),
  });
  step({
    name: 'explorer',
    wanted: hashOf(['package-lock.json', ...filesIn('explorer')]),
    ready: () => existsSync('dist/explorer/index.html'),
    run: () => execute(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'explorer'], pages),
  });
  step({
    name: 'console',
    wanted: hashOf(['package-lock.json', 'client/src/document.ts', ...filesIn('console')]),
    ready: () => existsSync('dist/console/index.html'),
    run: () => execute(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'console'], pages),
  });
}

/** Runs a step unless its outputs are there and were made from what is wanted, or from more; `adopt`: or by hand. */
function step({ name, wanted, ready, run, adopt = false }) {
  const stamp = join(stamps, name);
  const made = existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
  const current = ready();
  if (current && made?.startsWith(wanted)) return;
  if (!(current && adopt && made === undefined)) {
    const start = Date.now();
    run();
    console.log(`prepare: ${name} in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, wanted);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`\n${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Whether npm has noted that it installed what the lock file asks for. */
function lockedPackagesAreInstalled() {
  const note = 'node_modules/.package-lock.json';
  if (!existsSync(note)) return false;
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages;
  // what is optional may be for other machines
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || (entry.optional && !installed[path]) || installed[path]?.version === entry.version,
  );
}

function installDependencies() {
  console.log('prepare: installing dependencies.');
  // native packages contain prebuilt binaries, so no package needs its install script
  execute('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    shell: process.platform === 'win32',
  });
}

function execute(command, args, options = {}) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

/** Runs `work` while no other process prepares the same clone; one that was killed is not waited for. */
function alone(work) {
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
    work();
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
  alone(prepare);
} catch (error) {
  if (error.status === undefined) throw error;
  process.exitCode = 1; // the command has said what is wrong
}
