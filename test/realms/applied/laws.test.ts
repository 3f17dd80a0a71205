// @both-databases
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, administrator, type Caller } from '../../support/fixture.js';
import { isThorough } from '../../support/sample.js';
import { startServer } from '../../support/server.js';
import { edited, type File, randomFrom } from '../desired/edits.js';

// Whatever a file changes, the revert of that gives back what was there before, to the last secret and id; and the revert of the
// revert what the file has made of it.
const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = Number(process.env.REALMGATE_ROUNDS ?? (isThorough ? 6 : 1));

let admin: Caller;
beforeAll(async () => {
  admin = await administrator(await startServer());
});

const read = (path: string): File => JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8'));
const modes = { users: 'FULL' };

const apply = (realm: string, desired: unknown): Promise<Answer> =>
  admin.send('POST', `/${realm}/apply`, { desired, modes, allowDeletes: 1000 });
const newest = async (realm: string): Promise<{ id: string; number: number }> =>
  (await admin.send('GET', `/${realm}/applies?max=1`)).body[0];
const exported = async (realm: string): Promise<File> =>
  (await admin.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body;

/** A realm with its ids and secrets, in an order that says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}

/** Plans the revert of the newest apply, and carries it out. Returns the plan. */
async function revertNewest(realm: string): Promise<Answer['body']> {
  const { id } = await newest(realm);
  const plan = await admin.send('GET', `/${realm}/applies/${id}/revert-plan`);
  expect([plan.status, plan.body.warnings]).toEqual([200, []]);
  const { status, body } = await admin.send('POST', `/${realm}/applies/${id}/revert`, {
    expectedDigest: plan.body.digest,
    allowDeletes: plan.body.summary.delete,
  });
  expect([status, body.summary]).toEqual([200, plan.body.summary]);
  return plan.body;
}

describe.each([
  { name: 'acme', path: '../../../examples/acme-realm.json' },
  { name: 'keycloak-15', path: '../exports/keycloak-15.0.2.json' },
  { name: 'keycloak-26', path: '../exports/keycloak-26.0.8.json' },
])('the realm of $name', ({ name, path }) => {
  const realm = `reverts-${name}`;
  beforeAll(async () => {
    const { id: _id, users, ...rest } = read(path);
    const file = { ...rest, realm, users: (users as unknown[])?.slice(0, 20) };
    expect((await admin.send('POST', '/admin/realms', file)).status).toBe(201);
  });

  it.each(Array.from({ length: rounds }, (_, round) => seed + round))(
    'gets back what it was, and again what it became (seed %i)',
    async (number) => {
      const random = randomFrom(number);
      const log: string[] = [];
      const states = [sorted(await exported(realm))];
      for (let step = 0; step < 3; step += 1) {
        const desired = edited(await exported(realm), random, log);
        const { status, body } = await apply(realm, desired);
        expect([log, status, body.errorMessage]).toEqual([log, 200, undefined]);
        if (body.changes.length === 0) continue;
        const after = sorted(await exported(realm));
        await revertNewest(realm);
        expect([log, sorted(await exported(realm))]).toEqual([log, states.at(-1)]);
        await revertNewest(realm);
        expect([log, sorted(await exported(realm))]).toEqual([log, after]);
        states.push(after);
      }
    },
  );

  // policies of the other realms name roles, which therefore cannot go
  it.runIf(name === 'acme')(
    'gets back everything that a file without any users has deleted, what users have of it included',
    async () => {
      const before = await exported(realm);
      const users = before.users as { realmRoles?: string[] }[];
      const held = new Set(users.flatMap(({ realmRoles = [] }) => realmRoles));
      const { realm: ofRealm } = before.roles as { realm: { name: string }[] };
      expect(held.size).toBeGreaterThan(0);
      const desired = { roles: { realm: ofRealm.slice(0, 1) }, groups: [], clients: [] };
      const { status, body } = await admin.send('POST', `/${realm}/apply`, { desired, allowDeletes: 1000 });
      expect([status, body.errorMessage ?? '']).toEqual([200, '']);
      expect(body.summary.delete).toBeGreaterThan(0);
      await revertNewest(realm);
      expect(sorted(await exported(realm))).toEqual(sorted(before));
    },
  );
});
