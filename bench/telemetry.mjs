// What the export of traces and metrics costs: the same mixed requests to services that differ in their settings only, in turn, and the
// start of each. Prints Markdown tables. With --other, the build in another folder is measured with them; --only names what is measured beside
// "off", with commas.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { freePort } from '../tools/free-port.mjs';
import { administrator, quantile, table } from './client.mjs';
import { environment, project, startDatabase, startService } from './service.mjs';
import { usageOf } from './usage.mjs';

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    starts: { type: 'string', default: '10' },
    callers: { type: 'string', default: '8' },
    other: { type: 'string' },
    only: { type: 'string' },
  },
});
const realm = 'measured';

/** A collector that takes all, and one that never answers. */
const received = { bytes: 0 };
const collector = createServer((message, response) => {
  message.on('data', (chunk) => {
    received.bytes += chunk.length;
  });
  message.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
const silent = createServer((message) => message.resume());
for (const server of [collector, silent]) await new Promise((done) => server.listen(0, '127.0.0.1', done));
const urlOf = (server) => `http://127.0.0.1:${server.address().port}`;

const variants = [
  { name: 'off', env: {} },
  ...(args.other ? [{ name: 'the other build', env: {}, folder: args.other }] : []),
  { name: 'metrics only', env: { OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector), OTEL_TRACES_EXPORTER: 'none' } },
  {
    name: 'traces of a tenth',
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector),
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
  },
  { name: 'traces of all', env: { OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(collector) } },
  { name: 'collector does not answer', env: { OTEL_EXPORTER_OTLP_ENDPOINT: urlOf(silent) } },
  { name: 'collector is down', env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` } },
].filter(({ name }) => name === 'off' || !args.only || args.only.split(',').includes(name));

async function prepared({ name, env, folder = project }) {
  const database = await startDatabase(args.database);
  const settings = { ...(await environment(database.url)), LOG_LEVEL: 'error', ...env };
  const service = await startService(settings, folder);
  const admin = administrator(`http://127.0.0.1:${settings.PORT}`);
  const users = Array.from({ length: 1000 }, (_, at) => ({ username: `user-${at}`, email: `user-${at}@example.com` }));
  await admin.call('POST', '/', { realm, enabled: true, users });
  const ids = (await admin.call('GET', `/${realm}/users?max=1000`)).json().map(({ id }) => id);
  return { name, database, settings, service, folder, admin, ids, rates: [], cpus: [], times: [], made: 0 };
}

/** Ten requests: eight reads, and a user who is created and deleted. */
async function tenRequests(one) {
  const { admin, ids } = one;
  const id = () => ids[Math.floor(Math.random() * ids.length)];
  one.made += 1;
  const steps = [
    ...Array.from({ length: 4 }, () => ['GET', `/${realm}/users/${id()}`]),
    ['GET', `/${realm}/users?max=20&search=user-${one.made % 100}`],
    ['GET', `/${realm}/users/count`],
    ['GET', `/${realm}/users/${id()}/role-mappings/realm/composite`],
    ['GET', `/${realm}/roles`],
    ['POST', `/${realm}/users`, { username: `made-${one.made}` }],
  ];
  let location = '';
  for (const [method, path, body] of steps) {
    const answer = await admin.call(method, path, body);
    one.times.push(answer.ms);
    if (method === 'POST') location = answer.headers.location;
  }
  const answer = await admin.call('DELETE', new URL(location).pathname.replace('/auth', ''));
  one.times.push(answer.ms);
}

async function round(one, seconds, counts) {
  const before = usageOf(one.service.pid);
  const started = performance.now();
  let requests = 0;
  const call = async () => {
    while (performance.now() - started < seconds * 1000) {
      await tenRequests(one);
      requests += 10;
    }
  };
  await Promise.all(Array.from({ length: Number(args.callers) }, call));
  if (!counts) {
    one.times = [];
    return;
  }
  one.rates.push((requests * 1000) / (performance.now() - started));
  one.cpus.push((usageOf(one.service.pid).cpu - before.cpu) / requests);
}

const median = (values) =>
  quantile(
    [...values].sort((one, other) => one - other),
    0.5,
  );
/** The median of the ratios to the first, round by round. */
const ratio = (values, firsts) => median(values.map((value, at) => value / firsts[at])).toFixed(2);
const inTurn = (all, at) => (at % 2 === 0 ? all : [...all].reverse());

const all = [];
for (const variant of variants) all.push(await prepared(variant));
for (const one of all) await round(one, 3, false);
for (let at = 0; at < Number(args.rounds); at += 1) {
  for (const one of inTurn(all, at)) await round(one, Number(args.seconds), true);
}
const [off] = all;
console.log(
  table(
    [args.database, 'requests/s', '÷ off', 'CPU ms per request', '÷ off', 'p50 ms', 'p99 ms', 'RSS MiB', 'highest'],
    all.map(({ name, rates, cpus, times, service }) => {
      const sorted = times.sort((one, other) => one - other);
      const { rss, peak } = usageOf(service.pid);
      return [
        name,
        median(rates).toFixed(0),
        ratio(rates, off.rates),
        median(cpus).toFixed(2),
        ratio(cpus, off.cpus),
        quantile(sorted, 0.5).toFixed(1),
        quantile(sorted, 0.99).toFixed(0),
        rss.toFixed(0),
        peak.toFixed(0),
      ];
    }),
  ),
);
console.log(`\nThe collector received ${(received.bytes / 1024 / 1024).toFixed(0)} MiB.\n`);
for (const { admin, service } of all) {
  admin.close();
  await service.stop();
}

const starts = all.map(({ name }) => ({ name, ready: [], cpus: [], memory: [] }));
for (let at = 0; at < Number(args.starts); at += 1) {
  for (const { name, settings, folder } of inTurn(all, at)) {
    const began = performance.now();
    const service = await startService(settings, folder);
    const one = starts.find((start) => start.name === name);
    one.ready.push(performance.now() - began);
    const { cpu, rss } = usageOf(service.pid);
    one.cpus.push(cpu);
    one.memory.push(rss);
    await service.stop();
  }
}
const [first] = starts;
if (Number(args.starts) > 0)
  console.log(
    table(
      [`${args.database}: start`, 'ready ms', '÷ off', 'CPU ms', '÷ off', 'RSS MiB', '÷ off'],
      starts.map(({ name, ready, cpus, memory }) => [
        name,
        median(ready).toFixed(0),
        ratio(ready, first.ready),
        median(cpus).toFixed(0),
        ratio(cpus, first.cpus),
        median(memory).toFixed(0),
        ratio(memory, first.memory),
      ]),
    ),
  );
for (const { database } of all) await database.stop();
for (const server of [collector, silent]) {
  server.closeAllConnections();
  server.close();
}
