// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

// Two instances on one database, and many writers at the same moment.
let instances: [Caller, Caller];

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const servers = [await startServer({ databaseUrl }, Date.now), await startServer({ databaseUrl }, Date.now)] as const;
  instances = [await administrator(servers[0]), await administrator(servers[1])];
  const answer = await instances[0].send('POST', '/', { realm: 'busy', enabled: true });
  expect(answer.status).toBe(201);
});

const spread = <T>(count: number, work: (instance: Caller, at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(instances[at % 2] as Caller, at)));

describe('concurrent writers', () => {
  it('that compare versions lose no update', async () => {
    await instances[0].send('POST', '/busy/roles', { name: 'counter', attributes: { count: ['0'] } });
    const increment = async (instance: Caller): Promise<void> => {
      for (;;) {
        const read = await instance.send('GET', '/busy/roles/counter');
        const next = String(Number(read.body.attributes.count[0]) + 1);
        const change = { name: 'counter', attributes: { count: [next] } };
        const written = await instance.send('PUT', '/busy/roles/counter', change, {
          'if-match': read.headers.get('etag') ?? '',
        });
        if (written.status === 204) return;
        expect(written.status).toBe(412);
      }
    };
    await spread(12, increment);
    const { body } = await instances[1].send('GET', '/busy/roles/counter');
    expect(body.attributes.count).toEqual(['12']);
  });

  it('of different settings of one realm keep all of them', async () => {
    const settings = {
      accessTokenLifespan: 61,
      ssoSessionIdleTimeout: 62,
      failureFactor: 63,
      accessCodeLifespan: 64,
      rememberMe: true,
      notBefore: 66,
    };
    const answers = await spread(6, (instance, at) => {
      const [name, value] = Object.entries(settings)[at] as [string, unknown];
      return instance.send('PUT', '/busy', { [name]: value });
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204));
    await expect.poll(async () => (await instances[1].send('GET', '/busy')).body).toMatchObject(settings);
  });

  it('of one name make one role, and all others hear of the conflict', async () => {
    const answers = await spread(10, (instance) => instance.send('POST', '/busy/roles', { name: 'wanted' }));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });

  it('with one idempotency key write once, and get the same answer', async () => {
    const key = { 'idempotency-key': 'once-only' };
    const answers = await spread(6, (instance) => instance.send('POST', '/busy/roles', { name: 'keyed' }, key));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    const misused = await instances[0].send('POST', '/busy/roles', { name: 'something else' }, key);
    expect(misused.status).toBe(422);
  });

  it('of composites of one role keep all of them', async () => {
    await instances[0].send('POST', '/busy/roles', { name: 'whole' });
    const ids = await spread(8, async (instance, at) => {
      await instance.send('POST', '/busy/roles', { name: `part-${at}` });
      return (await instance.send('GET', `/busy/roles/part-${at}`)).body.id;
    });
    const answers = await spread(8, (instance, at) =>
      instance.send('POST', '/busy/roles/whole/composites', [{ id: ids[at] }]),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect((await instances[0].send('GET', '/busy/roles/whole/composites')).body).toHaveLength(8);
  });
});
