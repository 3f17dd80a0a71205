// Fills a running service with a large realm and many small ones, through its own doors: realm creation and partial
// import. The same seed gives the same data.
import { pbkdf2Sync } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { administrator } from './client.mjs';

const help = `npm run bench -- seed [options]
  --url http://127.0.0.1:8080   the service
  --user admin --password admin its administrator
  --realm large                 name of the large realm; it must not be there yet
  --users 100000 --groups 10000 --clients 10000 --roles 200
  --realms 1000                 further realms, named small-0000 and so on
  --seed 1
  --batch 5000                  users of one import`;

/** What "large" means. */
export const large = { realm: 'large', users: 100_000, groups: 10_000, clients: 10_000, roles: 200, realms: 1000 };

/** The password of every user. */
export const userPassword = 'correct horse';
/** A last name that one user in a thousand has, and a text that about every tenth has in its names. */
export const searches = { rare: 'zyzzyva', common: 'berg' };

/** A generator of numbers from 0 to 1 (xorshift128 over a hash of the seed): fast, the same on every machine. */
function randomOf(seed) {
  let [x, y, z, w] = [seed ^ 0x9e3779b9, seed * 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f].map((part) => part | 0 || 1);
  const next = () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return (w >>> 0) / 2 ** 32;
  };
  for (let warmUp = 0; warmUp < 16; warmUp += 1) next();
  return next;
}

const firstNames = [
  'Amara',
  'Bjarne',
  'Chen',
  'Daria',
  'Emre',
  'Fiona',
  'Gil',
  'Hye',
  'Ivo',
  'Jamila',
  'Kaito',
  'Lucía',
];
const beginnings = ['Linden', 'Sonnen', 'Stein', 'Silber', 'Wald', 'Winter', 'Bären', 'Falken', 'Gold', 'Hohen'];
const endings = ['bach', 'berg', 'dorf', 'feld', 'hof', 'mann', 'see', 'stein', 'tal', 'weg'];

const number = (at, digits) => String(at).padStart(digits, '0');
const pick = (random, list) => list[Math.floor(random() * list.length)];
const roleName = (at) => `role-${number(at, 4)}`;
export const clientName = (at) => `client-${number(at, 5)}`;
export const smallRealm = (at) => `small-${number(at, 4)}`;
export const userName = (at) => `user-${number(at, 6)}`;

let hashed;
/** `userPassword` as it is stored, so that nobody has to hash it a hundred thousand times. */
function storedPassword() {
  if (!hashed) {
    const salt = Buffer.from('the same for all');
    const value = pbkdf2Sync(userPassword, salt, 27_500, 64, 'sha256').toString('base64');
    hashed = {
      type: 'password',
      secretData: JSON.stringify({ value, salt: salt.toString('base64') }),
      credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256' }),
    };
  }
  return hashed;
}

/** Top-level groups of ten: the top, three below it and two below each of these. `paths` collects where they are. */
function groupTree({ groups, seed }, paths) {
  const random = randomOf(seed + 1);
  let left = groups;
  const node = (name, parent, children) => {
    left -= 1;
    const path = `${parent}/${name}`;
    paths.push(path);
    const subGroups = [];
    for (let at = 0; at < (children[0] ?? 0) && left > 0; at += 1) {
      subGroups.push(node(`part-${at}`, path, children.slice(1)));
    }
    return { name, path, attributes: { cost: [String(Math.floor(random() * 1000))] }, subGroups };
  };
  const tops = [];
  while (left > 0) tops.push(node(`group-${number(tops.length, 4)}`, '', [3, 2]));
  return tops;
}

/** One user: it depends on the seed and its number alone. */
function user(at, { seed, roles, clients }, paths) {
  const random = randomOf(seed * 1_000_003 + at);
  const username = userName(at);
  return {
    username,
    email: `${username}@example.test`,
    emailVerified: random() < 0.9,
    enabled: random() < 0.98,
    firstName: pick(random, firstNames),
    lastName: at % 1000 === 500 ? 'Zyzzyva' : pick(random, beginnings) + pick(random, endings),
    attributes: { department: [`d${Math.floor(random() * 50)}`], phone: [String(Math.floor(random() * 1e9))] },
    credentials: [storedPassword()],
    realmRoles: [roleName(0), roleName(1 + Math.floor(random() * (roles - 1)))],
    clientRoles: { [clientName(Math.floor(random() * clients))]: ['use'] },
    // a tenth of the users share the first group
    groups: [...new Set([random() < 0.1 ? paths[0] : pick(random, paths), pick(random, paths)])],
  };
}

/** The large realm without its users, as an export has it. */
function realmFile({ realm, roles, clients, seed }, tree) {
  const names = Array.from({ length: clients }, (_, at) => clientName(at));
  const random = randomOf(seed + 2);
  return {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    roles: {
      realm: Array.from({ length: roles }, (_, at) => ({
        name: roleName(at),
        description: `Role ${at} of the large realm`,
        ...(at > 1 && at % 10 === 0 && { composite: true, composites: { realm: [roleName(at - 1)] } }),
      })),
      client: Object.fromEntries(names.map((name) => [name, [{ name: 'use' }]])),
    },
    groups: tree,
    clients: names.map((clientId, at) => ({
      clientId,
      name: `Application ${at}`,
      enabled: true,
      publicClient: random() < 0.5,
      redirectUris: [`https://${clientId}.example.test/*`],
    })),
  };
}

/**
 * Fills the service. `options` are those of the command line; `tell` hears of each step and its seconds.
 * @param {ReturnType<typeof administrator>} admin
 */
export async function seed(admin, options, tell = () => undefined) {
  const settings = { ...large, seed: 1, batch: 5000, firstRealm: 0, ...options };
  const timed = async (what, work) => {
    const started = performance.now();
    await work();
    tell(what, (performance.now() - started) / 1000);
  };
  const { realm, users, realms, batch, firstRealm } = settings;
  if (users > 0) {
    const paths = [];
    const tree = groupTree(settings, paths);
    await timed(`realm ${realm} with ${settings.groups} groups and ${settings.clients} clients`, () =>
      admin.call('POST', '/', realmFile(settings, tree)),
    );
    await timed(`${users} users`, async () => {
      for (let from = 0; from < users; from += batch) {
        const length = Math.min(batch, users - from);
        const file = Array.from({ length }, (_, at) => user(from + at, settings, paths));
        await admin.call('POST', `/${realm}/partialImport`, { ifResourceExists: 'FAIL', users: file });
      }
    });
  }
  await timed(`${realms - firstRealm} further realms`, async () => {
    for (let at = firstRealm; at < realms; at += 1) {
      const users = [{ username: 'someone', enabled: true, credentials: [storedPassword()] }];
      await admin.call('POST', '/', { realm: smallRealm(at), enabled: true, users });
    }
  });
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://127.0.0.1:8080' },
      user: { type: 'string', default: 'admin' },
      password: { type: 'string', default: 'admin' },
      realm: { type: 'string', default: large.realm },
      ...Object.fromEntries(
        ['users', 'groups', 'clients', 'roles', 'realms'].map((name) => [
          name,
          { type: 'string', default: String(large[name]) },
        ]),
      ),
      seed: { type: 'string', default: '1' },
      batch: { type: 'string', default: '5000' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(help);
  const { url, user, password, help: _, realm, ...counts } = values;
  const numbers = Object.fromEntries(Object.entries(counts).map(([name, text]) => [name, Number(text)]));
  const admin = administrator(url, { user, password });
  await seed(admin, { realm, ...numbers }, (what, seconds) => console.log(`${what}: ${seconds.toFixed(1)} s`));
  admin.close();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
