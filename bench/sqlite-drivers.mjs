// What the service costs with both drivers of SQLite, on the Node that runs this and has both (`npm rebuild better-sqlite3`): CPU per
// request, and time and memory of a start. Each round measures both, one after the other. Prints Markdown tables.
//
//   node bench/sqlite-drivers.mjs [--rounds 7] [--seconds 3] [--starts 10]
import { parseArgs } from 'node:util';
import { administrator, quantile, table } from './client.mjs';
import { environment, startDatabase, startService } from './service.mjs';
import { usageOf } from './usage.mjs';

const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    starts: { type: 'string', default: '10' },
  },
});
const callers = 4;
const realm = 'measured';
const users = 5000;
const drivers = ['better-sqlite3', 'node'];

/** A service with its driver and a realm of users. */
async function prepared(driver) {
  const database = await startDatabase('sqlite');
  const settings = { ...(await environment(database.url)), LOG_LEVEL: 'error', SQLITE_DRIVER: driver };
  const service = await startService(settings);
  const admin = administrator(`http://127.0.0.1:${settings.PORT}`);
  const imported = Array.from({ length: users }, (_, at) => ({
    username: `user-${at}`,
    email: `user-${at}@mail.example`,
  }));
  await admin.call('POST', '/', { realm, enabled: true, users: imported });
  const ids = (await admin.call('GET', `/${realm}/users?max=${users}`)).json().map(({ id }) => id);
  return { database, settings, service, admin, ids, made: 0 };
}

const workloads = {
  'a user by ID': ({ admin, ids, made }) => admin.call('GET', `/${realm}/users/${ids[(made * 7) % ids.length]}`),
  'a page of 100 users': ({ admin, made }) => admin.call('GET', `/${realm}/users?max=100&first=${(made * 100) % 4000}`),
  'a search': ({ admin, made }) => admin.call('GET', `/${realm}/users?max=20&search=user-${made % 100}`),
  'a user created': ({ admin, made }) => admin.call('POST', `/${realm}/users`, { username: `made-${made}` }),
};

/** CPU of the service in milliseconds per request. */
async function costOf(one, run, seconds) {
  const before = usageOf(one.service.pid).cpu;
  const until = performance.now() + seconds * 1000;
  const from = one.made;
  const call = async () => {
    while (performance.now() < until) {
      one.made += 1;
      await run({ ...one });
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (usageOf(one.service.pid).cpu - before) / (one.made - from);
}

const median = (values) =>
  quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  );

/** A row: the medians of both, and the median of the ratios of pairs. */
const row = (name, pairs, digits) => [
  name,
  ...drivers.map((_, at) => median(pairs.map((pair) => pair[at])).toFixed(digits)),
  median(pairs.map(([one, other]) => other / one)).toFixed(2),
];

/** What `measure` gives for both drivers, `count` times, each of them first in half of the rounds. */
async function pairsOf(count, measure) {
  const pairs = [];
  for (let at = 0; at < count; at += 1) {
    const pair = [];
    for (const index of at % 2 === 0 ? [0, 1] : [1, 0]) pair[index] = await measure(index);
    pairs.push(pair);
  }
  return pairs;
}

const services = [];
for (const driver of drivers) services.push(await prepared(driver));
const rows = [];
for (const [name, run] of Object.entries(workloads)) {
  for (const one of services) await costOf(one, run, 2); // until it is compiled
  const pairs = await pairsOf(Number(args.rounds), (index) => costOf(services[index], run, Number(args.seconds)));
  rows.push(row(name, pairs, 2));
}
console.log(table([`CPU in ms per request, Node ${process.version}`, 'better-sqlite3', 'node:sqlite', 'ratio'], rows));
for (const { admin, service } of services) {
  admin.close();
  await service.stop();
}

const starts = await pairsOf(Number(args.starts), async (index) => {
  const began = performance.now();
  const service = await startService(services[index].settings);
  const ready = performance.now() - began;
  const { cpu, rss } = usageOf(service.pid);
  await service.stop();
  return { ready, cpu, rss };
});
const startRow = (name, key) =>
  row(
    name,
    starts.map((pair) => pair.map((start) => start[key])),
    0,
  );
console.log(
  `\n${table(
    ['start', 'better-sqlite3', 'node:sqlite', 'ratio'],
    [startRow('ready, ms', 'ready'), startRow('CPU, ms', 'cpu'), startRow('memory, MiB', 'rss')],
  )}`,
);
for (const { database } of services) await database.stop();
