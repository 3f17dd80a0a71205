// Apollo Client 4 with its cache, automatic persisted queries, and graphql-ws.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
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
const http = new HttpLink({
  uri: endpoint,
  headers: { authorization },
  fetch: (input, init) => {
    bodies.push(JSON.parse(init.body));
    return fetch(input, init);
  },
});
const persisted = new PersistedQueryLink({ sha256: (text) => createHash('sha256').update(text).digest('hex') });
const sockets = createClient({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: authorization },
});
const client = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: { Realm: { fields: { users: relayStylePagination(['filter', 'orderBy']) } } },
  }),
  link: ApolloLink.split(
    ({ operationType }) => operationType === 'subscription',
    new GraphQLWsLink(sockets),
    ApolloLink.from([persisted, http]),
  ),
});

const users = gql`
  query Users($realm: String!, $first: Int!, $after: String) {
    realm(name: $realm) {
      id
      users(first: $first, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          cursor
          node {
            id
            username
            firstName
          }
        }
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
        message
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
        message
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

const name = 'apollo-client';
const variables = { realm: name, first: 10 };
let realm;
before(async () => {
  realm = await createRealm(name);
});
after(async () => {
  client.stop();
  await sockets.dispose();
  await deleteRealm(realm);
});
const cached = () => client.readQuery({ query: users, variables }).realm.users;

test('pages follow each other in one list', async () => {
  await client.query({ query: users, variables });
  const list = client.watchQuery({ query: users, variables });
  const subscription = list.subscribe(() => undefined);
  while (cached().pageInfo.hasNextPage) await list.fetchMore({ variables: { after: cached().pageInfo.endCursor } });
  subscription.unsubscribe();
  assert.deepEqual(
    cached().edges.map(({ node }) => node.username),
    Array.from({ length: 25 }, (_, at) => `user-${String(at + 1).padStart(2, '0')}`),
  );
});

test('documents are sent once, and then by their hash', () => {
  const sent = bodies.filter(({ operationName }) => operationName === 'Users');
  assert.deepEqual(
    sent.map(({ query }) => query !== undefined),
    [false, true, false, false],
  );
});

test('an object is fetched by its ID', async () => {
  const [{ node }] = cached().edges;
  const { data } = await client.query({ query: byId, variables: { id: node.id } });
  assert.equal(data.node.username, node.username);
});

test('an optimistic update is shown first, and then what the server says', async () => {
  const [{ node }] = cached().edges;
  const shown = () => cached().edges[0].node.firstName;
  const optimisticUser = { __typename: 'User', id: node.id, firstName: 'Ada?' };
  const seen = [];
  const watch = client.cache.watch({
    query: users,
    variables,
    optimistic: true,
    callback: ({ result }) => seen.push(result.realm.users.edges[0].node.firstName),
  });
  await client.mutate({
    mutation: update,
    variables: { input: { id: node.id, firstName: 'Ada' } },
    optimisticResponse: { userUpdate: { __typename: 'UserUpdatePayload', user: optimisticUser, userErrors: [] } },
  });
  watch();
  assert.equal(shown(), 'Ada');
  assert.deepEqual(seen.slice(0, 1), ['Ada?']);
  assert.equal(seen.at(-1), 'Ada');
});

test('users that are deleted together leave the list', async () => {
  const gone = cached()
    .edges.slice(0, 5)
    .map(({ node }) => node.id);
  await client.mutate({
    mutation: remove,
    variables: { input: { realm, ids: gone } },
    update(cache, { data }) {
      for (const id of data.usersDelete.deletedIds) cache.evict({ id: cache.identify({ __typename: 'User', id }) });
      cache.gc();
    },
  });
  assert.equal(cached().edges.length, 20);
  assert.equal(cached().edges.filter(({ node }) => gone.includes(node.id)).length, 0);
});

test('a subscription continues where another one ended', async () => {
  const listen = (more) => (next, error) => {
    const subscription = client.subscribe({ query: events, variables: { realm, ...more } }).subscribe({ next, error });
    return () => subscription.unsubscribe();
  };
  const started = await firstOf(listen({}), ({ data }) => data.adminEvents.event === null);
  await createRole(realm, 'while-away');
  const { data } = await firstOf(
    listen({ after: started.data.adminEvents.cursor }),
    (message) => message.data.adminEvents.event !== null,
  );
  assert.match(data.adminEvents.event.resourcePath, /while-away/);
});
