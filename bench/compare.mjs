// Measures the built service on each database with the harness that also measures the peers. Writes results.json, and its tables to
// RESULTS.md. The harness is not part of the project: where it is not found, there is nothing to do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { postgresqlBinaries } from '../test/support/postgresql.mjs';
import { peerDatabases, startPeer } from './peer.mjs';
import { picture, tablesOf, withRun } from './report.mjs';
import { environment, project, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- [options]
  --users 10000         users of the realm
  --seconds 5           length of a round
  --rounds 4            rounds per workload
  --warmup 3            seconds ahead of each workload
  --warm-pass 0         seconds of each workload, imports left out, in a pass ahead of all that does not count
  --workload all        names with commas; "start" is only the cold start
  --database all        sqlite, postgresql, or all
  --import-users 10000  users of the workload realm-import
  --start-rounds 3      cold starts; 0 for none
  --peer keycloak       start the peer and measure it in turn: on its own H2 database beside SQLite, on PostgreSQL beside
                        PostgreSQL; or a running one, e.g. http://127.0.0.1:8380/auth,1234
  --harness ../shared/bench
  --print               print the tables, and write no file
  --out bench           folder of results.json, RESULTS.md, and ratios.svg`;

const { values: args } = parseArgs({
  options: {
    users: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '3' },
    'warm-pass': { type: 'string', default: '0' },
    workload: { type: 'string', default: 'all' },
    database: { type: 'string', default: 'all' },
    'import-users': { type: 'string', default: '10000' },
    'start-rounds': { type: 'string', default: '3' },
    peer: { type: 'string' },
    print: { type: 'boolean' },
    harness: { type: 'string', default: '../shared/bench' },
    out: { type: 'string', default: 'bench' },
    help: { type: 'boolean' },
  },
});

/** Runs a script of the harness to its end; its output goes to the terminal. */
async function run(script, argv, env = process.env) {
  const child = spawn(process.execPath, [script, ...argv], { cwd: project, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code;
}

const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** The peer as a target of the harness: its process may be given as a number alone. */
function peerTarget(address) {
  const [url, pid, ...rest] = address.split(',');
  const process = pid === undefined || pid.includes('=') ? pid : `pid=${pid}`;
  return ['--target', [`peer=${url}`, process, ...rest].filter(Boolean).join(',')];
}

/** All figures of one database, and whether every answer was right. */
async function measure(dialect, workloads, harness, scratch) {
  console.log(`\n${dialect}`);
  const peer = args.peer === 'keycloak' && workloads.length > 0 ? await startPeer(peerDatabases[dialect]) : undefined;
  const peerAddress = peer ? `${peer.url},pid=${peer.pids.join('+')}` : args.peer;
  const database = await startDatabase(dialect);
  try {
    const env = await environment(database.url);
    const base = `http://127.0.0.1:${env.PORT}`;
    const measured = { results: [] };
    let good = true;
    if (workloads.length > 0) {
      const service = await startService(env);
      const pids = [service.pid, ...database.pids()].join('+');
      const file = join(scratch, `${dialect}.json`);
      const common = ['users', 'seconds', 'rounds', 'warmup', 'import-users'].flatMap((name) => [
        `--${name}`,
        args[name],
      ]);
      const targets = [
        ...['--target', `ours=${base}/auth,mount=documented,pid=${pids},graphql=${base}/graphql`],
        ...(peerAddress ? peerTarget(peerAddress) : []),
        ...['--graphql-query', join(project, 'bench/user-page.graphql')],
      ];
      const warm = workloads.filter((name) => !name.includes('import'));
      try {
        if (Number(args['warm-pass']) > 0 && warm.length > 0) {
          const once = ['--users', args.users, '--rounds', '1', '--seconds', args['warm-pass'], '--warmup', '0.2'];
          await run(join(harness, 'bench.mjs'), [...targets, '--workload', warm.join(','), ...once]);
        }
        const argv = [...targets, '--workload', workloads.join(','), '--json', file, ...common];
        good = (await run(join(harness, 'bench.mjs'), argv)) === 0;
      } finally {
        await service.stop();
      }
      const { results = [], memoryMiB } = read(file) ?? {};
      Object.assign(measured, { results, memoryMiB });
    }
    if (Number(args['start-rounds']) > 0) {
      const file = join(scratch, `${dialect}-start.json`);
      const command = `exec ${JSON.stringify(process.execPath)} dist/main.js`;
      const argv = ['--name', dialect, '--base', `${base}/auth`, '--mount', 'documented', '--cmd', command];
      argv.push('--cwd', project, '--rounds', args['start-rounds'], '--json', file);
      good = (await run(join(harness, 'start.mjs'), argv, env)) === 0 && good;
      measured.start = read(file);
    }
    return { measured, good };
  } finally {
    await database.stop();
    await peer?.stop();
  }
}

function chosenDialects() {
  const dialects = args.database === 'all' ? ['sqlite', 'postgresql'] : args.database.split(',');
  const unknown = dialects.find((dialect) => !['sqlite', 'postgresql'].includes(dialect));
  if (unknown) throw new Error(`--database must be sqlite, postgresql or all, but is ${unknown}.`);
  if (!dialects.includes('postgresql') || postgresqlBinaries() !== undefined) return dialects;
  console.log('PostgreSQL is not installed, so it is not measured.');
  return dialects.filter((dialect) => dialect !== 'postgresql');
}

async function main() {
  if (args.help) return console.log(help);
  const harness = resolve(project, args.harness);
  if (!existsSync(join(harness, 'bench.mjs'))) {
    return console.log(`The measuring harness is not at ${args.harness}, so nothing is measured.`);
  }
  const { workloads } = await import(pathToFileURL(join(harness, 'workloads.mjs')).href);
  const all = Object.keys(workloads);
  const chosen = args.workload.split(',').flatMap((name) => (name === 'all' ? all : name === 'start' ? [] : name));
  const load = loadavg()[0];
  const scratch = mkdtempSync(join(tmpdir(), 'realmgate-bench-results-'));
  const databases = {};
  try {
    for (const dialect of chosenDialects()) {
      const { measured, good } = await measure(dialect, chosen, harness, scratch);
      databases[dialect] = measured;
      if (!good) process.exitCode = 1;
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    gibibytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: [load, loadavg()[0]],
  };
  const { harness: _, out, print, help: __, ...told } = args;
  const result = { date: new Date().toISOString(), machine, args: told, databases };
  if (print) return console.log(`\n${tablesOf(result)}`);
  const folder = resolve(project, out);
  const page = join(folder, 'RESULTS.md');
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(result, null, 1)}\n`);
  writeFileSync(page, withRun(existsSync(page) ? readFileSync(page, 'utf8') : '', result));
  const chart = picture(result);
  if (chart) writeFileSync(join(folder, 'ratios.svg'), chart);
  console.log(`\nWritten: results.json and RESULTS.md in ${out}`);
}

await main();
