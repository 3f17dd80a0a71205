import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type DataOf,
  RealmSettings,
  Realms,
  RequestError,
  type ServerError,
  UserCreate,
  type UserCreateInput,
  type UserCreateMutation,
  Users,
  UsersLink,
  type UsersQuery,
  type UsersQueryVariables,
  type VariablesOf,
} from '../../client/src/index.js';
import { head, rawClient } from '../faults/socket.js';
import { wireTo } from '../faults/wire.js';
import { administrator, type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const name = 'asked';
let server: TestServer;
let admin: Caller;
let realm: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    { realm: name, enabled: true },
    { maxConcurrentRequests: 1, maxQueuedRequests: 0 },
  ));
  realm = (await clientWith().request(RealmSettings, { realm: name })).realm?.id ?? '';
});

const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ url: `${server.url}/graphql`, token: admin.token, ...options });

const newUser = (username: string, more: Partial<UserCreateInput> = {}) => ({ input: { realm, username, ...more } });

async function failure(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof RequestError)) throw new Error(`Not a RequestError: ${error}`);
  return error;
}

async function usernames(): Promise<string[]> {
  const { realm: found } = await clientWith().request(Users, { realm: name, first: 100 });
  return (found?.users?.edges ?? []).map(({ node }) => node.username);
}

/** A fetch whose first answer is lost after the server sent it. */
function losingOne(): { fetch: typeof fetch; attempts(): number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    async fetch(url, init) {
      attempts += 1;
      const answer = await fetch(url, init);
      if (attempts > 1) return answer;
      await answer.text();
      throw new TypeError('fetch failed');
    },
  };
}

describe('a document', () => {
  it('has the types of its data and variables', () => {
    expectTypeOf<DataOf<typeof Users>>().toEqualTypeOf<UsersQuery>();
    expectTypeOf<VariablesOf<typeof Users>>().toEqualTypeOf<UsersQueryVariables>();
    const client = clientWith();
    const sends = {
      right: () => client.request(UserCreate, newUser('typed')),
      // @ts-expect-error the variable `input` is required
      none: () => client.request(UserCreate),
      // @ts-expect-error users have no such property
      unknown: () => client.request(UserCreate, newUser('typed', { nickname: 'x' })),
      // @ts-expect-error realms are named by a text
      number: () => client.request(Users, { realm: 7 }),
    };
    expectTypeOf(sends.right).returns.resolves.toEqualTypeOf<UserCreateMutation>();
    expect(String(UserCreate)).toMatch(/^mutation UserCreate\(/);
  });

  it('may be one that another program generated', async () => {
    class Generated extends String {
      __apiType?: (variables: { name: string }) => { realm: { name: string } | null };
    }
    const document = new Generated('query ($name: String!) { realm(name: $name) { name } }');
    const { realm: found } = await clientWith().request(document, { name });
    expect(found?.name).toBe(name);
  });
});

describe('an error of the server', () => {
  it('is thrown with its code and path, and the rest of the data', async () => {
    const error = await failure(clientWith().request(Users, { realm: name, first: 501 }));
    expect(error).toMatchObject({
      code: 'LIMIT',
      path: ['realm', 'users'],
      status: 200,
      data: { realm: { id: realm } },
    });
    expect(error.errors.map(({ message }: ServerError) => message)).toEqual([error.message]);
  });

  it('is thrown if the token is no good', async () => {
    const error = await failure(clientWith({ token: 'nonsense' }).request(Realms));
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED', data: null });
  });

  it('is thrown if the answer is not one of GraphQL', async () => {
    const error = await failure(clientWith({ url: `${server.url}/health/live` }).request(Realms));
    expect(error).toMatchObject({ code: undefined, errors: [], data: null });
  });

  it('is data if it is one of the input, and nothing of an atomic document is kept', async () => {
    const { userCreate } = await clientWith().request(UserCreate, newUser('linked'));
    const users = [userCreate.user?.id ?? ''];
    const { usersJoinGroups, usersAddRoles } = await clientWith().request(UsersLink, {
      groups: { realm, users, groups: [] },
      roles: { realm, users, roles: ['nonsense'] },
    });
    expect(usersAddRoles.userErrors).toMatchObject([{ code: 'BAD_ID', path: ['roles', '0'] }]);
    expect(usersJoinGroups.userErrors).toMatchObject([{ code: 'ABORTED' }]);
  });
});

describe('a request', () => {
  it('asks for the token each time', async () => {
    let asked = 0;
    const client = clientWith({
      token: async () => {
        asked += 1;
        return admin.token;
      },
    });
    await client.request(Realms);
    await client.request(Realms);
    expect(asked).toBe(2);
  });

  it('is repeated if its answer was lost, and has one effect, if its input has a key', async () => {
    const lost = losingOne();
    const input = newUser('kept', { idempotencyKey: randomUUID() });
    const { userCreate } = await clientWith({ fetch: lost.fetch }).request(UserCreate, input);
    expect(userCreate).toMatchObject({ user: { username: 'kept' }, userErrors: [] });
    expect(lost.attempts()).toBe(2);
    expect((await usernames()).filter((username) => username === 'kept')).toEqual(['kept']);
  });

  it('is not repeated if that could have a second effect', async () => {
    const lost = losingOne();
    await expect(clientWith({ fetch: lost.fetch }).request(UserCreate, newUser('once'))).rejects.toThrow(
      'fetch failed',
    );
    expect(lost.attempts()).toBe(1);
    expect(await usernames()).toContain('once');
  });

  it('is repeated while the server cannot be reached, as often as wanted', async () => {
    const wire = await wireTo(server.url);
    wire.become('cut');
    const url = `${wire.url}graphql`;
    await expect(clientWith({ url, attempts: 2 }).request(Realms)).rejects.toThrow(TypeError);
    let attempts = 0;
    const repaired: typeof fetch = (...given) => {
      attempts += 1;
      if (attempts === 2) wire.become('whole');
      return fetch(...given);
    };
    const { realms } = await clientWith({ url, fetch: repaired }).request(Realms);
    expect(realms?.totalCount).toBe(2);
    expect(attempts).toBe(2);
    await wire.close();
  });

  it('is repeated while the server is busy', async () => {
    const bytes = 100_000; // more than a server takes in unasked
    const slow = await rawClient(
      server,
      head('POST', `/auth/${name}/roles`, admin.token, bytes) + ' '.repeat(bytes / 2),
    );
    const other = await administrator(server);
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^realmgate_requests_running\{kind="requests"\} 1$/m);
    const error = await failure(clientWith({ token: other.token, attempts: 1 }).request(Realms));
    expect(error).toMatchObject({ code: 'BUSY', status: 503 });
    const statuses: number[] = [];
    const { realms } = await clientWith({
      attempts: 20,
      async fetch(...given) {
        const answer = await fetch(...given);
        statuses.push(answer.status);
        if (statuses.length === 2) slow.socket.destroy();
        return answer;
      },
    }).request(Realms);
    expect(realms?.totalCount).toBe(2);
    expect(statuses.slice(0, 2)).toEqual([503, 503]);
    expect(statuses.at(-1)).toBe(200);
  });

  it('ends with its signal', async () => {
    const signal = AbortSignal.abort(new Error('closed'));
    await expect(clientWith().request(Realms, {}, { signal })).rejects.toThrow('closed');
  });
});
