// How long logins take beside an attacker: they come at a share of what the service can do, by themselves and beside one attacker at a
// time, who sends as fast as there are answers. Prints Markdown tables.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createAttackedRealm, password, people, realm } from './attacked-realm.mjs';
import { attackers } from './attackers.mjs';
import { administrator, quantile, table } from './client.mjs';
import { steady } from './open-loop.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- attack [options]
  --database sqlite,postgresql
  --share 0.3        logins, as a share of those that the service can do
  --connections 8    of the attacker
  --seconds 5        length of each part
  --rounds 3         pairs of a part with the attacker and one without
  --only TEXT,TEXT   attackers whose name contains one of these texts`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    share: { type: 'string', default: '0.3' },
    connections: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean' },
  },
});
const wait = () => new Promise((resume) => setTimeout(resume, Number(args.seconds) * 1000));

/** Returns a function that logs in the next of many people, each from an address of its own, behind one proxy. */
function logins(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let count = 0;
  return () =>
    new Promise((resolve, reject) => {
      const at = count++;
      const form = { grant_type: 'password', client_id: `app-${at % 20}`, username: `user-${at % people}`, password };
      const body = new URLSearchParams(form).toString();
      const headers = {
        'x-forwarded-for': `10.${at % 200}.${Math.floor(at / 200) % 200}.7`,
        'x-forwarded-proto': 'https',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': body.length,
      };
      const path = `${base}/auth/realms/${realm}/protocol/openid-connect/token`;
      const message = request(path, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('refused'))));
      });
      message.on('error', reject);
      message.end(body);
    });
}

/** Logins per second of 16 callers, one after the other each. */
async function capacity(login) {
  let count = 0;
  const started = performance.now();
  const until = started + Number(args.seconds) * 1000;
  const caller = async () => {
    while (performance.now() < until) {
      await login();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  return (count * 1000) / (performance.now() - started);
}

/** Does the work beside an attacker; returns the answers to the attacker by status. */
async function beside(base, requests, work) {
  const sender = fork(fileURLToPath(new URL('attack-sender.mjs', import.meta.url)));
  sender.send({ base, requests, connections: Number(args.connections), address: '192.0.2.66' });
  const result = await work();
  sender.send('over');
  const [statuses] = await once(sender, 'message');
  return { result, statuses };
}

/** Milliseconds of logins by themselves and beside the attacker, part by part, each with the other one first in turn. */
async function compare(base, login, rate, requests) {
  const part = () => steady({ login: { rate, send: login } }, wait);
  const all = { quiet: [], attacked: [], statuses: {}, failed: 0 };
  for (let round = 0; round < Number(args.rounds); round += 1) {
    const kinds = round % 2 === 0 ? ['quiet', 'attacked'] : ['attacked', 'quiet'];
    for (const kind of kinds) {
      const { result, statuses } =
        kind === 'quiet' ? { result: await part(), statuses: {} } : await beside(base, requests, part);
      all[kind].push(result.login);
      if (kind === 'attacked') all.failed += result.failed;
      for (const [status, count] of Object.entries(statuses))
        all.statuses[status] = (all.statuses[status] ?? 0) + count;
    }
  }
  return all;
}

function lineOf(who, name, { quiet, attacked, statuses, failed }) {
  const pooled = (parts) => parts.flatMap(({ all }) => all).sort((a, b) => a - b);
  const [without, beside] = [pooled(quiet), pooled(attacked)];
  const at = (share) => [quantile(without, share), quantile(beside, share)];
  const ratios = quiet.map(({ p99 }, round) => attacked[round].p99 / p99).sort((a, b) => a - b);
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const perSecond = total / (Number(args.seconds) * Number(args.rounds));
  const [quiet99, beside99] = at(0.99);
  return [
    who,
    name,
    ...[...at(0.5), quiet99, beside99].map((ms) => ms.toFixed(0)),
    (beside99 / quiet99).toFixed(2),
    ratios.map((ratio) => ratio.toFixed(1)).join(' '),
    failed,
    perSecond.toFixed(0),
    Object.entries(statuses)
      .map(([status, count]) => `${status}: ${Math.round((count * 100) / total)} %`)
      .join(', '),
  ];
}

async function attackOn(dialect) {
  const database = await startDatabase(dialect);
  try {
    const env = { ...(await environment(database.url)), TRUST_PROXY: '1' };
    const service = await startService(env);
    const admin = administrator(`http://127.0.0.1:${env.PORT}`);
    const known = await createAttackedRealm(admin);
    const login = logins(admin.base);
    await capacity(login);
    const most = await capacity(login);
    const rate = most * Number(args.share);
    console.log(`\n### ${dialect}\n\nCapacity: ${most.toFixed(0)} logins a second; asked: ${rate.toFixed(0)}.\n`);
    const rows = [];
    for (const [who, kinds] of Object.entries(attackers(known))) {
      for (const [name, requests] of Object.entries(kinds)) {
        if (!args.only.split(',').some((text) => `${who} ${name}`.includes(text))) continue;
        // what is loaded with the first request of its kind is loaded then
        await beside(admin.base, requests, () => new Promise((resume) => setTimeout(resume, 1000)));
        const line = lineOf(who, name, await compare(admin.base, login, rate, requests));
        console.error(line.join(' | '));
        rows.push(line);
      }
    }
    admin.close();
    await service.stop();
    const head = ['attacker', 'sends', 'p50 ms', 'beside', 'p99 ms', 'beside', 'ratio', 'of rounds', 'failed'];
    console.log(table([...head, 'requests a second', 'answers'], rows));
  } finally {
    await database.stop();
  }
}

if (args.help) console.log(help);
else for (const dialect of args.database.split(',')) await attackOn(dialect);
