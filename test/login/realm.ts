import type { Caller } from '../support/fixture.js';

export const callback = 'http://app.example/callback';
/** Where a client on this machine is, on whatever port. */
export const loopback = 'http://127.0.0.1/callback';

/** A realm with clients and users for logging in. */
export const shop = {
  realm: 'shop',
  enabled: true,
  displayName: 'Shop & Co',
  eventsEnabled: true,
  rememberMe: true,
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  defaultLocale: 'en',
  clients: [
    {
      clientId: 'app',
      publicClient: true,
      redirectUris: [callback, 'http://other.example/app/*', 'http://localhost/cb', loopback],
    },
    { clientId: 'second', publicClient: true, redirectUris: [callback, loopback] },
    {
      clientId: 'strict',
      publicClient: true,
      redirectUris: [callback, loopback],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    },
    {
      clientId: 'asking',
      name: 'Asking app',
      publicClient: true,
      consentRequired: true,
      redirectUris: [callback, loopback],
    },
    { clientId: 'relative', publicClient: true, rootUrl: 'http://root.example', redirectUris: ['/in/*'] },
    { clientId: 'off', enabled: false, publicClient: true, redirectUris: [callback, loopback] },
    { clientId: 'bearer', bearerOnly: true },
    { clientId: 'direct', publicClient: true, standardFlowEnabled: false, redirectUris: [callback, loopback] },
  ],
  users: ['ann', 'bob', 'todo', 'carl', 'dora', 'eve'].map((username) => ({
    username,
    enabled: true,
    email: `${username}@example.org`,
    firstName: username,
    lastName: 'Tester',
    credentials: [{ type: 'password', value: `pw-${username}` }],
    realmRoles: username === 'ann' ? ['offline_access'] : [],
    requiredActions: username === 'todo' ? ['UPDATE_PASSWORD', 'UPDATE_PROFILE'] : [],
  })),
};

/** Imports the realm, changed as a test wants it. */
export async function importShop(admin: Caller, change: object = {}): Promise<void> {
  const { status, body } = await admin.send('POST', '/admin/realms', { ...shop, ...change });
  if (status !== 201) throw new Error(`import failed: ${status} ${JSON.stringify(body)}`);
}
