// @both-databases
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { modelNames } from '../../../src/database/model.js';
import { Prisma } from '../../../src/database/prisma.js';
import { startProcess } from '../../faults/process.js';
import { dialect, preparedDatabaseUrl } from '../../support/database.js';
import { administrator, type Caller } from '../../support/fixture.js';
import { isThorough, sampled } from '../../support/sample.js';
import { startServer, type TestServer } from '../../support/server.js';
import { comparable } from '../comparable.js';
import { edited, type File, randomFrom } from './edits.js';

// An apply is all or nothing: whatever write of it fails, whoever else applies, and when the process ends.
const realm = 'atomic';
const example = join(import.meta.dirname, '../../../examples/acme-realm.json');
const seed = Number(process.env.REALMGATE_SEED ?? 1);

let databaseUrl: string;
let server: TestServer;
let admin: Caller;
let original: File;
let realmId: string;

const exported = async (caller = admin): Promise<File> =>
  (await caller.send('GET', `/admin/realms/${realm}/export?secrets=true`)).body;
const options = { allowDeletes: 1000, modes: { users: 'FULL' } };
const apply = (desired: File, more: object = {}, headers: Record<string, string> = {}, caller = admin) =>
  caller.send('POST', `/admin/realms/${realm}/apply`, { desired, ...options, ...more }, headers);
const plan = (desired: File, caller = admin) =>
  caller.send('POST', `/admin/realms/${realm}/plan`, { desired, modes: options.modes });
const events = () => server.database.read.adminEvent.count({ where: { realmId } });

/** A realm file with random changes of all kinds. */
function changed(file: File, from: number, times = 8): File {
  const random = randomFrom(from);
  let next = file;
  for (let at = 0; at < times; at += 1) next = edited(next, random, []);
  return next;
}

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  server = await startServer({ databaseUrl });
  admin = await administrator(server);
  const { id: _id, users, ...rest } = JSON.parse(readFileSync(example, 'utf8')) as File;
  const { status } = await admin.send('POST', '/admin/realms', {
    ...rest,
    realm,
    adminEventsEnabled: true,
    users: (users as unknown[]).slice(0, 20),
  });
  expect(status).toBe(201);
  // what the file changes later is there already
  const first = await apply(changed(await exported(), seed));
  expect([first.status, first.body.summary ?? first.body]).toEqual([200, expect.anything()]);
  original = await exported();
  realmId = String(original.id);
});

const execute = (sql: string) => server.database.transaction((tx) => tx.execute(Prisma.raw(sql)));
const actions = ['INSERT', 'UPDATE', 'DELETE'] as const;
type Action = (typeof actions)[number];

/** Has the database refuse what is done to a table, until `mended`. */
async function broken(table: string, action: Action): Promise<void> {
  await execute(
    dialect === 'sqlite'
      ? `CREATE TRIGGER "fault" BEFORE ${action} ON "${table}" BEGIN SELECT RAISE(ABORT, 'fault'); END`
      : `CREATE TRIGGER "fault" BEFORE ${action} ON "${table}" FOR EACH ROW EXECUTE FUNCTION fault()`,
  );
}

const mended = (table: string) =>
  execute(dialect === 'sqlite' ? 'DROP TRIGGER "fault"' : `DROP TRIGGER "fault" ON "${table}"`);

describe('an apply that fails', () => {
  let desired: File;
  const reached: string[] = [];
  const committed = new Set(['INSERT AdminEvent', 'INSERT Change']);

  beforeAll(async () => {
    desired = changed(original, seed + 1);
    if (dialect === 'sqlite') return;
    await execute(
      `CREATE FUNCTION fault() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'fault'; END $$ LANGUAGE plpgsql`,
    );
  });

  const writes = modelNames().flatMap((table) => actions.map((action) => [action, table] as const));
  // these are in every apply
  const sure = ['UPDATE Realm', 'INSERT AdminEvent', 'INSERT Change'];
  const isSure = ([action, table]: readonly [string, string]) => sure.includes(`${action} ${table}`);
  it.each([
    ...writes.filter(isSure),
    ...sampled(
      writes.filter((write) => !isSure(write)),
      24,
    ),
  ])('at %s of %s leaves the realm as it was', async (action, table) => {
    const before = await events();
    await broken(table, action);
    try {
      const { status } = await apply(desired, {}, { prefer: 'dry-run' });
      // PostgreSQL gets the records of a write with its commit, which a dry run does not reach
      if (status === 200 && !committed.has(`${action} ${table}`)) return expect(status).toBe(200);
      reached.push(`${action} ${table}`);
      const answer = await apply(desired);
      expect([table, answer.status]).not.toEqual([table, 200]);
      expect(JSON.stringify(answer.body)).not.toContain('fault');
    } finally {
      await mended(table);
    }
    // an export with secrets is recorded
    expect(await events()).toBe(before);
    expect(comparable(await exported())).toEqual(comparable(original));
  });

  it('was tried at many writes, and is possible without a fault', async () => {
    expect(reached).toEqual(expect.arrayContaining(sure));
    expect(reached.length).toBeGreaterThan(isThorough ? 12 : 4);
    expect((await apply(desired)).status).toBe(200);
    expect((await plan(desired)).body.changes).toEqual([]);
  });
});

describe('two applies at the same time', () => {
  it('with the same digest: one is carried out, and the other is stale', async () => {
    const other = dialect === 'postgresql' ? await startServer({ databaseUrl }) : server;
    const callers = [admin, await administrator(other)];
    for (let round = 0; round < 4; round += 1) {
      const desired = changed(await exported(), seed + 10 + round);
      const { body } = await plan(desired);
      expect(body.changes.length).toBeGreaterThan(0);
      const expected = { expectedDigest: body.digest };
      const answers = await Promise.all(callers.map((caller) => apply(desired, expected, {}, caller)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      expect((await plan(desired)).body.changes).toEqual([]);
    }
  });

  it('with one idempotency key: one is carried out, and the other has its answer', async () => {
    const desired = changed(await exported(), seed + 20);
    const key = { 'idempotency-key': 'an apply' };
    const answers = await Promise.all([apply(desired, {}, key), apply(desired, {}, key)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(answers[0]?.body.changes.length).toBeGreaterThan(0);
  });
});

describe.runIf(existsSync('dist/main.js'))('an apply that was acknowledged', () => {
  it('is there after the process was killed', async () => {
    const url = await preparedDatabaseUrl();
    const first = await startProcess(url);
    const caller = await administrator(first as never);
    const { id: _id, users: _users, ...rest } = original;
    expect((await caller.send('POST', '/admin/realms', { realm, enabled: true })).status).toBe(201);
    // a token from before the realm was made lacks its roles
    const applier = await administrator(first as never);
    const done = await apply(rest, {}, {}, applier);
    await first.kill();
    expect([done.status, done.body.summary ?? done.body]).toEqual([200, expect.anything()]);
    const second = await startProcess(url);
    const { status, body } = await plan(rest, await administrator(second as never));
    expect([status, body.changes]).toEqual([200, []]);
  });
});
