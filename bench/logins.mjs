// Administration beside a flood of logins: reads and writes come at a steady rate, first with nothing beside them and then beside
// so many logins per second, half of them with a wrong password. Prints Markdown tables.
import { parseArgs } from 'node:util';
import { administrator, table } from './client.mjs';
import { report, steady } from './open-loop.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- logins [options]
  --database sqlite,postgresql
  --logins 200               logins per second
  --reads 20 --writes 5      requests of administration per second
  --seconds 15               length of each part`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    logins: { type: 'string', default: '200' },
    reads: { type: 'string', default: '20' },
    writes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '15' },
    help: { type: 'boolean' },
  },
});
const users = 200;
const password = 'correct horse';
const realm = 'flooded';
const wait = () => new Promise((resume) => setTimeout(resume, Number(args.seconds) * 1000));

/** Sends logins, and counts their answers by status. */
function logins(base, statuses) {
  const send = async (at) => {
    const form = {
      grant_type: 'password',
      client_id: 'admin-cli',
      username: `user-${at % users}`,
      password: at % 2 ? password : 'wrong',
    };
    const answer = await fetch(`${base}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    await answer.text();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  };
  return { rate: Number(args.logins), send };
}

async function floodOn(dialect) {
  const database = await startDatabase(dialect);
  try {
    const env = await environment(database.url);
    const service = await startService(env);
    const admin = administrator(`http://127.0.0.1:${env.PORT}`);
    const credentials = [{ type: 'password', value: password }];
    const some = Array.from({ length: users }, (_, at) => ({ username: `user-${at}`, enabled: true, credentials }));
    await admin.call('POST', '/', { realm, enabled: true, users: some });
    const { headers } = await admin.call('POST', `/${realm}/users`, { username: 'somebody', enabled: true });
    const path = `/${realm}/users/${headers.location.split('/').at(-1)}`;
    const streams = {
      read: { rate: Number(args.reads), send: () => admin.call('GET', path) },
      write: {
        rate: Number(args.writes),
        send: (at) => admin.call('PUT', path, { attributes: { at: [String(at)] } }),
      },
    };
    const quiet = await steady(streams, wait);
    const statuses = {};
    const login = logins(admin.base, statuses);
    const flooded = await steady({ ...streams, login }, wait);
    admin.close();
    await service.stop();
    return { quiet, flooded, statuses };
  } finally {
    await database.stop();
  }
}

if (args.help) console.log(help);
else {
  for (const dialect of args.database.split(',')) {
    const { quiet, flooded, statuses } = await floodOn(dialect);
    const line = (name, { failed, read, write }) => [name, ...report(read), ...report(write), failed];
    const head = ['beside', 'read p50 ms', 'p99 ms', 'max ms', 'write p50 ms', 'p99 ms', 'max ms', 'failed'];
    const rows = [line('nothing', quiet), line(`${args.logins} logins per second`, flooded)];
    console.log(`\n### ${dialect}\n\n${table(head, rows)}\n`);
    console.log(
      `Answers to the logins by status: ${JSON.stringify(statuses)}. Milliseconds: ${report(flooded.login).join(', ')} (p50, p99, max).`,
    );
  }
}
