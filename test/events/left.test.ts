// @both-databases
import { expect, it } from 'vitest';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { type Subscription, subscribe } from './sse.js';

// A process has room for 200 subscriptions: those of subscribers who have left take none, although nothing has happened that they could be sent.
const within = { timeout: 30_000, interval: 50 };

it('gives the places of subscribers back who leave before anything happens', async () => {
  const server = await startServer({ subscriptionsPerCaller: 500, connectionsPerAddress: 500 });
  const admin = await administrator(server);
  const realm = btoa(`Realm:${(await admin.send('GET', '/master')).body.id}`);
  const queries = [
    'subscription ($realm: ID!) { adminEvents(realm: $realm) { cursor } }',
    'subscription ($realm: ID!) { loginEvents(realm: $realm) { cursor } }',
    'subscription ($realm: ID!) { realmApplyProgress(realm: $realm, progressId: "none") { status } }',
  ];
  const open = (): Promise<Subscription[]> =>
    Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        subscribe(server, admin.token, queries[at % queries.length] ?? '', { realm }),
      ),
    );
  const begun = async (all: readonly Subscription[]): Promise<number> => {
    await expect.poll(() => all.every(({ messages }) => messages.length > 0), within).toBe(true);
    return all.filter(({ messages }) => messages[0]?.data).length;
  };
  const first = await open();
  expect(await begun(first)).toBe(120);
  for (const each of first) each.close();
  // the server hears of that a moment later
  await expect
    .poll(async () => {
      const next = await open();
      const count = await begun(next);
      for (const each of next) each.close();
      return count;
    }, within)
    .toBe(120);
}, 90_000);
