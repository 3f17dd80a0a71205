// urql with its cache and persisted queries; subscriptions over server-sent events and over graphql-ws.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, cacheExchange, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { createClient } from 'graphql-ws';
import {
  authorization,
  createRealm,
  createRole,
  deleteRealm,
  endpoint,
  firstOf,
  socketEndpoint,
  WebSocket,
} from './setup.mjs';

const bodies = [];
const options = {
  url: endpoint,
  preferGetMethod: false,
  fetchOptions: { headers: { authorization } },
  fetch: (input, init) => {
    bodies.push(JSON.parse(init.body));
    return fetch(input, init);
  },
};
const persisted = persistedExchange({ preferGetForPersistedQueries: false });
const overEvents = new Client({
  ...options,
  fetchSubscriptions: true,
  exchanges: [cacheExchange, persisted, fetchExchange],
});
const sockets = createClient({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: authorization },
});
const overSockets = new Client({
  ...options,
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({ unsubscribe: sockets.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

const users = gql`
  query Users($realm: String!, $after: String) {
    realm(name: $realm) {
      users(first: 10, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            id
            username
          }
        }
      }
    }
  }
`;
const byId = gql`
  query User($id: ID!) {
    node(id: $id) {
      id
      ... on User {
        username
        firstName
      }
    }
  }
`;
const update = gql`
  mutation Update($input: UserUpdateInput!) {
    userUpdate(input: $input) {
      user {
        id
        firstName
      }
      userErrors {
        code
      }
    }
  }
`;
const remove = gql`
  mutation Delete($input: UsersDeleteInput!) {
    usersDelete(input: $input) {
      deletedIds
      userErrors {
        code
      }
    }
  }
`;
const events = gql`
  subscription Events($realm: ID!, $after: String) {
    adminEvents(realm: $realm, after: $after) {
      cursor
      event {
        id
        resourcePath
      }
    }
  }
`;

const name = 'urql-client';
let realm;
before(async () => {
  realm = await createRealm(name);
});
after(async () => {
  await sockets.dispose();
  await deleteRealm(realm);
});

async function answer(source) {
  const { data, error } = await source.toPromise();
  if (error) throw error;
  return data;
}

async function allUsers() {
  const nodes = [];
  for (let after = null; ; ) {
    const { realm: found } = await answer(
      overEvents.query(users, { realm: name, after }, { requestPolicy: 'network-only' }),
    );
    nodes.push(...found.users.edges.map(({ node }) => node));
    if (!found.users.pageInfo.hasNextPage) return nodes;
    after = found.users.pageInfo.endCursor;
  }
}

test('pages follow each other, each document is sent once', async () => {
  assert.deepEqual(
    (await allUsers()).map(({ username }) => username),
    Array.from({ length: 25 }, (_, at) => `user-${String(at + 1).padStart(2, '0')}`),
  );
  assert.deepEqual(
    bodies.map(({ query }) => Boolean(query)),
    [false, true, false, false],
  );
});

test('a mutation invalidates what the cache has of an object, which is fetched again by its ID', async () => {
  const [{ id }] = await allUsers();
  const seen = [];
  const watched = overEvents.query(byId, { id }).subscribe(({ data }) => seen.push(data?.node.firstName));
  await answer(overEvents.query(byId, { id }));
  const { userUpdate } = await answer(overEvents.mutation(update, { input: { id, firstName: 'Ada' } }));
  assert.deepEqual(userUpdate.userErrors, []);
  assert.equal((await answer(overEvents.query(byId, { id }, { requestPolicy: 'network-only' }))).node.firstName, 'Ada');
  watched.unsubscribe();
  assert.equal(seen.at(-1), 'Ada');
});

test('users are deleted together', async () => {
  const gone = (await allUsers()).slice(0, 5).map(({ id }) => id);
  const { usersDelete } = await answer(overEvents.mutation(remove, { input: { realm, ids: gone } }));
  assert.deepEqual([...usersDelete.deletedIds].sort(), gone.sort());
  assert.equal((await allUsers()).length, 20);
});

for (const [transport, client] of Object.entries({ 'server-sent events': overEvents, 'graphql-ws': overSockets })) {
  test(`a subscription continues where another one ended, over ${transport}`, async () => {
    const listen = (more) => (next, fail) => {
      const { unsubscribe } = client.subscription(events, { realm, ...more }).subscribe(({ data, error }) => {
        if (error) fail(error);
        else if (data) next(data.adminEvents);
      });
      return unsubscribe;
    };
    const started = await firstOf(listen({}), ({ event }) => event === null);
    const role = `while-away-${transport.slice(0, 4).trim()}`;
    await createRole(realm, role);
    const { event } = await firstOf(listen({ after: started.cursor }), (message) => message.event !== null);
    assert.match(event.resourcePath, new RegExp(role));
  });
}
