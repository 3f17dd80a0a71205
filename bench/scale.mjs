// How the service answers with a large realm, and what many realms cost a small one. Prints Markdown tables, or JSON.
import { parseArgs } from 'node:util';
import { administrator, quantile } from './client.mjs';
import { report } from './scale-report.mjs';
import { clientName, large, searches, seed, smallRealm, userName } from './seed.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const help = `npm run bench -- scale [options]
  --database sqlite,postgresql
  --users 100000 --groups 10000 --clients 10000 --realms 1000
  --requests 40     requests of each kind, one after the other
  --only deletion   nothing but the deletion of the large realm
  --json            print the figures as JSON`;

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite,postgresql' },
    users: { type: 'string', default: String(large.users) },
    groups: { type: 'string', default: String(large.groups) },
    clients: { type: 'string', default: String(large.clients) },
    realms: { type: 'string', default: String(large.realms) },
    requests: { type: 'string', default: '40' },
    only: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const users = Number(args.users);
const requests = Number(args.requests);
const tell = args.json ? () => undefined : (text) => console.error(text);

/** Median and 99th percentile in milliseconds of `work`, done `times` times in a row after two for warming up. */
async function measure(work, times = requests) {
  for (const at of [-2, -1]) await work(at);
  const spent = [];
  for (let at = 0; at < times; at += 1) {
    const started = performance.now();
    await work(at);
    spent.push(performance.now() - started);
  }
  spent.sort((a, b) => a - b);
  return { p50: quantile(spent, 0.5), p99: quantile(spent, 0.99) };
}

const userPage = `query ($realm: String!, $after: String) { realm(name: $realm) { users(first: 50, after: $after) {
  pageInfo { endCursor } edges { node { id username email groups(first: 10) { edges { node { name } } }
  directRoles(first: 10) { edges { node { name } } } } } } } }`;

/** What is asked of the large realm, by name. */
async function questions(admin, realm) {
  const get = async (path) => (await admin.call('GET', `/${realm}${path}`)).json();
  const deep = Math.floor(users * 0.9);
  const [someone] = await get(`/users?username=${userName(Math.floor(users / 2))}`);
  const [group] = await get('/groups?max=1&briefRepresentation=true');
  const [client] = await get(`/clients?clientId=${clientName(7)}`);
  const created = [];
  const run = Date.now().toString(36);
  return {
    'users, first page of 100': () => get('/users?max=100'),
    'users, page of 100 at 90 %': () => get(`/users?first=${deep}&max=100`),
    'users, search that many match': () => get(`/users?search=${searches.common}&max=20`),
    'users, search that one in 1,000 matches': () => get(`/users?search=${searches.rare}&max=20`),
    'users, search that none matches': () => get('/users?search=nobodyofthisname&max=20'),
    'users, exact user name': (at) => get(`/users?username=${userName((at + 2) * 17)}&exact=true`),
    'users, count': () => get('/users/count'),
    'users, count of a search': () => get(`/users/count?search=${searches.rare}`),
    'user, get': () => get(`/users/${someone.id}`),
    'user, create': async (at) => {
      const { headers } = await admin.call('POST', `/${realm}/users`, { username: `new-${run}-${at}`, enabled: true });
      created.push(headers.location.split('/').at(-1));
    },
    'user, update': (at) => admin.call('PUT', `/${realm}/users/${someone.id}`, { attributes: { at: [String(at)] } }),
    'user, delete': () => admin.call('DELETE', `/${realm}/users/${created.pop()}`),
    'groups, page of 20': () => get('/groups?first=0&max=20'),
    'groups, all as a tree': () => get('/groups'),
    'groups, search': () => get('/groups?search=group-0042&max=20'),
    'group, members (a tenth of the users)': () => get(`/groups/${group.id}/members?max=100`),
    'role, users (all)': () => get('/roles/role-0000/users?max=100'),
    'role, users (one in 200)': () => get('/roles/role-0007/users?max=100'),
    'roles, all': () => get('/roles'),
    'clients, page of 20': () => get('/clients?max=20'),
    'clients, page of 20 at 90 %': () => get(`/clients?first=${Math.floor(Number(args.clients) * 0.9)}&max=20`),
    'clients, search': () => get('/clients?clientId=client-0123&search=true&max=20'),
    'client, get': () => get(`/clients/${client.id}`),
    'GraphQL, page of 50 users': () => admin.graphql(userPage, { realm }),
    'GraphQL, user by name': () =>
      admin.graphql(
        `query ($realm: String!) { realm(name: $realm) { users(first: 5, filter: { username: { equals: "${userName(3)}" } }) { edges { node { id } } } } }`,
        { realm },
      ),
  };
}

/** What is asked of a small realm, before and after there are many others. */
async function smallQuestions(admin, realm, newcomer) {
  const path = `/${realm}`;
  const [user] = (await admin.call('GET', `${path}/users?max=1`)).json();
  const run = Date.now().toString(36);
  return {
    'user, get': () => admin.call('GET', `${path}/users/${user.id}`),
    'users, page': () => admin.call('GET', `${path}/users?max=20`),
    'role, create': (at) => admin.call('POST', `${path}/roles`, { name: `role-${run}-${at}` }),
    'realm, get': () => admin.call('GET', path),
    'login of the administrator': () => admin.login(),
    'realm, create': (at) => admin.call('POST', '/', { realm: `${newcomer}-${at + 2}`, enabled: true }),
    'realm, delete': (at) => admin.call('DELETE', `/${newcomer}-${at + 2}`),
    'realm list': () => admin.call('GET', '/admin/realms'),
    'realm list, GraphQL page of 20': () => admin.graphql('{ realms(first: 20) { edges { node { name } } } }'),
  };
}

async function answersTo(named, times) {
  const figures = {};
  for (const [name, work] of Object.entries(named)) {
    try {
      figures[name] = await measure(work, times(name));
    } catch (error) {
      figures[name] = { error: String(error) };
    }
    tell(`  ${name}: ${figures[name].p50?.toFixed(2) ?? figures[name].error}`);
  }
  return figures;
}

/** Seconds from the start of the process to its first answer; the median of three. */
async function startTimes(env) {
  const spent = [];
  for (let at = 0; at < 3; at += 1) {
    const started = performance.now();
    const service = await startService(env);
    spent.push((performance.now() - started) / 1000);
    await service.stop();
  }
  return spent.sort((a, b) => a - b)[1];
}

/** The size of a token of the administrator, in bytes. */
const tokenSize = async (admin) => (await admin.login()).access_token.length;

/** Waits until the rows of deleted realms are removed, too: only the database can tell. */
async function untilRemoved(databaseUrl) {
  const sql = `SELECT count(*) AS "left" FROM "Realm" WHERE "name" LIKE 'deleted:%'`;
  let left;
  let close;
  if (databaseUrl.startsWith('file:')) {
    const [{ firstValue }, { sqliteDriver }] = await Promise.all([
      import('../build/database/sqlite-connection.js'),
      import('../build/database/sqlite-driver.js'),
    ]);
    const connection = (await sqliteDriver()).open(databaseUrl.slice('file:'.length), { readonly: true });
    left = async () => Number(firstValue(connection, sql));
    close = () => connection.close();
  } else {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    left = async () => Number((await client.query(sql)).rows[0].left);
    close = () => client.end();
  }
  while ((await left()) > 0) await new Promise((resume) => setTimeout(resume, 100));
  await close();
}

/** Deletes the large realm while two others look at small realms: what each of them has to wait at most. */
async function deletion(admin, databaseUrl) {
  let running = true;
  let failed = 0;
  const waits = { reader: [], writer: [] };
  const loop = async (kind, work) => {
    for (let at = 0; running; at += 1) {
      const started = performance.now();
      await work(at).catch((error) => {
        failed += 1;
        tell(`  beside the deletion: ${error}`);
      });
      waits[kind].push(performance.now() - started);
    }
  };
  const run = Date.now().toString(36);
  const beside = [
    loop('reader', () => admin.call('GET', `/${smallRealm(0)}/users?max=20`)),
    loop('writer', (at) => admin.call('POST', `/${smallRealm(1)}/roles`, { name: `beside-${run}-${at}` })),
  ];
  const started = performance.now();
  await admin.call('DELETE', `/${large.realm}`);
  const seconds = (performance.now() - started) / 1000;
  await untilRemoved(databaseUrl);
  const removed = (performance.now() - started) / 1000;
  running = false;
  await Promise.all(beside);
  const worst = Object.fromEntries(
    Object.entries(waits).map(([kind, list]) => {
      list.sort((a, b) => a - b);
      return [kind, { count: list.length, p50: quantile(list, 0.5), max: list.at(-1) }];
    }),
  );
  return { seconds, removed, failed, ...worst };
}

async function scaleOf(dialect) {
  tell(`\n${dialect}`);
  const database = await startDatabase(dialect);
  try {
    const env = await environment(database.url);
    const admin = administrator(`http://127.0.0.1:${env.PORT}`);
    const often = () => requests;
    const few = { users: 0, realms: 2 };
    const told = (what, seconds) => tell(`  ${what}: ${seconds.toFixed(1)} s`);

    let service = await startService(env);
    await seed(admin, few, told);
    if (args.only === 'deletion') {
      await seed(admin, { users, groups: Number(args.groups), clients: Number(args.clients), realms: 0 }, told);
      const deleted = await deletion(admin, database.url);
      admin.close();
      await service.stop();
      return { deleted };
    }
    const before = await answersTo(await smallQuestions(admin, smallRealm(0), 'first'), often);
    const tokens = { before: await tokenSize(admin) };
    await service.stop();
    const starts = { before: await startTimes(env) };

    service = await startService(env);
    const seconds = {};
    const filled = (what, spent) => {
      seconds[what] = spent;
      told(what, spent);
    };
    await seed(admin, { users, groups: Number(args.groups), clients: Number(args.clients), realms: 0 }, filled);
    await seed(admin, { users: 0, realms: Number(args.realms), firstRealm: 2 }, filled);
    const answers = await answersTo(await questions(admin, large.realm), (name) =>
      name.includes('tree') ? 5 : requests,
    );
    const after = await answersTo(await smallQuestions(admin, smallRealm(0), 'second'), (name) =>
      name === 'realm list' ? 5 : requests,
    );
    tokens.after = await tokenSize(admin);
    await service.stop();
    starts.after = await startTimes(env);

    service = await startService(env);
    const deleted = await deletion(admin, database.url);
    tell(`  deletion: ${JSON.stringify(deleted)}`);
    await service.stop();
    admin.close();
    return { seconds, answers, small: { before, after }, tokens, starts, deleted };
  } finally {
    await database.stop();
  }
}

if (args.help) console.log(help);
else {
  const results = {};
  for (const dialect of args.database.split(',')) results[dialect] = await scaleOf(dialect);
  console.log(args.json ? JSON.stringify(results, null, 1) : `\n${report(results, args)}`);
}
