// What others wait for while one caller does something long: small requests come at a steady rate, whatever the answers
// take, first with nothing beside them and then beside each long operation. Prints Markdown tables, or JSON.
import { once } from 'node:events';
import { get } from 'node:http';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { administrator, table } from './client.mjs';
import { report, steady } from './open-loop.mjs';
import { large, seed, userName, userPassword } from './seed.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `node bench/interference.mjs [options]
  --database sqlite,postgresql
  --users 100000    users of the large realm
  --only TEXT       operations whose name contains this
  --reads 100 --writes 20   small requests per second
  --json            print the figures as JSON`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    users: { type: 'string', default: String(large.users) },
    only: { type: 'string', default: '' },
    reads: { type: 'string', default: '100' },
    writes: { type: 'string', default: '20' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const users = Number(args.users);
const tell = args.json ? () => undefined : (text) => console.error(text);

/** The realm whose callers wait. */
const quiet = 'quiet';
const numbers = (count) => Array.from({ length: count }, (_, at) => at);

/** A realm file of ten thousand users. */
const realmFile = (realm) => ({
  realm,
  enabled: true,
  roles: { realm: numbers(100).map((at) => ({ name: `role-${at}` })) },
  groups: numbers(100).map((at) => ({ name: `group-${at}` })),
  users: numbers(10_000).map((at) => ({
    username: userName(at),
    email: `${userName(at)}@example.test`,
    enabled: true,
    attributes: { department: [String(at % 40)] },
    realmRoles: [`role-${at % 100}`],
    groups: [`/group-${at % 100}`],
  })),
});

/** Reads an answer of any size and keeps nothing of it. */
async function drain(admin, path) {
  const { access_token: token } = await admin.login();
  const [response] = await once(
    get(`${admin.base}/auth${path}`, { headers: { authorization: `Bearer ${token}` } }),
    'response',
  );
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}

/** A document with a mutation for each of so many clients, in one transaction. */
const manyClients = (realm, count) =>
  `mutation @atomic { ${numbers(count)
    .map((at) => `c${at}: clientCreate(input: { realm: "${realm}", clientId: "made-${at}" }) { userErrors { code } }`)
    .join(' ')} }`;

/** The long operations, in order, by name. */
async function operations(admin) {
  const {
    realm: { id },
  } = await admin.graphql(`{ realm(name: "${quiet}") { id } }`);
  const at = (path) => `/${quiet}${path}`;
  const login = (index) =>
    fetch(`${admin.base}/auth/realms/${large.realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: userName(index),
        password: userPassword,
      }),
    }).then((answer) => answer.text());
  const newUsers = (from, count) =>
    numbers(count).map((index) => ({ username: `more-${from + index}`, enabled: true, attributes: { some: ['1'] } }));
  const key = (index, size) => ({
    name: `key-${index}`,
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['1'], keySize: [String(size)] },
  });
  return {
    'import of a realm of 10,000 users': () => admin.call('POST', '/', realmFile('imported')),
    'partial import of 5,000 users': () =>
      admin.call('POST', at('/partialImport'), { ifResourceExists: 'FAIL', users: newUsers(0, 5000) }),
    'GraphQL, 1,000 users in one mutation': () =>
      admin.graphql(
        'mutation ($input: UsersCreateInput!) { usersCreate(input: $input) { users { id } userErrors { code } } }',
        { input: { realm: id, users: newUsers(10_000, 1000).map(({ username }) => ({ username })) } },
      ),
    'GraphQL, 50 clients in one transaction': () => admin.graphql(manyClients(id, 50)),
    [`export of ${users} users`]: () => drain(admin, `/${large.realm}/export`),
    'list of 1,000 users, eight times at once': () =>
      Promise.all(numbers(8).map(() => admin.call('GET', `/${large.realm}/users?max=1000`))),
    'RSA keys of 4,096 bits, four at once': async () => {
      await Promise.all(numbers(4).map((index) => admin.call('POST', at('/components'), key(index, 4096))));
      // they are made when they are first read
      await admin.call('GET', at('/keys'));
    },
    'logins of 50 users at once': () => Promise.all(numbers(50).map((index) => login(index))),
    'passwords of 50 users at once': () =>
      Promise.all(
        numbers(50).map((index) =>
          admin.call('POST', at('/users'), {
            username: `with-password-${index}`,
            enabled: true,
            credentials: [{ type: 'password', value: 'correct horse' }],
          }),
        ),
      ),
    // the rows of the users go in the minutes after the answer
    [`deletion of ${users} users`]: async () => {
      await admin.call('DELETE', `/${large.realm}`);
      await new Promise((resume) => setTimeout(resume, 10_000));
    },
  };
}

/** Does the long operations in a thread of its own, so that what they cost here delays none of the small requests. */
function operator(base) {
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: { base } });
  const answer = async () => {
    const [{ names, error }] = await once(worker, 'message');
    if (error) throw new Error(error);
    return names;
  };
  return {
    names: answer,
    async run(name) {
      worker.postMessage(name);
      await answer();
    },
    end: () => worker.terminate(),
  };
}

/** The other end of `operator`. */
async function operate({ base }) {
  const admin = administrator(base);
  const works = await operations(admin);
  parentPort.postMessage({ names: Object.keys(works) });
  parentPort.on('message', (name) =>
    works[name]().then(
      () => parentPort.postMessage({}),
      (error) => parentPort.postMessage({ error: `${name}: ${error}` }),
    ),
  );
}

async function interferenceOn(dialect) {
  tell(`\n${dialect}`);
  const database = await startDatabase(dialect);
  try {
    const env = await environment(database.url);
    const service = await startService(env);
    const admin = administrator(`http://127.0.0.1:${env.PORT}`);
    await admin.call('POST', '/', { realm: quiet, enabled: true });
    await seed(admin, { users, groups: 1000, clients: 1000, realms: 0 }, (what, seconds) =>
      tell(`  ${what}: ${seconds.toFixed(1)} s`),
    );
    const { headers } = await admin.call('POST', `/${quiet}/users`, { username: 'somebody', enabled: true });
    const path = `/${quiet}/users/${headers.location.split('/').at(-1)}`;
    // callers of their own, so that none waits for a connection
    const other = administrator(admin.base, { sockets: 512 });
    const streams = {
      read: { rate: Number(args.reads), send: () => other.call('GET', path) },
      write: {
        rate: Number(args.writes),
        send: (at) => other.call('PUT', path, { attributes: { at: [String(at)] } }),
      },
    };
    await steady(streams, () => new Promise((resume) => setTimeout(resume, 3000)));
    const results = { nothing: await steady(streams, () => new Promise((resume) => setTimeout(resume, 5000))) };
    const long = operator(admin.base);
    for (const name of await long.names()) {
      if (!name.includes(args.only)) continue;
      results[name] = await steady(streams, () => long.run(name));
      tell(`  ${name}: ${JSON.stringify(results[name])}`);
    }
    await long.end();
    other.close();
    admin.close();
    await service.stop();
    return results;
  } finally {
    await database.stop();
  }
}

const lines = (results) =>
  Object.entries(results).map(([name, { seconds, failed, read, write }]) => [
    name,
    seconds.toFixed(2),
    ...report(read),
    ...report(write),
    failed,
  ]);

if (!isMainThread) await operate(workerData);
else if (args.help) console.log(help);
else {
  const results = {};
  for (const dialect of args.database.split(',')) results[dialect] = await interferenceOn(dialect);
  if (args.json) console.log(JSON.stringify(results, null, 1));
  else {
    const head = ['beside', 'seconds'];
    for (const kind of ['read', 'write']) head.push(`${kind} p50 ms`, 'p99 ms', 'max ms');
    for (const [dialect, figures] of Object.entries(results)) {
      console.log(`\n### ${dialect}\n\n${table([...head, 'failed'], lines(figures))}`);
    }
  }
}
