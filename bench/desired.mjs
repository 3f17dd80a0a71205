// Measures a realm as code: what it costs to plan and apply a file against a realm of 3,700 clients, 1,000 roles, 2,000
// groups and 10,000 users.
//
//   npm run bench -- desired [--database sqlite|postgresql|all] [--rounds 5] [--size 1]
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { administrator, table } from './client.mjs';
import { environment, startDatabase, startService } from './service.mjs';

const { values: args } = parseArgs({
  options: {
    database: { type: 'string', default: 'all' },
    rounds: { type: 'string', default: '5' },
    /** 1: the realm as stated; 0.01: a hundredth of it */
    size: { type: 'string', default: '1' },
  },
});

const dialects = args.database === 'all' ? ['sqlite', 'postgresql'] : [args.database];
const rounds = Number(args.rounds);
const many = (count) => Array.from({ length: Math.ceil(count * Number(args.size)) }, (_, at) => at);

const passwordData = JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256', additionalParameters: {} });
const passwordSecret = JSON.stringify({
  value: Buffer.alloc(64, 7).toString('base64'),
  salt: Buffer.alloc(16, 9).toString('base64'),
});

/** The file: half of the groups below the others, every third role a composite, and a mapper on every fifth client. */
function realmFile() {
  const [clients, roles, groups, users] = [many(3_700), many(1_000), many(1_000), many(10_000)];
  return {
    realm: 'large',
    enabled: true,
    roles: {
      realm: roles.map((at) => ({
        name: `role-${at}`,
        description: `Role ${at}`,
        ...(at % 3 === 2 && { composites: { realm: [`role-${at - 1}`] } }),
      })),
    },
    groups: groups.map((at) => ({
      name: `group-${at}`,
      realmRoles: [`role-${at % roles.length}`],
      subGroups: [{ name: 'inner', attributes: { floor: [String(at % 9)] } }],
    })),
    clients: clients.map((at) => ({
      clientId: `app-${at}`,
      name: `Application ${at}`,
      secret: `secret of app ${at}`,
      redirectUris: [`https://app-${at}.example/*`],
      ...(at % 5 === 0 && {
        protocolMappers: [
          {
            name: 'department',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-usermodel-attribute-mapper',
            config: { 'user.attribute': 'department', 'claim.name': 'department', 'access.token.claim': 'true' },
          },
        ],
      }),
    })),
    users: users.map((at) => ({
      username: `user-${String(at).padStart(6, '0')}`,
      email: `user-${at}@mail.example`,
      firstName: `First ${at % 977}`,
      lastName: `Last ${at % 991}`,
      enabled: true,
      attributes: { department: [`department ${at % 40}`] },
      credentials: [{ type: 'password', credentialData: passwordData, secretData: passwordSecret }],
      realmRoles: [`role-${at % roles.length}`],
      groups: [`/group-${at % groups.length}/inner`],
    })),
  };
}

/** The file with ten objects changed: clients, roles, groups and users. */
function withTenChanges(file, round) {
  const changed = structuredClone(file);
  for (const at of [1, 2, 3]) changed.clients[at].name = `Renamed ${round}`;
  for (const at of [1, 2, 3]) changed.roles.realm[at].description = `Described ${round}`;
  for (const at of [4, 5]) changed.groups[at].subGroups[0].attributes = { floor: [`round ${round}`] };
  for (const at of [6, 7]) changed.users[at].firstName = `Named ${round}`;
  return changed;
}

/** CPU time of a process so far, in milliseconds. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Waits until a process has nothing more to do, such as to index what was written. */
async function idle(pid) {
  for (let before = cpuOf(pid), calm = 0; calm < 3; ) {
    await sleep(500);
    const now = cpuOf(pid);
    calm = now - before < 50 ? calm + 1 : 0;
    before = now;
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const seconds = (values) => (median(values) / 1000).toFixed(2);
const both = (took) => [seconds(took.map(({ ms }) => ms)), seconds(took.map(({ cpu }) => cpu))];
const memoryOf = (pid) => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function measure(dialect) {
  const database = await startDatabase(dialect);
  const env = { ...(await environment(database.url)), LOG_LEVEL: 'error', BODY_LIMIT: String(256 * 1024 * 1024) };
  const service = await startService(env);
  const admin = administrator(`http://127.0.0.1:${env.PORT}`);
  /** The answer, with its time and the CPU time that the service has used meanwhile, in milliseconds. */
  const post = async (path, body) => {
    const before = cpuOf(service.pid);
    const answer = await admin.call('POST', `/admin/realms${path}`, body);
    return { json: answer.json, took: { ms: answer.ms, cpu: cpuOf(service.pid) - before } };
  };
  const times = { imported: [], nothing: [], settings: [], ten: [], applied: [], filled: [], again: [] };
  const requireChanges = (answer, expected) => {
    const { create, update, delete: removed } = answer.json().summary;
    if (create + update + removed !== expected)
      throw new Error(`${create + update + removed} changes instead of ${expected}`);
  };
  try {
    const file = realmFile();
    times.imported.push((await post('', file)).took);
    await idle(service.pid);
    for (let round = 1; round <= rounds; round += 1) {
      const current = round === 1 ? file : withTenChanges(file, round - 1);
      const unchanged = await post('/large/plan', { desired: current });
      requireChanges(unchanged, 0);
      times.nothing.push(unchanged.took);
      const { users: _, ...withoutUsers } = current;
      times.settings.push((await post('/large/plan', { desired: withoutUsers })).took);
      const desired = withTenChanges(file, round);
      const planned = await post('/large/plan', { desired });
      requireChanges(planned, 10);
      times.ten.push(planned.took);
      times.applied.push((await post('/large/apply', { desired, expectedDigest: planned.json().digest })).took);
    }
    // the price of an import beside what is there by now
    await idle(service.pid);
    times.again.push((await post('', { ...file, realm: 'again' })).took);
    await idle(service.pid);
    await post('', { realm: 'empty', enabled: true });
    times.filled.push((await post('/empty/apply', { desired: { ...file, realm: 'empty' }, allowDeletes: 100 })).took);
    return { dialect, times, memory: memoryOf(service.pid), size: JSON.stringify(file).length / 1024 / 1024 };
  } finally {
    admin.close();
    await service.stop();
    await database.stop();
  }
}

const measured = [];
for (const dialect of dialects) measured.push(await measure(dialect));

const rows = {
  'import of the realm to an empty database': 'imported',
  'plan, nothing changed': 'nothing',
  'plan of the same file without users': 'settings',
  'plan of ten changes': 'ten',
  'apply of these ten': 'applied',
  'import of the file as another realm': 'again',
  'apply of everything to an empty realm': 'filled',
};
const text = table(
  ['seconds (median)', ...measured.flatMap(({ dialect }) => [dialect, `CPU of the service, ${dialect}`])],
  [
    ...Object.entries(rows).map(([row, name]) => [row, ...measured.flatMap(({ times }) => both(times[name]))]),
    ['most resident memory of the service, MB', ...measured.flatMap(({ memory }) => [memory.toFixed(0), ''])],
  ],
);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`;
const head = `## Realm as code

By \`npm run bench -- desired\`, ${rounds} rounds, ${new Date().toISOString().slice(0, 10)}, ${machine}. The realm has 3,700 clients, 1,000 roles, 2,000 groups and 10,000 users;
its file of ${measured[0].size.toFixed(0)} MB is sent with each request.`;
console.log(`${head}\n\n${text}`);
