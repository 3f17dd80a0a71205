// @both-databases
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { operatorContext } from '../../../src/cli/with-services.js';
import { perform, performWrite } from '../../../src/services/core/perform.js';
import { Refusal } from '../../../src/services/core/refusal.js';
import * as operations from '../../../src/services/realms/desired/operations.js';
import type { Plan } from '../../../src/services/realms/desired/plan.js';
import { realmByName } from '../../../src/services/realms/locate.js';
import { administrator, type Caller } from '../../support/fixture.js';
import { isThorough } from '../../support/sample.js';
import { startServer, type TestServer } from '../../support/server.js';
import { comparable } from '../comparable.js';
import { edited, type File, randomFrom } from './edits.js';
import { storageType } from './makers.js';

const examples = join(import.meta.dirname, '../../../examples');
const exports = join(import.meta.dirname, '../exports');
const read = (folder: string, name: string): File => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = Number(process.env.REALMGATE_ROUNDS ?? (isThorough ? 6 : 1));

let server: TestServer;
let admin: Caller;
beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

const exported = async (realm: string): Promise<File> =>
  (await admin.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body;

/** The answer of an operation: 200 with its result, or 400 with the text of a refusal. */
async function answered(work: Promise<Plan>): Promise<{ status: number; body: Plan & { refusal?: string } }> {
  try {
    return { status: 200, body: await work };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 400, body: { refusal: error.message } as never };
  }
}

const plan = (realm: string, desired: unknown, more: object = {}) => {
  const ctx = operatorContext(server.services);
  const locate = async () => ({ realm: await realmByName(ctx, realm) });
  return answered(perform(ctx, operations.plan, locate, { desired, ...more }));
};
const apply = (realm: string, desired: unknown, more: object = {}) => {
  const ctx = operatorContext(server.services);
  const locate = async () => ({ realm: await realmByName(ctx, realm) });
  const input = { desired, allowDeletes: 1000, modes: { users: 'FULL' }, ...more };
  return answered(performWrite(ctx, operations.apply, locate, input).then(({ result }) => result));
};

const nothing = { create: 0, update: 0, delete: 0 };

/** A change in one line, for messages of failures. */
const lineOf = ({ action, kind, key, fields }: Plan['changes'][number]): string =>
  `${action} ${kind} ${key} ${fields.map(({ path }) => path.join('.')).join(', ')}`;

async function expectNoChange(realm: string, desired: File, log: string[] = []): Promise<void> {
  const { status, body } = await plan(realm, desired, { modes: { users: 'FULL' } });
  expect([log, status, body.changes?.map(lineOf) ?? body]).toEqual([log, 200, []]);
  expect(body.summary).toMatchObject(nothing);
}

describe.each([
  { name: 'acme', file: () => read(examples, 'acme-realm.json') },
  { name: 'keycloak 15', file: () => read(exports, 'keycloak-15.0.2.json') },
  { name: 'keycloak 26', file: () => read(exports, 'keycloak-26.0.8.json') },
])('the realm of $name', ({ name, file }) => {
  const realm = `laws-${name.replaceAll(' ', '-')}`;
  let original: File;

  beforeAll(async () => {
    const { id: _id, users, ...rest } = file();
    // few users are enough
    const { status, body } = await admin.send('POST', '/admin/realms', {
      ...rest,
      realm,
      users: (users as unknown[])?.slice(0, 20),
    });
    expect([status, body]).toEqual([201, '']);
    original = await exported(realm);
  });

  it('is as its own export says, with and without secrets', async () => {
    await expectNoChange(realm, original);
    const masked = (await admin.send('GET', `/admin/realms/${realm}/export`)).body;
    await expectNoChange(realm, masked);
  });

  it('is what the file says that made it', async () => {
    const { id: _id, realm: _realm, users: _users, ...rest } = file();
    const { status, body } = await plan(realm, rest, {
      modes: { clients: 'KEEP', roles: 'KEEP', clientRoles: 'KEEP' },
    });
    expect([status, body.summary ?? body]).toEqual([200, expect.objectContaining({ create: 0, delete: 0 })]);
  });

  it('becomes an empty realm of another name, and the other way round', async () => {
    const empty = `${realm}-empty`;
    expect((await admin.send('POST', '/admin/realms', { realm: empty, enabled: true })).status).toBe(201);
    const before = await exported(empty);
    const { id: _id, ...copy } = original;
    const filled = await apply(empty, { ...copy, realm: empty });
    expect([filled.status, filled.body.summary ?? filled.body]).toEqual([200, expect.anything()]);
    await expectNoChange(empty, { ...copy, realm: empty });
    const filledRealm = await exported(empty);
    // built-in flows stay, also those that a newer version has no more
    const same = { realm, authenticationFlows: null, authenticatorConfig: null };
    expect(comparable({ ...filledRealm, ...same })).toEqual(comparable({ ...original, ...same }));
    const emptied = await apply(empty, {
      users: [],
      groups: [],
      identityProviders: [],
      identityProviderMappers: [],
      ...before,
    });
    expect([emptied.status, emptied.body.summary ?? emptied.body]).toEqual([200, expect.anything()]);
    await expectNoChange(empty, before);
  });

  it.each(Array.from({ length: rounds }, (_, round) => seed + round))(
    'follows random changes, and goes back (seed %i)',
    async (number) => {
      const random = randomFrom(number);
      const log: string[] = [];
      let desired = original;
      for (let step = 0; step < 3; step += 1) {
        desired = edited(desired, random, log);
        const planned = await plan(realm, desired, { modes: { users: 'FULL' } });
        expect([log, planned.status, planned.status === 200 ? '' : planned.body]).toEqual([log, 200, '']);
        const { status, body } = await apply(realm, desired, { expectedDigest: planned.body.digest });
        expect([log, status, body.summary ?? body]).toEqual([log, 200, planned.body.summary]);
        await expectNoChange(realm, desired, log);
        desired = await exported(realm);
        await expectNoChange(realm, desired, log);
      }
      // an export lacks these kinds where the realm has none, and what a file lacks stays
      const { status, body } = await apply(realm, {
        localizationTexts: {},
        webhooks: [],
        authenticatorConfig: [],
        ...original,
        components: { [storageType]: [], ...(original.components as object) },
      });
      expect([log, status, body.summary ?? body]).toEqual([log, 200, expect.anything()]);
      expect(comparable(await exported(realm))).toEqual(comparable(original));
    },
  );

  it.each(Array.from({ length: rounds }, (_, round) => seed + round))(
    'becomes what a file says also object by object (seed %i)',
    async (number) => {
      const random = randomFrom(number);
      const log: string[] = [];
      for (let step = 0; step < 2; step += 1) {
        const desired = edited(await exported(realm), random, log);
        for (;;) {
          const { changes } = (await plan(realm, desired, { modes: { users: 'FULL' } })).body;
          const one = changes[Math.floor(random() * changes.length)];
          if (!one) break;
          const targets = [{ kind: one.kind, key: one.key }];
          const { status, body } = await apply(realm, desired, { targets });
          expect([log, one.key, status, body.changes ?? body]).toEqual([
            log,
            one.key,
            200,
            expect.arrayContaining([expect.objectContaining({ kind: one.kind, key: one.key, action: one.action })]),
          ]);
          expect(body.omitted).toBeLessThan(changes.length);
        }
        await expectNoChange(realm, desired, log);
      }
      expect((await apply(realm, original)).status).toBe(200);
    },
  );

  it('is refused as a whole: more deletions than allowed, another plan, a name that stands for nothing', async () => {
    const { clients, ...rest } = original as { clients: { clientId: string }[] };
    const extra = { ...rest, clients: [...clients, { clientId: 'one-too-many' }] };
    expect((await apply(realm, extra)).status).toBe(200);
    const deletes = await apply(realm, original, { allowDeletes: 0 });
    expect(deletes.body.refusal).toContain('would delete 1 object,');
    expect((await apply(realm, original, { expectedDigest: 'of another plan' })).body.refusal).toContain(
      'make a new plan',
    );
    const unknown = { groups: [{ name: 'g', realmRoles: ['nobody-has-this'] }] };
    expect((await apply(realm, unknown)).body.refusal).toBe('Role "nobody-has-this" not found');
    expect((await plan(realm, { realm: 'another' })).body.refusal).toContain('describes the realm "another"');
    await expectNoChange(realm, extra);
    expect((await apply(realm, original)).body.summary).toMatchObject({ create: 0, update: 0, delete: 1 });
  });

  it('keeps what a file of one kind does not have', async () => {
    const added = { clientScopes: [{ name: 'only-this', protocol: 'openid-connect' }] };
    const { body } = await plan(realm, added, { modes: { clientScopes: 'KEEP' } });
    expect(body.summary).toMatchObject({ create: 1, update: 0, delete: 0 });
    expect(body.changes.map(({ kind, key }) => [kind, key])).toEqual([['CLIENT_SCOPE', 'only-this']]);
  });
});
