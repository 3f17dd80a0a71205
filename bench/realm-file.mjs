// Measures the way of large realms through files: import, export, import of that under another name, export again. The
// memory of the service must not grow with the file, and the second export must say what the first one does.
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { table } from './client.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const { values: args } = parseArgs({
  options: {
    users: { type: 'string', default: '10000,100000' },
    database: { type: 'string', default: 'all' },
    part: { type: 'string' },
  },
});

const sizes = args.users.split(',').map(Number);
const dialects = args.database === 'all' ? ['sqlite', 'postgresql'] : [args.database];
const megabyte = 1024 * 1024;
const sampleEvery = 100;

/** The parts of a realm that stand before its users in the file, and those after. */
function partsOf(realm) {
  const numbers = (count) => Array.from({ length: count }, (_, at) => at);
  const before = { realm, enabled: true, browserFlow: 'own', attributes: { colour: 'red' } };
  const after = {
    roles: {
      realm: numbers(100).map((at) => ({ name: `role-${at}`, attributes: { level: [String(at)] } })),
      client: Object.fromEntries(numbers(50).map((at) => [`app-${at}`, [{ name: 'user' }, { name: 'editor' }]])),
    },
    groups: numbers(100).map((at) => ({
      name: `group-${at}`,
      realmRoles: [`role-${at}`],
      subGroups: [{ name: 'inner', attributes: { floor: ['2'] } }],
    })),
    clients: numbers(50).map((at) => ({
      clientId: `app-${at}`,
      secret: `secret of app ${at}`,
      serviceAccountsEnabled: at % 5 === 0,
      redirectUris: [`https://app-${at}.example/*`],
    })),
    authenticationFlows: [
      {
        alias: 'own',
        providerId: 'basic-flow',
        topLevel: true,
        builtIn: false,
        authenticationExecutions: [
          { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
          { flowAlias: 'inner', requirement: 'ALTERNATIVE', priority: 20 },
        ],
      },
      {
        alias: 'inner',
        providerId: 'basic-flow',
        topLevel: false,
        builtIn: false,
        authenticationExecutions: [
          { authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 10 },
        ],
      },
    ],
    identityProviders: numbers(10).map((at) => ({
      alias: `partner-${at}`,
      providerId: 'oidc',
      config: { clientId: 'us', clientSecret: `secret of partner ${at}`, tokenUrl: 'https://partner.example/token' },
    })),
    components: {
      'org.keycloak.keys.KeyProvider': numbers(3).map((at) => ({
        name: `signing-${at}`,
        providerId: 'hmac-generated',
        config: { priority: [String(100 + at)], algorithm: ['HS256'] },
      })),
    },
  };
  return { before, after };
}

const passwordData = JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256', additionalParameters: {} });
const passwordSecret = JSON.stringify({
  value: Buffer.alloc(64, 7).toString('base64'),
  salt: Buffer.alloc(16, 9).toString('base64'),
});

const userOf = (at) => ({
  username: `user-${String(at).padStart(7, '0')}`,
  email: `user-${at}@mail.example`,
  firstName: `First ${at % 977}`,
  lastName: `Last ${at % 991}`,
  enabled: true,
  emailVerified: at % 2 === 0,
  attributes: { locale: ['de'], department: [`department ${at % 40}`] },
  credentials: [{ type: 'password', credentialData: passwordData, secretData: passwordSecret }],
  realmRoles: [`role-${at % 100}`],
  clientRoles: { [`app-${at % 50}`]: ['user'] },
  groups: [`/group-${at % 100}/inner`],
  ...(at % 10 === 0 && {
    federatedIdentities: [{ identityProvider: `partner-${at % 10}`, userId: `there-${at}`, userName: `There ${at}` }],
  }),
});

function* fileOf(realm, users) {
  const { before, after } = partsOf(realm);
  yield `${JSON.stringify(before).slice(0, -1)},"users":[`;
  for (let at = 0; at < users; at += 1) yield (at > 0 ? ',' : '') + JSON.stringify(userOf(at));
  yield `],${JSON.stringify(after).slice(1)}`;
}

/** Resident memory of a process, in bytes. */
const memoryOf = (pid) => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Runs work and returns its seconds and the memory of the process meanwhile, every tenth of a second. */
async function watched(pid, work) {
  const curve = [memoryOf(pid)];
  const timer = setInterval(() => curve.push(memoryOf(pid)), sampleEvery);
  const begun = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - begun) / 1000, curve };
  } finally {
    clearInterval(timer);
  }
}

/** Without ids and dates, and with the lists that have no order in one of their own. */
function comparable(value, key = '') {
  if (/^(_id|id|internalId|containerId|createdDate)$|Timestamp$/.test(key)) return null;
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(comparable(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, comparable(value[name], name)]));
}

async function measure(dialect, users, folder) {
  const database = await startDatabase(dialect);
  const env = await environment(database.url);
  const service = await startService({ ...env, LOG_LEVEL: 'error', IMPORT_BODY_LIMIT: String(2048 * megabyte) });
  const base = `http://127.0.0.1:${env.PORT}/auth`;
  const authorization = async () => {
    const body = new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    });
    const answer = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
    return `Bearer ${(await answer.json()).access_token}`;
  };
  const importFile = async (path) => {
    const headers = { authorization: await authorization(), 'content-type': 'application/json' };
    const answer = await fetch(`${base}/`, {
      method: 'POST',
      headers,
      body: Readable.toWeb(createReadStream(path)),
      duplex: 'half',
    });
    if (answer.status !== 201) throw new Error(`Import: ${answer.status} ${await answer.text()}`);
  };
  const exportTo = async (realm, path) => {
    const headers = { authorization: await authorization() };
    const answer = await fetch(`${base}/${realm}/export?secrets=true`, { headers });
    if (!answer.ok) throw new Error(`Export: ${answer.status} ${await answer.text()}`);
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(path));
  };
  const path = (name) => join(folder, `${dialect}-${users}-${name}.json`);
  try {
    await pipeline(Readable.from(fileOf('first', users)), createWriteStream(path('file')));
    await authorization();
    const { curve: rest } = await watched(service.pid, () => new Promise((resume) => setTimeout(resume, 3000)));
    const imported = await watched(service.pid, () => importFile(path('file')));
    const exported = await watched(service.pid, () => exportTo('first', path('first')));
    const first = JSON.parse(readFileSync(path('first'), 'utf8'));
    writeFileSync(path('renamed'), renamed(readFileSync(path('first'), 'utf8')));
    const again = await watched(service.pid, () => importFile(path('renamed')));
    await exportTo('second', path('second'));
    const second = { ...JSON.parse(readFileSync(path('second'), 'utf8')), realm: 'first' };
    const same = JSON.stringify(comparable(first)) === JSON.stringify(comparable(second));
    if (first.users.length < users) throw new Error(`The export has ${first.users.length} users`);
    return { dialect, users, size: statSync(path('file')).size, rest, imported, exported, again, same };
  } finally {
    await service.stop();
    await database.stop();
  }
}

/** The same file for a realm of another name, with ids of its own. */
const renamed = (text) =>
  text
    .replace('"realm":"first"', '"realm":"second"')
    .replace(/"(?:id|_id|internalId|containerId)":"[0-9a-f]{8}-[0-9a-f-]{27}",?/g, '')
    .replace(/,\}/g, '}');

const megabytes = (bytes) => (bytes / megabyte).toFixed(0);
const peak = (curve) => megabytes(curve.reduce((most, value) => Math.max(most, value), 0));

/** Twenty points of a curve, in MB. */
const pointsOf = (curve) => {
  const count = Math.min(20, curve.length);
  return Array.from({ length: count }, (_, at) => megabytes(curve[Math.floor((at * curve.length) / count)])).join(' ');
};

const folder = mkdtempSync(join(tmpdir(), 'realmgate-files-'));
const measured = [];
try {
  for (const dialect of dialects) {
    for (const users of sizes) {
      measured.push(await measure(dialect, users, folder));
      console.error(`${dialect}, ${users} users: done`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const text = [
  table(
    [
      'users',
      'database',
      'file MB',
      'import s',
      'export s',
      'at rest MB',
      'import MB',
      'export MB',
      're-import MB',
      'same',
    ],
    measured.map(({ dialect, users, size, rest, imported, exported, again, same }) => [
      users.toLocaleString('en'),
      dialect,
      megabytes(size),
      imported.seconds.toFixed(1),
      exported.seconds.toFixed(1),
      peak(rest),
      peak(imported.curve),
      peak(exported.curve),
      peak(again.curve),
      same ? 'yes' : '**no**',
    ]),
  ),
  'Memory during the first import, from its begin to its end, in MB:',
  table(
    ['users', 'database', 'twenty moments'],
    measured.map(({ dialect, users, imported }) => [users.toLocaleString('en'), dialect, pointsOf(imported.curve)]),
  ),
].join('\n\n');
console.log(text);
if (args.part) {
  const title = '## Files of whole realms';
  const how =
    'A realm with 100 roles, 100 groups, 50 clients, flows, identity providers and components besides its users, who have a hashed password, attributes, roles and a group each and come before all of that in the file. It is imported (`POST /auth/`), exported with its secrets (`GET /auth/{realm}/export`), imported again under another name and exported again; `same`: the second export says what the first does but for ids and dates. Memory is what the process has resident at most (sampled every 100 ms).';
  writeFileSync(new URL(`parts/${args.part}.md`, import.meta.url), `${title}\n\n${how}\n\n${text}\n`);
}
if (measured.some(({ same }) => !same)) process.exitCode = 1;
