import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../../support/fixture.js';
import { startServer } from '../../support/server.js';
import { createWorld } from '../random-writes/world.js';
import { randomWrite } from '../random-writes/writes.js';
import { keepEverything } from './keep-everything.js';

// A realm that refuses changes by hand of what its file describes keeps its promise for every write over REST, whatever object that names.
// REALMGATE_SEED=7 REALMGATE_ROUNDS=1 repeats the round of a seed.
const seed = Number(process.env.REALMGATE_SEED ?? 2);
const rounds = Number(process.env.REALMGATE_ROUNDS ?? 1);
const writes = 60;

let admin: Caller;
beforeAll(async () => {
  admin = await administrator(await startServer());
});

it.each(Array.from({ length: rounds }, (_, round) => seed + round))(
  'no accepted write changes what the file of a realm describes, seed %i',
  async (own) => {
    const world = await createWorld(admin, `refusing-${own}`, own);
    const { attributes } = (await world.send('GET', '')).body;
    expect((await world.send('PUT', '', { attributes: { ...attributes, managedChanges: 'refuse' } })).status).toBe(204);
    const desired = (await world.send('GET', '/export?users=true')).body;
    const followed = await world.send('POST', '/apply', {
      desired,
      modes: keepEverything,
      source: 'https://git.example/x',
    });
    expect([followed.status, followed.body.changes]).toEqual([200, []]);
    let refused = 0;
    for (let at = 0; at < writes; at += 1) {
      if (at % 8 === 0) await world.refresh();
      const sent = await randomWrite(world);
      if (!sent) continue;
      const { status, body } = sent.answer;
      expect(status, `${sent.line} ${JSON.stringify(body)}`).toBeLessThan(500);
      if (status === 409) refused += 1;
      if (status >= 300) continue;
      const { body: plan } = await world.send('POST', '/plan', { desired, modes: keepEverything });
      expect(plan.changes, sent.line).toEqual([]);
    }
    // a generator whose writes are about nothing that the file describes shows nothing
    expect(refused).toBeGreaterThan(writes / 10);

    // the way back is that of who may apply
    expect((await world.send('DELETE', '/managed')).status).toBe(204);
    expect((await world.send('PUT', '', { displayName: 'By hand' })).status).toBe(204);
  },
  60_000,
);

it('parts of flows are refused on every way to them', async () => {
  const world = await createWorld(admin, 'refusing-parts', 1);
  const read = async (path: string) => (await world.send('GET', path)).body;
  await world.send('POST', '/authentication/flows', { alias: 'free', providerId: 'basic-flow', topLevel: true });
  const flow = (await read('/authentication/flows')).find(({ alias }: { alias: string }) => alias === 'own');
  const { attributes, authenticationFlows } = await read('/export');
  await world.send('PUT', '', { attributes: { ...attributes, managedChanges: 'refuse' } });
  const desired = {
    authenticationFlows: authenticationFlows.filter(({ alias }: { alias: string }) => ['own', 'below'].includes(alias)),
  };
  const followed = await world.send('POST', '/apply', {
    desired,
    modes: keepEverything,
    source: 'https://git.example/x',
  });
  expect(followed.status).toBe(200);
  const executions = await read('/authentication/flows/own/executions');
  const [below, redirector] = executions;
  const changed = { ...redirector, requirement: redirector.requirement === 'DISABLED' ? 'ALTERNATIVE' : 'DISABLED' };
  const { id } = redirector;
  for (const [method, path, body] of [
    // the path names a flow that the file does not have
    ['PUT', '/authentication/flows/free/executions', changed],
    ['PUT', '/authentication/flows/own/executions', changed],
    ['POST', `/authentication/executions/${id}/raise-priority`, undefined],
    ['POST', `/authentication/executions/${id}/config`, { alias: 'c', config: {} }],
    ['POST', '/authentication/flows/own/executions/execution', { provider: 'auth-cookie' }],
    ['DELETE', `/authentication/executions/${id}`, undefined],
    ['DELETE', `/authentication/executions/${below.id}`, undefined],
    ['DELETE', `/authentication/flows/${flow.id}`, undefined],
  ] as const) {
    const { status } = await world.send(method, path, body);
    expect([method, path, status]).toEqual([method, path, 409]);
  }
  expect((await world.send('POST', '/plan', { desired, modes: keepEverything })).body.changes).toEqual([]);
});
