// @both-databases
import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';
import { createWorld, type World } from '../random-writes/world.js';
import { randomWrite } from '../random-writes/writes.js';

// Whatever writes over REST make of a realm: it can be exported, its export changes nothing of it, and makes the same realm elsewhere.
// REALMGATE_SEED=7 REALMGATE_ROUNDS=1 repeats the round of a seed.
const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = Number(process.env.REALMGATE_ROUNDS ?? 1);
const writes = 60;
/** Accepted writes between two looks at the realm. */
const every = 6;

let admin: Caller;
beforeAll(async () => {
  admin = await administrator(await startServer());
});

/** What is wrong with the realm; nothing if it is as its own exports say. */
async function faultsOf(world: World): Promise<unknown[]> {
  const masked = await world.send('GET', '/export?users=true');
  const whole = await world.send('GET', '/export?users=true&secrets=true');
  if (masked.status !== 200 || whole.status !== 200) return [masked, whole];
  const plans = [
    { desired: masked.body },
    { desired: masked.body, modes: { users: 'FULL' } },
    { desired: whole.body },
    { desired: {} },
  ];
  for (const input of plans) {
    const { status, body } = await world.send('POST', '/plan', input);
    const { changes = [], warnings = [] } = body;
    // a provider can be renamed without its mappers: their names have no effect in the realm either
    const told = warnings.filter((warning: string) => !warning.includes('has no effect'));
    if (status !== 200 || changes.length + told.length > 0) return [status, body];
  }
  return [];
}

it.each(Array.from({ length: rounds }, (_, round) => seed + round))(
  'a realm after random writes is as its own export says, seed %i',
  async (own) => {
    const world = await createWorld(admin, `random-${own}`, own);
    let accepted: string[] = [];
    const count = { accepted: 0 };
    for (let at = 0; at < writes; at += 1) {
      if (at % 8 === 0) await world.refresh();
      const sent = await randomWrite(world);
      if (!sent) continue;
      expect(sent.answer.status, `${sent.line} ${JSON.stringify(sent.answer.body)}`).toBeLessThan(500);
      if (sent.answer.status < 300) accepted.push(sent.line);
      if (accepted.length < every && at < writes - 1) continue;
      expect(await faultsOf(world), `after ${accepted.join('\n')}`).toEqual([]);
      count.accepted += accepted.length;
      accepted = [];
    }
    // a generator whose writes are all refused shows nothing
    expect(count.accepted).toBeGreaterThan(writes / 10);

    const { id: _, ...file } = (await world.send('GET', '/export?users=true&secrets=true')).body;
    const elsewhere = `${world.name}-elsewhere`;
    const input = { desired: { ...file, realm: elsewhere }, modes: { users: 'FULL' }, allowDeletes: 1000 };
    expect((await admin.send('POST', '/admin/realms', { realm: elsewhere, enabled: true })).status).toBe(201);
    const applied = await admin.send('POST', `/admin/realms/${elsewhere}/apply`, input);
    expect(applied.status, JSON.stringify(applied.body)).toBe(200);
    const again = await admin.send('POST', `/admin/realms/${elsewhere}/plan`, input);
    expect([again.status, again.body.changes ?? again.body]).toEqual([200, []]);
  },
  60_000,
);
