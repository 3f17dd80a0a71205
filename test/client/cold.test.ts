import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import * as documents from '../../client/src/index.js';
import { createCrowd, realm } from '../limits/crowd.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

// The first request of a process: what it remembers later is read from the database.

/** The statements of each document that reads, with those that verify the token. */
const expected: Readonly<Record<string, number>> = {
  AuditLog: 11,
  Client: 6,
  Clients: 7,
  Group: 8,
  GroupTree: 8,
  LoginEvents: 10,
  RealmSettings: 6,
  Realms: 9,
  Roles: 7,
  User: 9,
  UserSessions: 8,
  Users: 8,
};

const folder = 'client/documents';
const queries = readdirSync(folder).flatMap((file) =>
  parse(readFileSync(join(folder, file), 'utf8')).definitions.flatMap((node) =>
    node.kind === 'OperationDefinition' && node.operation === 'query' ? [node.name?.value ?? ''] : [],
  ),
);

interface Nodes {
  edges: [{ node: { id: string } }];
}

let databaseUrl: string;
let admin: Caller;
let variables: (name: string) => object;

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  const server = await startServer({ databaseUrl }, slowClock);
  admin = await administrator(server);
  await createCrowd(server.url, admin, realm, 3);
  const { data } = await admin.graphql<{ realm: { id: string; users: Nodes; groups: Nodes } }>(
    `{ realm(name: "${realm}") { id
         users(first: 1, filter: { username: { equals: "a-user-00" } }) { edges { node { id } } }
         groups(first: 1, filter: { name: { equals: "a-group-00" } }) { edges { node { id } } } } }`,
  );
  const user = data.realm.users.edges[0].node.id;
  const special: Readonly<Record<string, object>> = {
    AuditLog: { realms: [data.realm.id] },
    Client: { realm, clientId: 'a-app-00' },
    Group: { id: data.realm.groups.edges[0].node.id },
    LoginEvents: { realms: [data.realm.id] },
    Realms: {},
    User: { id: user },
    UserSessions: { user },
  };
  variables = (name) => special[name] ?? { realm };
});

it('is asked of every document that reads', () => {
  expect(Object.keys(expected).sort()).toEqual(queries.sort());
});

it.each(queries)('%s has its number of statements where nothing is remembered', async (name) => {
  const server = await startServer({ databaseUrl }, slowClock);
  const [, document] = Object.entries(documents).find(([known]) => known === name) ?? [];
  const { result, statements } = await measureStatements(server, async () => {
    const answer = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables: variables(name) }),
    });
    return (await answer.json()) as { data: object; errors?: object[] };
  });
  const { data, errors } = result;
  expect(errors).toBeUndefined();
  expect(Object.values(data)).not.toContain(null);
  expect(statements).toBe(expected[name]);
  await server.close();
});
