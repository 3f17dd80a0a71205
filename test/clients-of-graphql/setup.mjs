// What the programs of all clients need: the service of PEER_BASE, a token, and a realm with users.
import WebSocket from 'ws';

export { WebSocket };

const base = new URL(process.env.PEER_BASE);
export const endpoint = new URL('/graphql', base).href;
export const socketEndpoint = endpoint.replace(/^http/, 'ws');

async function newToken() {
  const response = await fetch(new URL('/auth/realms/master/protocol/openid-connect/token', base), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: process.env.PEER_PASSWORD,
    }),
  });
  return (await response.json()).access_token;
}

export const authorization = `Bearer ${await newToken()}`;

/** Sends a request by hand; throws what is wrong with it. */
export async function request(query, variables = {}) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

/** Creates a realm with 25 users, user-01 to user-25; returns its ID. */
export async function createRealm(name) {
  const { realmCreate } = await request(
    'mutation ($name: String!) { realmCreate(input: { name: $name, isEnabled: true }) { realm { id } userErrors { message } } }',
    { name },
  );
  const realm = realmCreate.realm.id;
  // admin events are what the subscriptions send
  await request(
    'mutation ($id: ID!) { realmUpdate(input: { id: $id, events: { isAdminEnabled: true } }) { userErrors { message } } }',
    { id: realm },
  );
  const users = Array.from({ length: 25 }, (_, at) => ({ username: `user-${String(at + 1).padStart(2, '0')}` }));
  await request('mutation ($input: UsersCreateInput!) { usersCreate(input: $input) { userErrors { message } } }', {
    input: { realm, users },
  });
  return realm;
}

/** Deletes a realm. */
export const deleteRealm = (id) =>
  request('mutation ($id: ID!) { realmDelete(input: { id: $id }) { userErrors { message } } }', { id });

/** Creates a role, which is an admin event. */
export const createRole = (container, name) =>
  request('mutation ($input: RoleCreateInput!) { roleCreate(input: $input) { role { id } userErrors { message } } }', {
    input: { container, name },
  });

/** Resolves with the first value that is accepted, among those that `subscribe` passes on. */
export function firstOf(subscribe, isWanted) {
  return new Promise((resolve, reject) => {
    let stop;
    const done = (value) => {
      if (!isWanted(value)) return;
      resolve(value);
      queueMicrotask(() => stop?.());
    };
    stop = subscribe(done, reject);
  });
}
