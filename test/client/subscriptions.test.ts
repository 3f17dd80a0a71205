import { beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  ConnectionLostError,
  createClient,
  LiveAdminEvents,
  RealmSettings,
  RoleCreate,
  type TypedDocument,
} from '../../client/src/index.js';
import { type Wire, wireTo } from '../faults/wire.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const name = 'followed';
let late = 0;
let server: TestServer;
let admin: Caller;
let wire: Wire;
let realm: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({ realm: name, enabled: true }, {}, () => Date.now() + late));
  wire = await wireTo(server.url);
  realm = (await clientWith().request(RealmSettings, { realm: name })).realm?.id ?? '';
  return () => wire.close();
});

/** A client whose connections can be cut. */
const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: `${wire.url}graphql`, token: admin.token, attempts: 10, ...options });

async function newRole(role: string): Promise<void> {
  const direct = createClient({ url: `${server.url}/graphql`, token: (await administrator(server)).token });
  const { roleCreate } = await direct.request(RoleCreate, { input: { container: realm, name: role } });
  expect(roleCreate.userErrors).toEqual([]);
}

type Messages = AsyncGenerator<{ adminEvents: { event: { resourcePath: string } | null } }, void, void>;

/** The path of the next event; messages without an event are skipped. */
async function nextPath(messages: Messages): Promise<string | undefined> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) return undefined;
    if (value.adminEvents.event) return value.adminEvents.event.resourcePath;
  }
}

describe('a subscription of the client', () => {
  it('loses and repeats nothing over lost connections', async () => {
    const messages = clientWith().subscribe(LiveAdminEvents, { realm });
    await messages.next();
    const seen: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      await newRole(`here-${round}`);
      seen.push(await nextPath(messages));
      wire.become('cut');
      await newRole(`away-${round}`);
      const next = nextPath(messages);
      wire.become('whole');
      seen.push(await next);
    }
    const told = Array.from({ length: 5 }, (_, round) => [`roles/here-${round}`, `roles/away-${round}`]).flat();
    expect(seen).toEqual(told);
    await messages.return();
  });

  it('continues after the cursor of another one', async () => {
    const first = clientWith().subscribe(LiveAdminEvents, { realm });
    const { value } = await first.next();
    await first.return();
    await newRole('between');
    const second = clientWith().subscribe(LiveAdminEvents, { realm, after: value?.adminEvents.cursor });
    expect(await nextPath(second)).toBe('roles/between');
    await second.return();
  });

  it('continues if its connection is silent', async () => {
    let connections = 0;
    const counted: typeof fetch = (...given) => {
      connections += 1;
      return fetch(...given);
    };
    const messages = clientWith({ silence: 300, attempts: 50, fetch: counted }).subscribe(LiveAdminEvents, { realm });
    await messages.next();
    wire.become('frozen');
    const next = nextPath(messages);
    await newRole('unheard');
    // the first one is silent, and the second one is never answered
    await expect.poll(() => connections, { timeout: 20_000 }).toBeGreaterThan(2);
    // no connection of the silent time is left
    wire.become('cut');
    wire.become('whole');
    expect(await next).toBe('roles/unheard');
    await messages.return();
  });

  it('continues with another token if its own has expired', async () => {
    let tokens = 0;
    const token = async () => {
      tokens += 1;
      return (await administrator(server)).token;
    };
    const messages = clientWith({ token }).subscribe(LiveAdminEvents, { realm });
    await messages.next();
    late += 3_600_000;
    await newRole('later');
    expect(await nextPath(messages)).toBe('roles/later');
    expect(tokens).toBe(2);
    await messages.return();
    admin = await administrator(server);
  });

  it('waits while the server is busy', async () => {
    const narrow = await startWithRealm({ realm: name, enabled: true }, { subscriptionsPerCaller: 1 });
    const options = { url: `${narrow.server.url}/graphql`, token: narrow.admin.token };
    const found = await createClient(options).request(RealmSettings, { realm: name });
    const variables = { realm: found.realm?.id ?? '' };
    const first = createClient(options).subscribe(LiveAdminEvents, variables);
    await first.next();
    const once = createClient({ ...options, attempts: 1 }).subscribe(LiveAdminEvents, variables);
    await expect(once.next()).rejects.toMatchObject({ name: 'RequestError', code: 'BUSY', status: 503 });
    let refused = 0;
    const patient = createClient({
      ...options,
      attempts: 20,
      async fetch(...given) {
        const answer = await fetch(...given);
        if (answer.status === 503) refused += 1;
        if (refused === 1) await first.return();
        return answer;
      },
    });
    const second = patient.subscribe(LiveAdminEvents, variables);
    expect(await second.next()).toMatchObject({ value: { adminEvents: { event: null } } });
    expect(refused).toBeGreaterThan(0);
    await second.return();
  });

  it('throws what the server refuses', async () => {
    const messages = clientWith().subscribe(LiveAdminEvents, { realm, after: 'nonsense' });
    await expect(messages.next()).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('throws if the connection is lost and the document has no cursor to continue after', async () => {
    const document: TypedDocument<{ adminEvents: { event: null } }, { realm: string }> =
      'subscription ($realm: ID!) { adminEvents(realm: $realm) { event { id } } }';
    const messages = clientWith().subscribe(document, { realm });
    await messages.next();
    const next = messages.next();
    wire.become('cut');
    await expect(next).rejects.toThrow(ConnectionLostError);
    wire.become('whole');
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const messages = clientWith().subscribe(LiveAdminEvents, { realm }, { signal: ending.signal });
    await messages.next();
    const next = messages.next();
    ending.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });
});
