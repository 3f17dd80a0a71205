// Measures a realm with very many clients: what administration does with them must not grow with their number.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../build/config/config.js';
import { startServer } from '../build/http/server.js';
import { table } from './client.mjs';
import { startDatabase } from './service.mjs';

const { values: args } = parseArgs({
  options: {
    clients: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '40' },
    database: { type: 'string', default: 'all' },
    part: { type: 'string' },
  },
});

const realm = 'many';
const total = Number(args.clients);
const rounds = Number(args.rounds);
const name = (n) => `client-${String(n).padStart(6, '0')}`;

async function measure(dialect) {
  const database = await startDatabase(dialect);
  const config = readConfig({
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PASSWORD: 'admin',
    LOG_LEVEL: 'fatal',
  });
  const server = await startServer(config);
  const token = async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    });
    const answer = await fetch(`${server.url}/auth/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body,
    });
    return (await answer.json()).access_token;
  };
  let bearer = await token();
  const send = async (method, path, body) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const started = performance.now();
  await send('POST', '/auth/', {
    realm,
    enabled: true,
    clients: Array.from({ length: total }, (_, n) => ({
      clientId: name(n),
      name: `Client number ${n}`,
      redirectUris: [`https://${name(n)}.example/*`],
      publicClient: n % 3 === 0,
    })),
    users: [{ username: 'ann', enabled: true, realmRoles: ['offline_access'] }],
  });
  const imported = (performance.now() - started) / 1000;
  bearer = await token();
  const user = (await send('GET', `/auth/${realm}/users?username=ann`))[0].id;
  const listed = await send('GET', `/auth/${realm}/clients?first=10&max=${rounds * 3 + 40}`);
  const ids = listed.map(({ id }) => id);
  const page = `query ($after: String) { realm(name: "${realm}") { clients(first: 100, after: $after) { totalCount
    pageInfo { endCursor } edges { node { clientId name isEnabled defaultClientScopes { edges { node { name } } } } } } } }`;
  const work = {
    'list (100)': (n) => send('GET', `/auth/${realm}/clients?first=${n * 100}&max=100`),
    'list (100), at the end': () => send('GET', `/auth/${realm}/clients?first=${total - 150}&max=100`),
    'search, 100 found': (n) => send('GET', `/auth/${realm}/clients?clientId=client-00${n % 90}&search=true&max=100`),
    'by clientId': (n) => send('GET', `/auth/${realm}/clients?clientId=${name(n * 7)}`),
    'one client': (n) => send('GET', `/auth/${realm}/clients/${ids[n]}`),
    'evaluated scopes: example token': (n) =>
      send(
        'GET',
        `/auth/${realm}/clients/${ids[n]}/evaluate-scopes/generate-example-access-token?userId=${user}&scope=openid`,
      ),
    'GraphQL: 100 with their scopes': () => send('POST', '/graphql', { query: page }),
    update: (n) =>
      send('PUT', `/auth/${realm}/clients/${ids[n]}`, { clientId: listed[n].clientId, description: `changed ${n}` }),
    delete: (n) => send('DELETE', `/auth/${realm}/clients/${ids[ids.length - 1 - n]}`),
  };
  const rows = [];
  for (const [title, call] of Object.entries(work)) {
    if (title !== 'delete') for (let n = 0; n < 5; n++) await call(n);
    bearer = await token();
    const statements = server.database.statements();
    const cpu = process.cpuUsage();
    const begun = performance.now();
    for (let n = 0; n < rounds; n++) await call(n);
    const elapsed = (performance.now() - begun) / rounds;
    const { user: inUser, system } = process.cpuUsage(cpu);
    rows.push([
      title,
      dialect,
      (server.database.statements() - statements) / rounds,
      (inUser + system) / 1000 / rounds,
      elapsed,
    ]);
  }
  await server.close();
  await database.stop();
  return { rows, imported };
}

const dialects = args.database === 'all' ? ['sqlite', 'postgresql'] : [args.database];
const rows = [];
const imports = [];
for (const dialect of dialects) {
  const measured = await measure(dialect);
  rows.push(...measured.rows);
  imports.push(`${dialect} ${measured.imported.toFixed(1)} s`);
}
const text = table(
  ['what', 'database', 'statements', 'CPU ms', 'ms'],
  rows.map(([title, dialect, ...figures]) => [
    title,
    dialect,
    ...figures.map((figure) => figure.toFixed(figure < 10 ? 2 : 1)),
  ]),
);
console.log(`${text}\n\nimport: ${imports.join(', ')}`);
if (args.part) {
  writeFileSync(
    new URL(`parts/${args.part}.md`, import.meta.url),
    `## ${total.toLocaleString('en')} clients\n\nA realm with that many clients, imported in one request (${imports.join(', ')}); ${rounds} calls of each kind, one after the other. CPU is that of the process, which holds the caller as well.\n\n${text}\n`,
  );
}
process.exit(0);
