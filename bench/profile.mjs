// Where the CPU of each workload goes: the main thread of the service by part, its other threads, the processes of the
// database, and the statements. Prints Markdown tables.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../tools/free-port.mjs';
import { table } from './client.mjs';
import { inspect, partNames, spentByPart } from './inspector.mjs';
import { databaseNames, figure } from './ratios.mjs';
import { rowsOf } from './report.mjs';
import { environment, project, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- profile [options]
  --workload missed     names with commas; "missed": those that miss their target in the last run of compare
  --database sqlite,postgresql
  --users 1000
  --warmup 10           seconds of each workload ahead
  --seconds 5           length of what is profiled
  --statements 6        so many of the dearest statements are told
  --harness ../shared/bench`;

const { values: args } = parseArgs({
  options: {
    workload: { type: 'string', default: 'missed' },
    database: { type: 'string', default: 'sqlite,postgresql' },
    users: { type: 'string', default: '1000' },
    warmup: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '5' },
    statements: { type: 'string', default: '6' },
    harness: { type: 'string', default: '../shared/bench' },
    help: { type: 'boolean' },
  },
});
const harness = resolve(project, args.harness);
const callers = 8;

/** The workloads that miss their target in the last measurement. */
function missed(dialect) {
  const file = join(project, 'bench/results.json');
  if (!existsSync(file))
    throw new Error('There is no run in bench/results.json: name the workloads, or start `npm run bench` first.');
  const { args: run, databases } = JSON.parse(readFileSync(file, 'utf8'));
  return rowsOf(databases[dialect].results, Number(run.users), dialect)
    .filter(({ peerCpuMs, cpuMs, factor }) => peerCpuMs / cpuMs < factor)
    .map(({ workload }) => workload);
}

/** CPU seconds of each thread of a process so far; the first is the main thread. */
function threads(pid) {
  const ticks = readdirSync(`/proc/${pid}/task`).map((id) => {
    const text = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { main: Number(id) === pid, seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
  });
  const sum = (main) => ticks.filter((thread) => thread.main === main).reduce((all, { seconds }) => all + seconds, 0);
  return { main: sum(true), others: sum(false) };
}

/** Does the workload for some seconds, each caller waiting for its answer; how many operations were done. */
async function load(target, workload, state, seconds) {
  const until = performance.now() + seconds * 1000;
  const limit = workload.limit?.(target) ?? Number.POSITIVE_INFINITY;
  let begun = 0;
  const caller = async () => {
    while (begun < limit && performance.now() < until) {
      begun += 1;
      state.i += 1;
      await workload.op(target, state, state.i, () => undefined);
    }
  };
  await Promise.all(Array.from({ length: workload.concurrency ?? callers }, caller));
  return begun;
}

/** How often statements ran and how long: within SQLite by the service itself, within PostgreSQL by its extension. */
async function statementTimes(dialect, url, service) {
  if (dialect === 'sqlite') {
    return {
      reset: () => service.evaluate('statementsOfSqlite.reset()'),
      taken: () => service.evaluate('statementsOfSqlite.taken()'),
      close: () => undefined,
    };
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return {
    reset: () => client.query('SELECT pg_stat_statements_reset()'),
    async taken() {
      const { rows } = await client.query(
        'SELECT query AS text, calls::int AS calls, total_exec_time AS ms FROM pg_stat_statements',
      );
      return rows;
    },
    close: () => client.end(),
  };
}

/** Of one workload, in microseconds per operation: parts of the main thread, other threads, database, and statements. */
async function profiled({ target, workload, pid, database, service, statements, cpuSeconds }) {
  const state = { i: 0, ...(await workload.setup?.(target)) };
  const round = async (seconds, around = (work) => work()) => {
    await workload.before?.(target, state);
    let done = 0;
    const result = await around(async () => {
      done = await load(target, workload, state, seconds);
    });
    return { done, result };
  };
  // some workloads end before their time: they delete what is there
  for (const end = performance.now() + Number(args.warmup) * 1000; performance.now() < end; ) {
    await round((end - performance.now()) / 1000);
    await workload.after?.(target, state);
  }
  const figures = {};
  const { done, result } = await round(Number(args.seconds), async (work) => {
    await statements.reset();
    const before = { ...threads(pid), database: cpuSeconds(database.pids()) };
    const profile = await service.profile(work);
    const after = { ...threads(pid), database: cpuSeconds(database.pids()) };
    for (const name of Object.keys(before)) figures[name] = after[name] - before[name];
    return { parts: spentByPart(profile), statements: await statements.taken() };
  });
  await workload.after?.(target, state);
  await workload.teardown?.(target, state);
  const perOperation = (ms) => (ms * 1000) / done;
  return {
    done,
    parts: new Map([...result.parts].map(([name, ms]) => [name, perOperation(ms)])),
    main: perOperation(figures.main * 1000),
    others: perOperation(figures.others * 1000),
    database: perOperation(figures.database * 1000),
    statements: result.statements.map(({ text, calls, ms }) => ({ text, calls: calls / done, us: perOperation(ms) })),
  };
}

const shortened = (text) => {
  const plain = text.replaceAll(/["`\s|]+/g, ' ').trim();
  return plain.length > 110 ? `${plain.slice(0, 80)} … ${plain.slice(-25)}` : plain;
};

function told(dialect, results) {
  const names = [...results.keys()];
  const line = (name, of) => [name, ...names.map((workload) => figure(of(results.get(workload)) ?? 0, 2))];
  const lines = partNames
    .filter((part) => names.some((name) => results.get(name).parts.has(part)))
    .map((part) => line(part, ({ parts }) => parts.get(part)));
  lines.push(line('**main thread, by the system**', ({ main }) => main));
  lines.push(line('other threads', ({ others }) => others));
  if (dialect === 'postgresql') lines.push(line('**processes of PostgreSQL**', ({ database }) => database));
  const text = [`### ${databaseNames[dialect]}`, table(['µs per operation', ...names], lines)];
  const rows = names.flatMap((name) =>
    results
      .get(name)
      .statements.filter(({ us }) => us >= 1)
      .sort((a, b) => b.us - a.us)
      .slice(0, Number(args.statements))
      .map(({ text: sql, calls, us }, at) => [
        at === 0 ? name : '',
        `\`${shortened(sql)}\``,
        figure(calls, 2),
        figure(us, 2),
      ]),
  );
  text.push(table(['workload', 'its dearest statements', 'calls', 'µs'], rows));
  return text.join('\n\n');
}

async function measure(dialect) {
  const { cpuSeconds, Target } = await import(pathToFileURL(join(harness, 'lib.mjs')).href);
  const { crawlGraphql, prepare, workloads } = await import(pathToFileURL(join(harness, 'workloads.mjs')).href);
  const all = { ...workloads, 'user-crawl GraphQL': crawlGraphql };
  const chosen = args.workload === 'missed' ? missed(dialect) : args.workload.split(',');
  const database = await startDatabase(dialect, { preload: 'pg_stat_statements' });
  const port = await freePort();
  const env = await environment(database.url);
  const preload = dialect === 'sqlite' ? ` --import ${new URL('profile-statements.mjs', import.meta.url).href}` : '';
  const running = await startService({ ...env, NODE_OPTIONS: `--inspect=127.0.0.1:${port}${preload}` });
  const base = `http://127.0.0.1:${env.PORT}`;
  const results = new Map();
  try {
    const target = new Target(`ours=${base}/auth,mount=documented,graphql=${base}/graphql`, {});
    target.query = join(project, 'bench/user-page.graphql');
    await prepare(target, { users: Number(args.users), importUsers: 0, log: () => undefined });
    const service = await inspect(port);
    const statements = await statementTimes(dialect, database.url, service);
    for (const name of chosen) {
      const workload = all[name];
      if (!workload) throw new Error(`There is no workload ${name}.`);
      console.error(`${dialect}: ${name}`);
      const what = { target, workload, pid: running.pid, database, service, statements, cpuSeconds };
      results.set(name, await profiled(what));
    }
    await statements.close();
    service.close();
  } finally {
    await running.stop();
    await database.stop();
  }
  return told(dialect, results);
}

async function main() {
  if (args.help) return console.log(help);
  if (!existsSync(join(harness, 'workloads.mjs'))) {
    return console.log(`The measuring harness is not at ${args.harness}, so nothing is measured.`);
  }
  const text = [
    '## Where the time goes',
    `By \`npm run bench -- profile\`: a realm of ${args.users} users, ${args.seconds} s of each workload that misses its target, behind ${args.warmup} s that do not count, ${callers} callers. The parts are those of the service's main thread by its sampling profiler, which costs something itself; what a part calls counts for what it calls. Time of a statement is time until it has answered: within SQLite it is part of the main thread, and COMMIT waits for the disk.`,
  ];
  for (const dialect of args.database.split(',')) text.push(await measure(dialect));
  console.log(text.join('\n\n'));
}

await main();
