// @thorough
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';
import { type File, randomFrom } from './edits.js';

// A value of a wrong type in any field of a realm file is refused with the place, or taken as it was meant: never an error.
const realm = 'wrong-types';
const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = 60 * Number(process.env.REALMGATE_ROUNDS ?? 6);

const wrong: readonly unknown[] = [
  7,
  -1.5,
  1e300,
  true,
  'text',
  '',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '../../x',
  null,
  [],
  {},
  [null],
  [[]],
  [{}],
  ['__proto__'],
  { constructor: { prototype: 1 } },
  { a: { b: ['c'] } },
  'x'.repeat(5000),
];

type Path = (string | number)[];

/** The places of all values in a file. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value))
    yield* places(item, [...path, Array.isArray(value) ? Number(name) : name]);
}

/** The words in the name of a field, in the singular: `Role "x" not found` names `realmRoles`. */
const wordsOf = (name: string): string[] =>
  name.split(/(?=[A-Z])|\W/).flatMap((word) => (word.length > 3 ? [word.toLowerCase().replace(/s$/, '')] : []));

function replaced(file: File, path: Path, value: unknown): File {
  const next = structuredClone(file);
  let at = next as Record<string | number, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string | number, unknown>;
  at[path.at(-1) ?? ''] = value;
  return next;
}

/** Two objects of each list are enough. */
function short(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map((item) => short(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, short(item, depth + 1)]));
}

let admin: Caller;
let file: File;
let all: Path[];

beforeAll(async () => {
  const server = await startServer();
  admin = await administrator(server);
  const example = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../examples/acme-realm.json'), 'utf8'),
  ) as File;
  const { id: _id, ...rest } = example;
  const users = (rest.users as File[]).filter((user) => user.serviceAccountClientId === undefined).slice(0, 3);
  expect((await admin.send('POST', '/admin/realms', { ...rest, realm, users })).status).toBe(201);
  const whole = (await admin.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body as File;
  const api = (whole.clients as File[]).filter(({ authorizationSettings }) => authorizationSettings !== undefined);
  file = { ...(short(whole) as File), clients: api.map((client) => short(client)) };
  all = [...places(file)];
});

const modes = { clients: 'KEEP', roles: 'KEEP', clientRoles: 'KEEP', groups: 'KEEP', clientScopes: 'KEEP' };
const rest = { scopeMappings: 'KEEP', authenticationFlows: 'KEEP', identityProviders: 'KEEP', components: 'KEEP' };
const plan = (desired: unknown) =>
  admin.send('POST', `/admin/realms/${realm}/plan`, { desired, modes: { ...modes, ...rest } });

describe('a realm file with a value of a wrong type', () => {
  it(`is planned or refused with the name of the field (${rounds} places, seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const faults: unknown[] = [];
    const seen = { planned: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const path = all[Math.floor(random() * all.length)] as Path;
      const value = wrong[Math.floor(random() * wrong.length)];
      const { status, body } = await plan(replaced(file, path, value));
      seen[status === 200 ? 'planned' : 'refused'] += 1;
      const text = JSON.stringify(body).toLowerCase();
      const isNamed = path.some(
        (name) => typeof name === 'string' && wordsOf(name).some((word) => text.includes(word)),
      );
      const isFine = status === 200 || (status >= 400 && status < 500 && isNamed);
      if (!isFine) faults.push([path.join('.'), JSON.stringify(value)?.slice(0, 60), status, text.slice(0, 300)]);
    }
    expect(faults).toEqual([]);
    expect(seen.planned).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});
