// The Relay runtime with what the Relay compiler generated: every document is sent by its hash.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createClient } from 'graphql-ws';
import relay from 'relay-runtime';
import subscription from './relay/__generated__/documentsAdminEventsSubscription.graphql.js';
import refetchQuery from './relay/__generated__/documentsUserRefetchQuery.graphql.js';
import deleteMutation from './relay/__generated__/documentsUsersDeleteMutation.graphql.js';
import paginationQuery from './relay/__generated__/documentsUsersPaginationQuery.graphql.js';
import usersQuery from './relay/__generated__/documentsUsersQuery.graphql.js';
import updateMutation from './relay/__generated__/documentsUserUpdateMutation.graphql.js';
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

const {
  commitMutation,
  ConnectionHandler,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} = relay;

const texts = JSON.parse(readFileSync(new URL('relay/persisted.json', import.meta.url), 'utf8'));
const sent = { named: 0, withText: 0 };

async function post(body) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Sends the hash, and the text only if the server asks for it. */
async function send({ id }, variables) {
  const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
  sent.named += 1;
  const answer = await post({ documentId: `sha256:${id}`, variables });
  if (answer.errors?.[0]?.extensions?.code !== 'PERSISTED_QUERY_NOT_FOUND') return answer;
  sent.withText += 1;
  return post({ query: texts[id], extensions, variables });
}

const sockets = createClient({
  url: socketEndpoint,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: authorization },
});
const subscribe = ({ id }, variables) =>
  Observable.create((sink) => sockets.subscribe({ query: texts[id], variables }, sink));

const environment = new Environment({ network: Network.create(send, subscribe), store: new Store(new RecordSource()) });
const name = 'relay-client';
let realm;
before(async () => {
  realm = await createRealm(name);
});
after(async () => {
  await sockets.dispose();
  await deleteRealm(realm);
});

const fetched = (query, variables) => fetchQuery(environment, query, variables).toPromise();
const connectionId = () => ConnectionHandler.getConnectionID(realm, 'documents_users');
const connection = () => environment.getStore().getSource().get(connectionId());
const recordsOf = (record, field) => record[field].__refs.map((id) => environment.getStore().getSource().get(id));
/** The users of the connection, in its order. */
const listed = () =>
  recordsOf(connection(), 'edges').map(({ node }) => environment.getStore().getSource().get(node.__ref));
const usernames = () => listed().map(({ username }) => username);
const ids = () => listed().map(({ id }) => id);
const committed = (mutation, variables, more = {}) =>
  new Promise((resolve, reject) =>
    commitMutation(environment, { mutation, variables, ...more, onCompleted: resolve, onError: reject }),
  );

test('pages follow each other in one connection', async () => {
  const variables = { realm: name, count: 10, cursor: null };
  const operation = createOperationDescriptor(usersQuery, variables);
  environment.retain(operation);
  await fetched(usersQuery, variables);
  const cursors = [];
  for (;;) {
    const { hasNextPage, endCursor } = environment.getStore().getSource().get(connection().pageInfo.__ref);
    if (!hasNextPage) break;
    cursors.push(endCursor);
    await fetched(paginationQuery, { id: realm, count: 10, cursor: endCursor });
  }
  assert.equal(cursors.length, 2);
  assert.deepEqual(
    usernames(),
    Array.from({ length: 25 }, (_, at) => `user-${String(at + 1).padStart(2, '0')}`),
  );
});

test('an object is fetched again by its ID', async () => {
  const [id] = ids();
  await fetched(refetchQuery, { id });
  const { data } = environment.lookup(createOperationDescriptor(refetchQuery, { id }).fragment);
  assert.equal(data.node.__id, id);
});

test('an optimistic update is shown first, and then what the server says', async () => {
  const [id] = ids();
  const firstName = () => environment.getStore().getSource().get(id).firstName;
  const done = committed(
    updateMutation,
    { input: { id, firstName: 'Ada' } },
    { optimisticResponse: { userUpdate: { user: { id, firstName: 'Ada?', version: 0 }, userErrors: [] } } },
  );
  assert.equal(firstName(), 'Ada?');
  const { userUpdate } = await done;
  assert.deepEqual(userUpdate.userErrors, []);
  assert.equal(firstName(), 'Ada');
});

test('users that are deleted together leave the connection', async () => {
  const gone = ids().slice(0, 5);
  const { usersDelete } = await committed(deleteMutation, {
    input: { realm, ids: gone },
    connections: [connectionId()],
  });
  assert.deepEqual(usersDelete.userErrors, []);
  assert.deepEqual([...usersDelete.deletedIds].sort(), [...gone].sort());
  assert.equal(ids().filter((id) => gone.includes(id)).length, 0);
  assert.equal(ids().length, 20);
});

test('a subscription continues where another one ended', async () => {
  const listen = (variables) => (next, fail) => {
    const { dispose } = requestSubscription(environment, { subscription, variables, onNext: next, onError: fail });
    return dispose;
  };
  const started = await firstOf(listen({ realm }), ({ adminEvents }) => adminEvents.event === null);
  await createRole(realm, 'while-away');
  const { adminEvents } = await firstOf(
    listen({ realm, after: started.adminEvents.cursor }),
    ({ adminEvents: { event } }) => event !== null,
  );
  assert.match(adminEvents.event.resourcePath, /while-away/);
});

test('each document was sent as a text once', () => {
  assert.ok(sent.named > sent.withText);
  assert.equal(sent.withText, 5);
});
