import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandFile, realmgate } from '../cli/run.js';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { ConnectionLost } from '../support/http.js';
import { sampled } from '../support/sample.js';
import { type ServerProcess, startProcess } from './process.js';

/** How often the server is killed with each size and on each way: KILL_ROUNDS asks for more than the suite does. */
const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const settings = { AUDIT_CHAIN: 'true' };
const realm = 'followed';
const path = `/admin/realms/${realm}`;
const sizes = { small: 3, large: 600 } as const;

let databaseUrl: string;
let count = 0;

/** A realm that differs from that of each other round in users, roles, groups, settings, and clients. */
function desiredOf(round: string, size: number) {
  return {
    realm,
    displayName: round,
    roles: { realm: [{ name: `role-${round}` }] },
    groups: [{ name: `group-${round}` }],
    clients: [{ clientId: `client-${round}`, secret: round }],
    users: Array.from({ length: size }, (_, at) => ({
      username: `${round}-${at}`,
      realmRoles: [`role-${round}`],
      groups: [`/group-${round}`],
    })),
    $realmgate: { modes: { roles: 'FULL', groups: 'FULL', clients: 'KEEP', users: 'KEEP' } },
  };
}

type Desired = ReturnType<typeof desiredOf>;
const bodyOf = ({ $realmgate: { modes }, ...desired }: Desired, more: object = {}) => ({
  desired,
  modes,
  allowDeletes: 10_000,
  ...more,
});

const connect = (server: ServerProcess): Promise<Caller> => administrator(server as never);
/** Whether the work was done before the connection was lost. */
const untilGone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ConnectionLost) return false;
      throw error;
    },
  );

interface Way {
  /** Begins an apply; what it returns says whether it was acknowledged. */
  begin(caller: Caller, desired: Desired, round: string): { done: Promise<boolean>; kill?: () => void };
  repeat(caller: Caller, desired: Desired, round: string): Promise<void>;
}

const overRest = async (caller: Caller, desired: Desired, round: string): Promise<void> => {
  const body = bodyOf(desired, { source: 'https://git.example/x', revision: round });
  const answer = await caller.send('POST', `${path}/apply`, body, { 'idempotency-key': round });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

const overGraphql = async (caller: Caller, desired: Desired, round: string): Promise<void> => {
  const { id } = (await caller.send('GET', path)).body;
  const { desired: json, modes, ...more } = bodyOf(desired, { source: 'https://git.example/x', revision: round });
  const input = { ...more, desired: { json }, modes, id: btoa(`Realm:${id}`), idempotencyKey: round };
  const { data, errors } = await caller.graphql<{ realmApply: { userErrors: object[] } }>(
    'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { message } } }',
    { input },
  );
  expect(errors).toBeUndefined();
  expect(data.realmApply.userErrors).toEqual([]);
};

/** The command writes to the database beside the server. */
function onDatabase(desired: Desired, round: string) {
  const file = join(temporaryFolder(), 'realm.json');
  writeFileSync(file, JSON.stringify(desired));
  const options = ['--yes', '--allow-deletes', '10000', '--source', 'https://git.example/x', '--revision', round];
  return ['apply', file, ...options];
}

const ways: Record<string, Way> = {
  REST: {
    begin: (caller, desired, round) => ({ done: untilGone(overRest(caller, desired, round)) }),
    repeat: overRest,
  },
  GraphQL: {
    begin: (caller, desired, round) => ({ done: untilGone(overGraphql(caller, desired, round)) }),
    repeat: overGraphql,
  },
  'the command line': {
    begin(_caller, desired, round) {
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, DATABASE_URL: databaseUrl, ...settings };
      const child = spawn(process.execPath, [commandFile, ...onDatabase(desired, round)], { env, stdio: 'ignore' });
      return { done: once(child, 'exit').then(([status]) => status === 0), kill: () => void child.kill('SIGKILL') };
    },
    async repeat(_caller, desired, round) {
      expect(await realmgate(onDatabase(desired, round), { DATABASE_URL: databaseUrl, ...settings })).toMatchObject({
        status: 0,
        errors: '',
      });
    },
  },
};

const exported = async (caller: Caller) => (await caller.send('GET', `${path}/export?users=true&secrets=true`)).body;
const appliesOf = async (caller: Caller): Promise<{ id: string; revision?: string }[]> =>
  (await caller.send('GET', `${path}/applies?max=1000`)).body;
const changesOf = async (caller: Caller, desired: Desired): Promise<object[]> => {
  const { status, body } = await caller.send('POST', `${path}/plan`, bodyOf(desired));
  expect(status).toBe(200);
  return body.changes;
};

/** Kills an apply at a moment within `patience` milliseconds, and returns whether it was acknowledged. */
async function killDuring(way: Way, desired: Desired, round: string, patience: number): Promise<boolean> {
  const server = await startProcess(databaseUrl, { settings });
  const { done, kill = server.kill } = way.begin(await connect(server), desired, round);
  await Promise.race([pause(Math.random() * patience), done]);
  await kill();
  const isDone = await done;
  await server.kill();
  return isDone;
}

describe.skipIf(!existsSync('dist/main.js'))('an apply that is killed', () => {
  beforeAll(async () => {
    databaseUrl = await preparedDatabaseUrl();
    const server = await startProcess(databaseUrl, { settings });
    const caller = await connect(server);
    const made = await caller.send('POST', '/admin/realms', {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
    });
    expect(made.status).toBe(201);
    // a realm makes its keys when it needs them first, which a plan does: they are no part of an apply
    expect((await caller.send('GET', `${path}/keys`)).status).toBe(200);
    await server.kill();
  }, 60_000);

  const cases = Object.keys(ways).flatMap((way) =>
    Object.entries(sizes).flatMap(([name, size]) =>
      Array.from({ length: rounds }, (_, at) => [way, name, size, at + 1] as const),
    ),
  );
  it.each(sampled(cases, 2))(
    'by %s leaves the realm as before or wholly applied: %s, %i users, round %i',
    async (wayName, _name, size) => {
      count += 1;
      const round = `round-${count}`;
      const way = ways[wayName] as Way;
      const desired = desiredOf(round, size);
      const first = await startProcess(databaseUrl, { settings });
      const before = await exported(await connect(first));
      const appliesBefore = await appliesOf(await connect(first));
      await first.kill();
      // the command needs a second to start
      const patience = (size > 100 ? 1500 : 150) + (wayName === 'the command line' ? 1000 : 0);
      const isAcknowledged = await killDuring(way, desired, round, patience);

      const server = await startProcess(databaseUrl, { settings });
      const caller = await connect(server);
      const applies = await appliesOf(caller);
      const isApplied = applies.length > appliesBefore.length;
      if (isAcknowledged) expect(isApplied).toBe(true);
      if (!isApplied) expect(await exported(caller)).toEqual(before);
      if (isApplied) expect(await changesOf(caller, desired)).toEqual([]);
      const managed = (await caller.send('GET', `${path}/managed`)).body;
      if (isApplied) expect(managed.revision).toBe(round);
      else expect(managed.revision).not.toBe(round);

      // the same request again has the one effect, whether the first had it or not
      await way.repeat(caller, desired, round);
      expect(await changesOf(caller, desired)).toEqual([]);
      expect(await appliesOf(caller)).toHaveLength(appliesBefore.length + 1);
      expect((await caller.send('GET', `${path}/managed`)).body.revision).toBe(round);
      const drifted = await caller.send('POST', `${path}/roles`, { name: `by-hand-${round}` });
      expect(drifted.status).toBe(201);
      expect(await changesOf(caller, desired)).toMatchObject([{ action: 'DELETE', key: `by-hand-${round}` }]);
      expect((await caller.send('DELETE', `${path}/roles/by-hand-${round}`)).status).toBe(204);

      const [newest] = await appliesOf(caller);
      const revert = await caller.send('POST', `${path}/applies/${newest?.id}/revert`, { allowDeletes: 10_000 });
      expect(revert.status, JSON.stringify(revert.body)).toBe(200);
      expect(await exported(caller)).toEqual(before);
      await server.kill();
      const verdict = await realmgate(['verify-audit'], { DATABASE_URL: databaseUrl, ...settings });
      expect(verdict.status, verdict.output + verdict.errors).toBe(0);
    },
    120_000,
  );
});
