// How long requests wait at half of what a server can do, beside the peer: a mix of what administrators and logins ask for comes
// at a steady rate, whatever the answers take. Prints a Markdown table for each database, or JSON.
import { parseArgs } from 'node:util';
import { administrator, table } from './client.mjs';
import { report, steady } from './open-loop.mjs';
import { peerDatabases, startPeer } from './peer.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `node bench/latency.mjs [options]
  --database sqlite,postgresql
  --users 1000
  --warm 45         seconds of load ahead of all, at each server
  --seconds 15      length of each measurement
  --rounds 2        measurements of each, in turn
  --callers 16      how many ask at once while the capacity is measured
  --no-peer         only the service
  --json            print the figures as JSON`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    users: { type: 'string', default: '1000' },
    warm: { type: 'string', default: '45' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '2' },
    callers: { type: 'string', default: '16' },
    'no-peer': { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const users = Number(args.users);
const seconds = Number(args.seconds);
const tell = args.json ? () => undefined : (text) => console.error(text);

const realm = 'latency';
const password = 'correct horse';
const at = (path) => `/admin/realms/${realm}${path}`;
const after = (length) => new Promise((resume) => setTimeout(resume, length * 1000));
const idOf = ({ headers }) => headers.location.split('/').at(-1);

/** Runs the work for all of so many, eight at a time. */
async function forAll(count, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const mine = next;
      next += 1;
      await work(mine);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** A realm with users of whom each has a role, a group and an attribute, and every tenth a password. */
async function seed(base) {
  const first = administrator(base);
  await first.call('POST', '/admin/realms', { realm, enabled: true, sslRequired: 'none' });
  first.close();
  // its roles for the new realm are in the next token
  const admin = administrator(base, { sockets: 512 });
  await admin.call('POST', at('/roles'), { name: 'clerk' });
  const role = (await admin.call('GET', at('/roles/clerk'))).json();
  const group = idOf(await admin.call('POST', at('/groups'), { name: 'staff' }));
  const ids = [];
  await forAll(users, async (index) => {
    const name = `user-${String(index).padStart(5, '0')}`;
    const user = {
      username: name,
      email: `${name}@example.test`,
      firstName: 'Amara',
      lastName: `Lindenbach ${index}`,
      enabled: true,
      attributes: { department: [String(index % 40)] },
      ...(index % 10 === 0 && { credentials: [{ type: 'password', value: password }] }),
    };
    const id = idOf(await admin.call('POST', at('/users'), user));
    await admin.call('POST', at(`/users/${id}/role-mappings/realm`), [role]);
    await admin.call('PUT', at(`/users/${id}/groups/${group}`), {});
    ids[index] = { id, name };
  });
  return { admin, ids, group };
}

/** The mix: twenty requests in turn, of which four write and one is a login. */
function mixOf({ admin, ids, group }) {
  let serial = 0;
  const some = () => ids[Math.floor(Math.random() * ids.length)];
  const get = () => admin.call('GET', at(`/users/${some().id}`));
  const list = () => admin.call('GET', at(`/users?first=${Math.floor((Math.random() * users) / 2)}&max=50`));
  const roles = () => admin.call('GET', at(`/users/${some().id}/role-mappings/realm/composite`));
  const update = () => admin.call('PUT', at(`/users/${some().id}`), { lastName: `Name ${serial++}` });
  const login = async () => {
    const body = { grant_type: 'password', client_id: 'admin-cli', username: ids[0].name, password };
    const answer = await fetch(`${admin.base}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    await answer.text();
    if (!answer.ok) throw new Error(`login: ${answer.status}`);
  };
  const created = [];
  const create = async () => {
    const made = await admin.call('POST', at('/users'), { username: `passing-${serial++}`, enabled: true });
    created.push(idOf(made));
  };
  const remove = () => (created.length > 0 ? admin.call('DELETE', at(`/users/${created.shift()}`)) : get());
  const mix = [
    ...[get, list, get, update, () => admin.call('GET', at('/users/count')), get, roles],
    ...[create, get, list, () => admin.call('GET', at('/users?search=user-000&max=20')), get, update],
    ...[() => admin.call('GET', at(`/groups/${group}/members?max=50`)), get, roles, remove, get, list, login],
  ];
  let turn = 0;
  return () => mix[turn++ % mix.length]();
}

/** Requests per second that callers get answered who ask again as soon as they have an answer. */
async function capacity(send, length) {
  const end = performance.now() + length * 1000;
  const started = performance.now();
  let count = 0;
  let failed = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await send().catch(() => {
        failed += 1;
      });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(args.callers) }, caller));
  if (failed > count / 100) throw new Error(`${failed} of ${count} requests failed`);
  return (count * 1000) / (performance.now() - started);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The figures of several measurements: the median of each. */
const joined = (rounds) =>
  Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, median(rounds.map((round) => round[name]))]));

async function latencyOn(dialect) {
  tell(`\n${dialect}`);
  const database = await startDatabase(dialect);
  const peer = args['no-peer'] ? undefined : await startPeer(peerDatabases[dialect]);
  try {
    const env = await environment(database.url);
    const service = await startService(env);
    const servers = [{ name: 'Realmgate', base: `http://127.0.0.1:${env.PORT}` }];
    if (peer) servers.push({ name: 'Keycloak 15.0.2', base: peer.url.replace(/\/auth$/, '') });
    for (const server of servers) {
      const seeded = await seed(server.base);
      server.close = seeded.admin.close;
      server.send = mixOf(seeded);
      await capacity(server.send, Number(args.warm));
      tell(`  ${server.name} is warm`);
    }
    for (const server of servers) server.capacity = await capacity(server.send, seconds);
    const least = Math.min(...servers.map((server) => server.capacity / 2));
    const measured = [];
    for (const rate of new Set([least, ...servers.map((server) => server.capacity / 2)])) {
      for (const server of servers) {
        // nobody is asked for more than half of what it can do
        if (rate > server.capacity / 2 + 1) continue;
        measured.push({ server, rate, rounds: [] });
      }
    }
    for (let round = 0; round < Number(args.rounds); round += 1) {
      for (const { server, rate, rounds } of measured) {
        const { failed, mixed } = await steady({ mixed: { rate, send: server.send } }, () => after(seconds));
        rounds.push({ ...mixed, failed });
        tell(`  ${server.name}, ${rate.toFixed(0)} a second: ${JSON.stringify(rounds.at(-1))}`);
      }
    }
    for (const server of servers) server.close();
    await service.stop();
    return measured.map(({ server, rate, rounds }) => ({
      server: server.name,
      capacity: server.capacity,
      rate,
      ...joined(rounds),
    }));
  } finally {
    await peer?.stop();
    await database.stop();
  }
}

if (args.help) console.log(help);
else {
  const results = {};
  for (const dialect of args.database.split(',')) results[dialect] = await latencyOn(dialect);
  if (args.json) console.log(JSON.stringify(results, null, 1));
  else {
    const head = ['server', 'can do, a second', 'asked, a second', 'p50 ms', 'p99 ms', 'max ms', 'failed'];
    for (const [dialect, lines] of Object.entries(results)) {
      const cells = lines.map((line) => [
        line.server,
        line.capacity.toFixed(0),
        line.rate.toFixed(0),
        ...report(line),
        line.failed,
      ]);
      console.log(`\n### ${dialect}\n\n${table(head, cells)}`);
    }
  }
}
