// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { expectNothingByHalves } from './halves.js';
import { head, type RawClient, rawClient } from './socket.js';

const places = 2;
const patience = { timeout: 20_000 };
/** Longer than what node:http takes in unasked, so that a request without its end is in work. */
const bodyBytes = 100_000;

let server: TestServer;
let caller: Caller;

beforeAll(async () => {
  ({ server, admin: caller } = await startWithRealm(
    { realm: 'crowd', enabled: true, adminEventsEnabled: true },
    { maxConcurrentRequests: places, maxQueuedRequests: 1, databasePool: 2 },
  ));
  caller = await administrator(server);
});

const user = (username: string): string => {
  const text = JSON.stringify({ username, attributes: { note: ['n'.repeat(200)] } });
  return text + ' '.repeat(bodyBytes - text.length);
};

/** Takes every place with requests that do not end before the returned function has sent what they lack. */
async function occupy(names: string[]): Promise<{ clients: RawClient[]; finish(): void }> {
  const clients = await Promise.all(
    names.map((name) =>
      rawClient(server, head('POST', '/auth/crowd/users', caller.token, bodyBytes) + user(name).slice(0, 50_000)),
    ),
  );
  await expect.poll(() => counted('running'), patience).toBe(places);
  return {
    clients,
    finish: () => names.forEach((name, at) => void clients[at]?.socket.write(user(name).slice(50_000))),
  };
}

/** A number that the server tells to those who watch. */
async function counted(what: 'running' | 'waiting'): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^realmgate_requests_${what}\\{kind="requests"\\} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** Status of the answer; 0 for none. */
const request = (method: string, signal?: AbortSignal, path = '/crowd/roles'): Promise<number> =>
  fetch(`${server.url}/auth${path}`, {
    method,
    headers: { authorization: `Bearer ${caller.token}` },
    ...(signal && { signal }),
  }).then(
    ({ status }) => status,
    () => 0,
  );

const userNames = async (): Promise<string[]> => {
  const { body } = await caller.send('GET', '/crowd/users?max=1000');
  return (body as { username: string }[]).map(({ username }) => username);
};

describe('a server that has as many requests as it takes', () => {
  it('refuses further ones in the form of each surface, and serves again afterwards', async () => {
    const { clients, finish } = await occupy(['first', 'second']);
    const waiting = request('GET');
    await expect.poll(() => counted('waiting'), patience).toBe(1);
    const [rest, graphql, metadata] = await Promise.all([
      caller.send('POST', '/crowd/users', { username: 'refused' }),
      fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${caller.token}` },
        body: JSON.stringify({ query: '{ realm(name: "crowd") { name } }' }),
      }),
      fetch(`${server.url}/auth/realms/crowd/.well-known/openid-configuration`),
    ]);
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '1']);
    expect(rest.body).toEqual({ errorMessage: expect.any(String) });
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await graphql.json()).toEqual({ errors: [{ message: expect.any(String), extensions: { code: 'BUSY' } }] });
    expect([metadata.status, metadata.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await metadata.json()).toMatchObject({ error: 'temporarily_unavailable' });

    // those who watch are answered, and so are those who log in
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(server.url + path)).status).toBe(200);
    }
    await administrator(server);

    finish();
    await expect
      .poll(() => clients.map((client) => client.received().slice(0, 12)))
      .toEqual(Array.from({ length: places }, () => 'HTTP/1.1 201'));
    // it may have waited for too long meanwhile
    expect([200, 503]).toContain(await waiting);
    expect(await request('GET')).toBe(200);
    expect((await userNames()).toSorted()).toEqual(['first', 'second']);
  });

  it('does not begin what has lost its client in line', async () => {
    await caller.send('POST', '/crowd/roles', { name: 'kept' });
    const { clients, finish } = await occupy(['third', 'fourth']);
    const abort = new AbortController();
    const lost = request('DELETE', abort.signal, '/crowd/roles/kept');
    await expect.poll(() => counted('waiting'), patience).toBe(1);
    abort.abort();
    expect(await lost).toBe(0);
    await expect.poll(() => counted('waiting'), patience).toBe(0);
    finish();
    await expect
      .poll(() => clients.filter((client) => client.received().includes(' 201 ')), patience)
      .toHaveLength(places);
    expect(await request('GET', undefined, '/crowd/roles/kept')).toBe(200);
  });
});

describe('clients that hang up', () => {
  it('in the middle of their body give their places back', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { clients } = await occupy([`gone-${round}`, `away-${round}`]);
      for (const { socket } of clients) socket.destroy();
      await expect.poll(() => counted('running'), patience).toBe(0);
    }
    expect((await userNames()).filter((name) => /gone|away/.test(name))).toEqual([]);
  });

  it('in the middle of a write leave all of it or nothing, and every connection usable', async () => {
    const send = async (at: number): Promise<void> => {
      const text = JSON.stringify({ username: `hasty-${at}`, enabled: true });
      const request = head('POST', '/auth/crowd/users', caller.token, text.length) + text;
      const { socket } = await rawClient(server, request);
      await new Promise((resume) => setTimeout(resume, at % 12));
      socket.destroy();
    };
    for (let at = 0; at < 60; at += 3) await Promise.all([send(at), send(at + 1), send(at + 2)]);
    await expect.poll(() => counted('running'), patience).toBe(0);
    // a request of a client that is gone may still be on its way in
    const found = () => expectNothingByHalves(server.database, 'crowd', []).then(() => 'whole', String);
    await expect.poll(found, patience).toBe('whole');
    await Promise.all(Array.from({ length: 8 }, () => server.database.transaction((tx) => tx.realm.count())));
  });
});
