// Puts a moderate load on the built service for minutes and watches its memory: it must not grow for ever.
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { administrator, quantile, table } from './client.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- soak [options]
  --minutes 10        how long
  --database sqlite   sqlite or postgresql
  --rate 60           requests per second
  --users 2000        users of the realm, all the time
  --burst 600         requests at once, every 20 seconds, on top; 0 for none
  --sample 1          seconds between two looks at the memory
  --bound 24          most that RSS may grow in the second half, in MiB: by the trend of its lowest values
  --json FILE         where to write what was measured`;

const { values: args } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    database: { type: 'string', default: 'sqlite' },
    rate: { type: 'string', default: '60' },
    users: { type: 'string', default: '2000' },
    burst: { type: 'string', default: '600' },
    sample: { type: 'string', default: '1' },
    bound: { type: 'string', default: '24' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const realm = 'soak';
const mebibyte = 1024;
/** More requests at once than this are not sent: the service is behind. */
const mostPending = 200;
const page = `query($after: String) { realm(name: "${realm}") { id users(first: 20, after: $after) { totalCount
  pageInfo { endCursor } edges { node { username email groups(first: 5) { edges { node { path } } } } } } } }`;

/** Memory of a process in MiB: all, and what is not a file's (of which SQLite maps some). Linux only. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / mebibyte;
  return { rss: read('VmRSS'), anonymous: read('RssAnon') };
}

/** A realm with users in one group. The administrator has to log in again to have the roles that manage it. */
async function seed(base, users) {
  const first = administrator(base);
  await first.call('POST', '/', { realm, enabled: true, adminEventsEnabled: true });
  first.close();
  const admin = administrator(base, { sockets: 1000 });
  const group = await admin.call('POST', `/${realm}/groups`, { name: 'everybody' });
  for (let from = 0; from < users; from += 500) {
    const batch = Array.from({ length: Math.min(500, users - from) }, (_, at) => ({
      username: `user-${from + at}`,
      email: `user-${from + at}@soak.test`,
      enabled: true,
      groups: ['/everybody'],
    }));
    await admin.call('POST', `/${realm}/partialImport`, { ifResourceExists: 'SKIP', users: batch });
  }
  const { realm: found } = await admin.graphql(`{ realm(name: "${realm}") { id } }`);
  return { admin, realmId: found.id, groupId: group.headers.location.split('/').at(-1) };
}

const idOf = ({ headers }) => headers.location?.split('/').at(-1);

/** What is sent in turn. Whatever an operation makes it takes away, so that the database keeps its size. */
function operations({ admin, realmId, groupId }, users) {
  let serial = 0;
  const some = () => Math.floor(Math.random() * users);
  return {
    'list users': () => admin.send('GET', `/${realm}/users?max=50&first=${Math.floor(some() / 2)}`),
    'search users': () => admin.send('GET', `/${realm}/users?search=user-${some()}&max=20`),
    'page of users, GraphQL': () => admin.send('POST', '/graphql', { query: page }),
    'list members': () => admin.send('GET', `/${realm}/groups/${groupId}/members?max=100`),
    async 'make, change and delete a user'() {
      const name = `passing-${serial++}`;
      const made = await admin.send('POST', `/${realm}/users`, { username: name, enabled: true });
      if (made.status !== 201) return made;
      const path = `/${realm}/users/${idOf(made)}`;
      await admin.send('PUT', path, { firstName: name });
      await admin.send('PUT', `${path}/groups/${groupId}`);
      return admin.send('DELETE', path);
    },
    async 'make and delete a role, GraphQL'() {
      const name = `passing-${serial++}`;
      const query = `mutation { roleCreate(input: { container: "${realmId}", name: "${name}" }) { userErrors { code } } }`;
      const made = await admin.send('POST', '/graphql', { query });
      if (made.status !== 200) return made;
      return admin.send('DELETE', `/${realm}/roles/${name}`);
    },
    'log in': async () => {
      await admin.login();
      return { status: 200 };
    },
    'hang up': () => hangUp(admin),
  };
}

/** Asks for a long list, and does not stay for the answer. */
async function hangUp({ base, login }) {
  if (Date.now() > hasty.until) Object.assign(hasty, { until: Date.now() + 30_000, token: login() });
  const { access_token: token } = await hasty.token;
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = [`GET /auth/${realm}/users?max=1000 HTTP/1.1`, 'host: localhost', `authorization: Bearer ${token}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await sleep(Math.random() * 20);
  socket.destroy();
  return { status: 200 };
}

/** The token of those who hang up. */
const hasty = { until: 0, token: undefined };

/** Counts and times of what was answered. */
function createTally() {
  const byOperation = new Map();
  const entry = (name) => {
    if (!byOperation.has(name)) byOperation.set(name, { good: 0, busy: 0, bad: 0, times: [] });
    return byOperation.get(name);
  };
  return {
    byOperation,
    async count(name, work) {
      const started = performance.now();
      const status = await work().then(
        (answer) => answer.status,
        () => 0,
      );
      const into = entry(name);
      if (status === 503) into.busy += 1;
      else if (status >= 200 && status < 300) into.good += 1;
      else into.bad += 1;
      // enough to tell the quantiles, and no more memory in here after ten minutes than after one
      if (into.times.length < 20_000) into.times.push(performance.now() - started);
    },
  };
}

/** Sends at the rate until `deadline`, whatever the answers take. */
async function load(service, tally, deadline) {
  const chosen = Object.entries(operations(service, Number(args.users)));
  const pause = 1000 / Number(args.rate);
  const pending = new Set();
  let skipped = 0;
  let at = 0;
  const start = (name, work) => {
    const done = tally.count(name, work).finally(() => pending.delete(done));
    pending.add(done);
  };
  let burst = Date.now() + 10_000;
  for (let next = Date.now(); next < deadline; next += pause) {
    await sleep(Math.max(0, next - Date.now()));
    if (Number(args.burst) > 0 && next > burst) {
      burst = next + 20_000;
      for (let count = 0; count < Number(args.burst); count += 1) {
        start('burst', () => service.admin.send('GET', `/${realm}/users?max=20`));
      }
    } else if (pending.size > mostPending) skipped += 1;
    else start(...chosen[at++ % chosen.length]);
  }
  await Promise.all(pending);
  return skipped;
}

/** Slope of the line through the points (least squares), per unit of x. */
function slope(points) {
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

/** The lowest of each half minute, or of each tenth of a shorter time: what is left when garbage has been collected. */
function floors(samples) {
  const span = samples.at(-1).minutes - samples[0].minutes;
  const width = Math.min(0.5, span / 10);
  const windows = new Map();
  for (const sample of samples) {
    const at = Math.floor((sample.minutes - samples[0].minutes) / width);
    windows.set(at, [...(windows.get(at) ?? []), sample]);
  }
  return [...windows.values()].map((group) => group.reduce((low, one) => (one.rss < low.rss ? one : low)));
}

function reportMemory(samples) {
  const steps = 10;
  const lines = Array.from({ length: steps + 1 }, (_, step) => {
    const sample = samples[Math.min(samples.length - 1, Math.round((step * (samples.length - 1)) / steps))];
    return [sample.minutes.toFixed(1), sample.rss.toFixed(0), sample.anonymous.toFixed(0)];
  });
  console.log(`\n${table(['minutes', 'RSS, MiB', 'of it anonymous'], lines)}`);
}

function reportTally({ byOperation }) {
  const lines = [...byOperation].map(([name, { good, busy, bad, times }]) => {
    const sorted = times.toSorted((one, other) => one - other);
    const milliseconds = [0.5, 0.99].map((share) => quantile(sorted, share).toFixed(1));
    return [name, good, busy, bad, ...milliseconds];
  });
  console.log(`\n${table(['', 'good', '503', 'other', 'p50, ms', 'p99, ms'], lines)}`);
  return Object.fromEntries(lines.map(([name, good, busy, bad, p50, p99]) => [name, { good, busy, bad, p50, p99 }]));
}

async function main() {
  if (args.help) return console.log(help);
  const database = await startDatabase(args.database);
  const samples = [];
  try {
    const env = await environment(database.url);
    const service = await startService(env);
    try {
      const seeded = await seed(`http://127.0.0.1:${env.PORT}`, Number(args.users));
      const started = Date.now();
      const look = setInterval(() => {
        samples.push({ minutes: (Date.now() - started) / 60_000, ...memoryOf(service.pid) });
      }, Number(args.sample) * 1000);
      const tally = createTally();
      const skipped = await load(seeded, tally, started + Number(args.minutes) * 60_000).finally(() =>
        clearInterval(look),
      );
      seeded.admin.close();
      conclude(samples, tally, skipped);
    } finally {
      await service.stop();
    }
  } finally {
    await database.stop();
  }
}

function conclude(samples, tally, skipped) {
  const answers = reportTally(tally);
  reportMemory(samples);
  const half = floors(samples.slice(Math.floor(samples.length / 2)));
  const minutes = half.at(-1).minutes - half[0].minutes;
  const trend = (name) => slope(half.map((sample) => [sample.minutes, sample[name]]));
  const [rss, anonymous] = [trend('rss'), trend('anonymous')];
  const growth = rss * minutes;
  const bad = [...tally.byOperation.values()].reduce((sum, entry) => sum + entry.bad, 0);
  const flat = growth <= Number(args.bound);
  console.log(`
${args.database}: the floor of RSS changes by ${rss.toFixed(2)} MiB/min (anonymous: ${anonymous.toFixed(2)}) in the second half, by ${growth.toFixed(1)} MiB in all; the bound is ${args.bound}.
${skipped} requests were not sent because the service was behind; ${bad} answers were neither good nor 503.`);
  const { json, help: _, ...told } = args;
  const result = {
    date: new Date().toISOString(),
    args: told,
    slope: { rss, anonymous },
    growth,
    flat,
    skipped,
    answers,
  };
  if (json) writeFileSync(json, `${JSON.stringify({ ...result, samples }, null, 1)}\n`);
  if (!flat || bad > 0) process.exitCode = 1;
}

await main();
