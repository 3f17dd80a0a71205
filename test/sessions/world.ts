import { type Caller, callerWith } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

export const realm = 'desk';

/** A realm with clients and users that log in with their names as passwords. */
export const representation = (more: { clients?: object[] } & object = {}) => ({
  realm,
  enabled: true,
  eventsEnabled: true,
  adminEventsEnabled: true,
  ...more,
  clients: [
    { clientId: 'app', publicClient: true, directAccessGrantsEnabled: true, optionalClientScopes: ['offline_access'] },
    { clientId: 'other', publicClient: true, directAccessGrantsEnabled: true },
    ...(more.clients ?? []),
  ],
  users: ['ann', 'bob', 'chief', 'clerk'].map((username) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: username }],
    realmRoles: ['offline_access'],
    clientRoles: { 'realm-management': { chief: ['realm-admin'], clerk: ['manage-users'] }[username] ?? [] },
  })),
});

export interface Tokens {
  access_token: string;
  refresh_token: string;
  session_state: string;
}

export type TokenAnswer = Tokens & { error?: string };

/** A request to the token endpoint, which may be refused. */
export async function askToken(server: TestServer, form: Record<string, string>): Promise<TokenAnswer> {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'app', ...form }),
  });
  return (await response.json()) as TokenAnswer;
}

/** A login by password, with the tokens of it. */
export async function logIn(server: TestServer, username: string, form: Record<string, string> = {}): Promise<Tokens> {
  const answer = await askToken(server, { grant_type: 'password', username, password: username, ...form });
  if (answer.error) throw new Error(`login of ${username}: ${answer.error}`);
  return answer;
}

export const refresh = (server: TestServer, { refresh_token }: Tokens, form: Record<string, string> = {}) =>
  askToken(server, { grant_type: 'refresh_token', refresh_token, ...form });

/** Status of the userinfo endpoint for an access token. */
export const userInfo = async (server: TestServer, { access_token }: Tokens): Promise<number> => {
  const address = `${server.url}/auth/realms/${realm}/protocol/openid-connect/userinfo`;
  return (await fetch(address, { headers: { authorization: `Bearer ${access_token}` } })).status;
};

/** Ids of the realm's users and clients, by their names. */
export async function idsIn(admin: Caller) {
  const users = (await admin.send('GET', `/${realm}/users`)).body as { id: string; username: string }[];
  const clients = (await admin.send('GET', `/${realm}/clients`)).body as { id: string; clientId: string }[];
  return new Map([
    ...users.map(({ id, username }) => [username, id] as const),
    ...clients.map(({ id, clientId }) => [clientId, id] as const),
  ]);
}

export const as = (server: TestServer, { access_token }: Tokens): Caller => callerWith(server, access_token);
