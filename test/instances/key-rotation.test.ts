import { decodeProtectedHeader } from 'jose';
import { beforeAll, expect, it } from 'vitest';
import { startProcess } from '../faults/process.js';
import { logIn, realm, refresh, representation, type Tokens, userInfo } from '../sessions/world.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

// Keys change on one process while both give out and take tokens.
let one: TestServer;
let other: TestServer;
let admin: Caller;
const soon = { timeout: 1500, interval: 20 };
const providerType = 'org.keycloak.keys.KeyProvider';
const providerId = 'rsa-generated';

beforeAll(async () => {
  const databaseUrl = await preparedDatabaseUrl();
  // nothing but the address is used of them
  const start = async () => ({ url: (await startProcess(databaseUrl)).url }) as TestServer;
  one = await start();
  other = await start();
  admin = await administrator(one);
  const world = { ...representation(), passwordPolicy: 'hashIterations(1)' };
  expect((await admin.send('POST', '/', world)).status).toBe(201);
});

const kidOf = ({ access_token }: Tokens): string => decodeProtectedHeader(access_token).kid ?? '';

interface Refused {
  kid: string;
  status: unknown;
}

/** Logs in on one process and uses the tokens on both, until it is told to stop. */
function load(at: TestServer, held: Tokens) {
  const refused: Refused[] = [];
  const counts = new Map<string, number>();
  let holds = true;
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      const tokens = await logIn(at, 'ann');
      const used = holds ? [tokens, held] : [tokens];
      for (const each of used) {
        for (const server of [one, other]) {
          const status = await userInfo(server, each);
          if (status !== 200 && (each !== held || holds)) refused.push({ kid: kidOf(each), status });
        }
      }
      const renewed = await refresh(at === one ? other : one, tokens);
      if (renewed.error) refused.push({ kid: kidOf(tokens), status: renewed.error });
      counts.set(kidOf(tokens), (counts.get(kidOf(tokens)) ?? 0) + 1);
    }
  };
  const running = Promise.all([work(), work()]);
  return {
    refused,
    counts,
    /** the token from before is not good any more */
    letGo: () => (holds = false),
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

it('refuses no token that is good while keys change, and every one of a disabled key', async () => {
  const old = await logIn(one, 'ann');
  const [oldKey] = (await admin.send('GET', `/${realm}/keys`)).body.keys.filter(
    ({ kid }: { kid: string }) => kid === kidOf(old),
  );
  const change = async (config: Record<string, string[]>) => {
    const path = `/${realm}/components/${oldKey.providerId}`;
    expect((await admin.send('PUT', path, { providerId, providerType, config })).status).toBe(204);
  };
  const loads = [load(one, old), load(other, old)];
  const tokensOf = (kid: string) => loads.map(({ counts }) => counts.get(kid) ?? 0);
  const atLeast = async (kid: string, more: number) => {
    const before = tokensOf(kid);
    const moved = () => tokensOf(kid).every((count, n) => count >= (before[n] ?? 0) + more);
    await expect.poll(moved, { timeout: 10_000, interval: 20 }).toBe(true);
  };
  await atLeast(oldKey.kid, 3);

  const added = { name: 'new', providerId, providerType, config: { priority: ['500'] } };
  expect((await admin.send('POST', `/${realm}/components`, added)).status).toBe(201);
  const { active } = (await admin.send('GET', `/${realm}/keys`)).body as { active: { RS256: string } };
  expect(active.RS256).not.toBe(oldKey.kid);
  await atLeast(active.RS256, 3);

  await change({ active: ['false'] });
  await atLeast(active.RS256, 3);
  for (const { letGo } of loads) letGo();
  await change({ active: ['false'], enabled: ['false'] });
  for (const server of [one, other]) await expect.poll(() => userInfo(server, old), soon).toBe(401);
  await atLeast(active.RS256, 3);
  for (const { stop } of loads) await stop();
  expect(loads.flatMap(({ refused }) => refused)).toEqual([]);
});

it('takes the administration token of a new key at the other process at once', async () => {
  const added = { name: 'admin', providerId, providerType, config: { priority: ['900'] } };
  expect((await admin.send('POST', '/master/components', added)).status).toBe(201);
  const fresh = await administrator(one);
  expect(decodeProtectedHeader(fresh.token).kid).not.toBe(decodeProtectedHeader(admin.token).kid);
  expect((await callerWith(other, fresh.token).send('GET', `/${realm}/users`)).status).toBe(200);
  expect((await callerWith(other, admin.token).send('GET', `/${realm}/users`)).status).toBe(200);
});
