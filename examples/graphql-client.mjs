// Works on the realm acme with the client in TypeScript, which `npm start` builds.
// node examples/graphql-client.mjs [base address, by default http://localhost:8080]
import { randomUUID } from 'node:crypto';
import {
  createClient,
  GroupCreate,
  GroupDelete,
  GroupMove,
  GroupTree,
  LiveAdminEvents,
  RequestError,
  UserCreate,
  UserDelete,
  Users,
  UserUpdate,
  UserUpdateDryRun,
} from '../client/dist/index.js';

const base = process.argv[2] ?? 'http://localhost:8080';
const realm = 'acme';

/** An access token. The client asks for one before each request, so that none is expired. */
async function token() {
  const response = await fetch(`${base}/auth/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: process.env.ADMIN_USERNAME ?? 'admin',
      password: process.env.ADMIN_PASSWORD ?? 'admin',
    }),
  });
  return (await response.json()).access_token;
}

const client = createClient({ url: `${base}/graphql`, token });

/** The payload of a mutation. Throws what is wrong with its input. */
function accepted({ userErrors, ...payload }) {
  if (userErrors.length > 0) throw new Error(userErrors.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return payload;
}

// a page of users
const page = await client.request(Users, { realm, first: 5, filter: { search: 'user-00001' } });
const { id: realmId, users } = page.realm;
console.log(`${users.totalCount} users: ${users.edges.map(({ node }) => node.username).join(', ')}`);

// the audit log, live
const events = client.subscribe(LiveAdminEvents, { realm: realmId });
await events.next();

// the key makes it safe to repeat the request if the connection is lost
const input = { realm: realmId, username: 'vera', isEnabled: true, idempotencyKey: randomUUID() };
const { user } = accepted((await client.request(UserCreate, { input })).userCreate);

// what a change would be, and then the change
const change = { id: user.id, expectedVersion: user.version, firstName: 'Vera', email: 'vera@acme.example' };
const { changes } = accepted((await client.request(UserUpdateDryRun, { input: change })).userUpdate);
console.log(`would change: ${changes.map(({ path }) => path.join('.')).join(', ')}`);
accepted((await client.request(UserUpdate, { input: change })).userUpdate);
const [{ code }] = (await client.request(UserUpdate, { input: change })).userUpdate.userErrors;
console.log(`changed twice from the same version: ${code}`);

// a group is created, and moved below another one
const { group: parent } = accepted(
  (await client.request(GroupCreate, { input: { parent: realmId, name: 'visits' } })).groupCreate,
);
const { group } = accepted(
  (await client.request(GroupCreate, { input: { parent: realmId, name: 'visitors' } })).groupCreate,
);
accepted((await client.request(GroupMove, { input: { id: group.id, parent: parent.id } })).groupMove);
const tree = await client.request(GroupTree, { realm, filter: { path: { startsWith: '/visits' } } });
console.log(`groups: ${tree.realm.groups.edges.map(({ node }) => node.path).join(', ')}`);

// errors of a request are thrown, with what the server says of them
try {
  await client.request(Users, { realm, first: 501 });
} catch (error) {
  if (!(error instanceof RequestError)) throw error;
  console.log(`${error.code} at ${error.path.join('.')}: ${error.message}`);
}

accepted((await client.request(UserDelete, { input: { id: user.id } })).userDelete);
accepted((await client.request(GroupDelete, { input: { id: parent.id } })).groupDelete);

// the events of all that, in its order
for await (const { adminEvents } of events) {
  const { operationType, resourcePath } = adminEvents.event;
  console.log(`${operationType} ${resourcePath.replace(/[0-9a-f-]{36}/g, '…')}`);
  if (operationType === 'DELETE' && resourcePath.startsWith('groups/')) break;
}
