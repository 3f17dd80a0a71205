// Replays the recorded contract against the built server: once per database, each with another mount, side by side.
//
//   node test/contract/replay.mjs [--all] [--database sqlite|postgresql] [--mount documented|admin] [--group NAME] [--scenario TEXT]
//
// --all, --database and --mount play every mount on every database that is named, or on both.
// Without --group it plays what groups.json lists: whole groups, and of some groups the scenarios whose names contain one
// of the given texts. The steps in deviations.json have to differ from the recording: one that agrees is a failure too.
// The group `user-storage-live` needs OpenLDAP; without that it is left out. It is about directories, for which the mount
// makes no difference: unless it is asked for by name, it is played on one.
// On PostgreSQL, one of the mounts is played through PgBouncer, where that is installed.
// It plays the recordings of the project, or those of the folder that REALMGATE_CONTRACT names, by the replay.mjs there.
// The last line is `N passed, N failed`. Nothing but Node built-ins.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../tools/free-port.mjs';
import { hasSlapd } from '../../tools/slapd.mjs';
import { useMemoryFolder } from '../support/memory-folder.mjs';
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.mjs';
import { postgresqlBinaries, startPostgresql } from '../support/postgresql.mjs';
import { liveGroup } from './player/live.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const folderOfOthers = process.env.REALMGATE_CONTRACT;
const player = folderOfOthers ? join(resolve(folderOfOthers), 'replay.mjs') : join(project, 'test/contract/play.mjs');
const main = join(project, 'dist/main.js');
const quickCrypto = new URL('../support/quick-crypto.mjs', import.meta.url).href;
const liveMount = 'admin';
const pooledMount = 'admin';
// Scenarios wait now and then until something expires.
const lanesAtOnce = availableParallelism() + 1;
const secondsToStart = 60;
const secondsToStop = 20;
const linesPerStep = 20;

const { values: options } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    database: { type: 'string', multiple: true },
    mount: { type: 'string', multiple: true },
    group: { type: 'string', multiple: true },
    scenario: { type: 'string' },
  },
});

const readJson = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const deviations = readJson('deviations.json');
const plan = options.group
  ? [{ groups: options.group, scenario: options.scenario }]
  : plannedRuns(readJson('groups.json'));

const isRecorded = (group) => existsSync(new URL(`recordings/${group}.json.br`, import.meta.url));
const unknownGroups = folderOfOthers
  ? []
  : (options.group ?? []).filter((group) => group !== liveGroup && !isRecorded(group));

useMemoryFolder();
const folder = mkdtempSync(join(tmpdir(), 'realmgate-replay-'));
let passed = 0;
let failed = 0;
try {
  if (!existsSync(player)) fail(`There is no player of recordings: ${player}`);
  else if (!existsSync(main)) fail('The server is not built: run `npm test` or `npm start` first.');
  else if (unknownGroups.length > 0)
    fail(`Unknown group ${unknownGroups.join(', ')}: groups are the files in test/contract/recordings.`);
  else await replay();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

/** Whether a call of the player is made on a mount: that of the live group needs a directory, and one mount is enough for it. */
function isPlayed({ groups }, mount) {
  if (!groups.includes(liveGroup)) return true;
  return hasSlapd && (Boolean(options.group) || mount === liveMount);
}

/** The calls of the player that groups.json amounts to. */
function plannedRuns({ groups = [], scenarios = {} }) {
  const parts = Object.entries(scenarios).flatMap(([group, names]) =>
    names.map((scenario) => ({ groups: [group], scenario })),
  );
  const recorded = groups.filter((group) => group !== liveGroup);
  const live = groups.filter((group) => group === liveGroup);
  return [recorded, live].flatMap((groups) => (groups.length > 0 ? [{ groups }] : [])).concat(parts);
}

/** The databases with their mounts. */
function chosenPairs() {
  const isShort = !options.all && options.database === undefined && options.mount === undefined;
  if (isShort) {
    return [
      ['sqlite', 'documented'],
      ['postgresql', 'admin'],
    ];
  }
  const { database = ['sqlite', 'postgresql'], mount = ['documented', 'admin'] } = options;
  return database.flatMap((one) => mount.map((other) => [one, other]));
}

/** Plays the plan on the chosen databases and mounts. */
async function replay() {
  const hasPostgresql = postgresqlBinaries() !== undefined;
  if (!hasPostgresql) console.log('PostgreSQL is not installed: no replay on it.');
  const lanes = chosenPairs()
    .filter(([database]) => database !== 'postgresql' || hasPostgresql)
    .flatMap(([database, mount]) =>
      plan
        .filter((run) => isPlayed(run, mount))
        .map((run, at) => ({ database, mount, run, name: `${database}-${mount}-${at + 1}` })),
    );
  await playLanes(lanes);
}

/** Plays the lanes, a few at a time: each has a server and a database of its own. A mount is judged when its last one ends. */
async function playLanes(lanes) {
  const waiting = [...lanes];
  const next = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift()) {
      lane.steps = await playLane(lane);
      const { database, mount } = lane;
      const own = lanes.filter((one) => one.database === database && one.mount === mount);
      if (own.every(({ steps }) => steps)) judge(database, mount, own);
    }
  };
  await Promise.all(Array.from({ length: lanesAtOnce }, next));
}

/** The steps of a call of the player on one mount. */
async function playLane({ database, mount, run, name }) {
  const start = Date.now();
  const cluster = database === 'postgresql' ? await startPostgresql() : undefined;
  // one of the mounts, so that both ways to a database are played
  const pooler = cluster && hasPgbouncer && mount === pooledMount ? await startPgbouncer(cluster.url) : undefined;
  try {
    const server = await startServer(name, {
      DATABASE_URL: pooler?.url ?? cluster?.url ?? `file:${join(folder, `${name}.db`)}`,
      ...(pooler && { DATABASE_DIRECT_URL: cluster.url }),
    });
    try {
      return await play(server.base, name, mount, run);
    } finally {
      await server.stop();
    }
  } catch (error) {
    fail(`${name}: ${error.message}`);
    return [];
  } finally {
    await pooler?.stop();
    await cluster?.stop();
    console.log(`${name}: played in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

/** Holds the steps on one mount against the deviations, and adds them to the totals. */
function judge(database, mount, lanes) {
  const steps = new Map(lanes.flatMap((lane) => lane.steps.map((step) => [keyOf(step), step])));
  const title = `${database}, ${mount}`;
  const allowed = new Set(deviations.map(keyOf));
  const agreed = [...steps.values()].filter(({ problems }) => problems.length === 0);
  const differing = [...steps.values()].filter(({ problems }) => problems.length > 0);
  const wrong = differing.filter((step) => !allowed.has(keyOf(step)));
  for (const step of wrong) describe(title, step);
  for (const step of agreed.filter((step) => allowed.has(keyOf(step)))) {
    fail(`${title}: ${nameOf(step)} agrees with the recording: take it off deviations.json.`);
  }
  if (!options.group) {
    const expected = deviations.filter(({ group }) => isPlayed({ groups: [group] }, mount));
    for (const entry of expected.filter((entry) => !steps.has(keyOf(entry)))) {
      fail(`${title}: ${nameOf(entry)} is in deviations.json and was not played.`);
    }
  }
  passed += agreed.filter((step) => !allowed.has(keyOf(step))).length;
  failed += wrong.length;
  const listed = differing.length - wrong.length;
  console.log(`${title}: ${agreed.length} agree, ${listed} deviate as listed, ${wrong.length} wrong`);
}

/** The steps of one call of the player, each with its group, scenario and number. */
async function play(base, lane, mount, { groups, scenario }) {
  const report = join(folder, `${lane}.json`);
  const args = ['--base', base, '--mount', mount, '--report', report, ...groups.flatMap((name) => ['--group', name])];
  if (scenario !== undefined) args.push('--scenario', scenario);
  const child = spawn(process.execPath, [player, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  if (!existsSync(report)) {
    fail(`The replay of ${groups.join(', ')} could not run:\n${output}`);
    return [];
  }
  const played = JSON.parse(readFileSync(report, 'utf8')).groups;
  for (const { group, error } of played.filter(({ error }) => error)) fail(`${group}: ${error}`);
  const steps = played.flatMap(({ group, scenarios }) =>
    scenarios.flatMap(({ name, steps }) =>
      steps.map((step, at) => ({ group, scenario: name, step: at + 1, title: step.title, problems: step.problems })),
    ),
  );
  if (steps.length === 0) fail(`No scenario of ${groups.join(', ')} is named "${scenario}".`);
  return steps;
}

function keyOf({ group, scenario, step }) {
  return JSON.stringify([group, scenario, step]);
}

function nameOf({ group, scenario, step }) {
  return `${group} / ${scenario} / step ${step}`;
}

function describe(title, step) {
  console.log(`\n${title}: ${nameOf(step)}, ${step.title}`);
  for (const line of step.problems.slice(0, linesPerStep)) console.log(`    ${line}`);
  if (step.problems.length > linesPerStep) console.log(`    … ${step.problems.length - linesPerStep} more`);
}

function fail(message) {
  console.log(message);
  failed += 1;
}

/** Starts the built server on an empty database and waits until it answers. */
async function startServer(lane, settings) {
  const port = await freePort();
  const logFile = join(folder, `${lane}.log`);
  const log = openSync(logFile, 'w');
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...settings,
    ADMIN_PASSWORD: 'admin',
    LOG_LEVEL: 'warn',
    SQLITE_SYNCHRONOUS: 'NORMAL',
  };
  const child = spawn(process.execPath, ['--import', quickCrypto, main], {
    cwd: folder,
    env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const ended = once(child, 'exit');
  const base = `http://127.0.0.1:${port}/auth`;
  await untilAnswers(`${base}/realms/master`, child, logFile);
  return {
    base,
    async stop() {
      process.off('exit', killAtExit);
      if (child.exitCode !== null) return fail(`${lane}: the server ended during the replay:\n${tail(logFile)}`);
      child.kill('SIGTERM');
      const timer = setTimeout(killAtExit, secondsToStop * 1000);
      const [status, signal] = await ended;
      clearTimeout(timer);
      if (status !== 0) fail(`${lane}: the server ended with ${signal ?? status} after SIGTERM:\n${tail(logFile)}`);
    },
  };
}

async function untilAnswers(url, child, logFile) {
  const deadline = Date.now() + secondsToStart * 1000;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer && answer.status < 500) return;
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${tail(logFile)}`);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the server did not answer in ${secondsToStart} seconds:\n${tail(logFile)}`);
    }
    await sleep(100);
  }
}

function tail(file) {
  return readFileSync(file, 'utf8').slice(-4000);
}
