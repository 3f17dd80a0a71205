import { expect } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

export const realm = 'market';
export const roleOfAdministrators = 'realm-management';

/** A realm to import into, and questions about it. */
export interface Market {
  server: TestServer;
  admin: Caller;
  /** manages the realm and nothing else */
  plainManager: Caller;
  /** manages the realm, users, clients and identity providers */
  userManager: Caller;
  rest: (method: string, path: string, body?: unknown, caller?: Caller) => ReturnType<Caller['send']>;
  load: (file: object, caller?: Caller) => ReturnType<Caller['send']>;
  user: (username: string) => Promise<Record<string, string>>;
  client: (clientId: string) => Promise<Record<string, string>>;
  /** a field of each item of a list, sorted */
  namesAt: (path: string, key?: string) => Promise<string[]>;
}

/** Starts a server, whose clock is `now`, with the realm. */
export async function openMarket(now?: () => number): Promise<Market> {
  const server = await startServer({}, now);
  const admin = await administrator(server);
  const manager = (username: string, ...roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'secret-1' }],
    clientRoles: { [roleOfAdministrators]: roles },
  });
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    passwordPolicy: 'length(4) and hashIterations(1000)',
    roles: { realm: [{ name: 'clerk' }], client: { till: [{ name: 'open' }] } },
    groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }, { name: 'guests' }],
    defaultGroups: ['/staff/night', '/guests'],
    clients: [{ clientId: 'till', secret: 'till-secret', serviceAccountsEnabled: true }],
    identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'hidden' } }],
    users: [
      { username: 'ann', email: 'ann@example.org', realmRoles: ['clerk'], groups: ['/staff'] },
      manager('plain-manager', 'manage-realm'),
      manager('user-manager', 'manage-realm', 'manage-users', 'manage-clients', 'manage-identity-providers'),
    ],
  });
  expect(status).toBe(201);
  const rest: Market['rest'] = (method, path, sent, caller = admin) => caller.send(method, `/${realm}${path}`, sent);
  const one = async (path: string) => (await rest('GET', path)).body[0];
  return {
    server,
    admin,
    plainManager: await userOf(server, realm, 'plain-manager', 'secret-1'),
    userManager: await userOf(server, realm, 'user-manager', 'secret-1'),
    rest,
    load: (file, caller) => rest('POST', '/partialImport', file, caller),
    user: (username) => one(`/users?exact=true&username=${username}`),
    client: (clientId) => one(`/clients?clientId=${clientId}`),
    namesAt: async (path, key = 'name') =>
      (await rest('GET', path)).body.map((item: Record<string, string>) => item[key]).sort(),
  };
}
