import { expect } from 'vitest';
import { realmWithEverything } from '../matrix/addresses.js';
import type { Caller } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';

// A realm with very many objects of every kind, and objects that have very many others.

export const realm = 'large';
/** Parts of the full size, for a run that shall not take long. */
const part = isThorough ? 1 : 16;
const size = (count: number): number => Math.ceil(count / part);
const sizes = {
  users: size(20_000),
  clients: size(5000),
  groups: size(3000),
  roles: size(4000),
  others: size(800),
} as const;

export const numbered = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const roleNames = numbered(sizes.roles, (at) => `role-${at}`);
const attributes = { floor: ['2', '3'], shoe: ['42'] };

/** How many groups are one below the other: a body has at most 200 levels. */
const deep = 90;

function chain(from: number, count: number): object {
  const below = count > 1 ? [chain(from + 1, count - 1)] : [];
  return { name: `group-${from}`, attributes, realmRoles: ['role-1'], subGroups: below };
}

const user = (at: number) => ({
  username: `user-${at}`,
  enabled: true,
  email: `user-${at}@mail.example`,
  firstName: `First ${at}`,
  lastName: `Last ${at % 100}`,
  attributes,
  realmRoles: [`role-${at % sizes.roles}`],
  groups: ['/staff'],
});

const client = (at: number) => ({
  clientId: `app-${at}`,
  name: `App ${at}`,
  redirectUris: [`https://app-${at}.example/*`],
  webOrigins: ['+'],
  publicClient: true,
  attributes: { 'pkce.code.challenge.method': 'S256' },
});

const resources = numbered(sizes.others, (at) => ({
  name: `thing-${at}`,
  uris: [`/things/${at}/*`],
  scopes: [{ name: 'use' }],
}));

/** Creates the realm: its users with imports, since a request has a limited size. */
export async function createLarge(admin: Caller): Promise<void> {
  const base = realmWithEverything(realm);
  const [shop] = base.clients;
  const settings = shop?.authorizationSettings;
  const many = {
    ...base,
    // a role with all roles in it, and a client with many
    roles: {
      realm: [
        ...base.roles.realm.map((role) => ({ ...role, composite: true, composites: { realm: roleNames } })),
        ...roleNames.map((name) => ({ name, attributes })),
      ],
      client: { shop: [...base.roles.client.shop, ...numbered(sizes.others, (at) => ({ name: `own-${at}` }))] },
    },
    groups: [...base.groups, ...numbered(Math.ceil(sizes.groups / deep), (at) => chain(at * deep, deep))],
    clients: [
      {
        ...shop,
        authorizationSettings: { ...settings, resources: [...(settings?.resources ?? []), ...resources] },
      },
      ...numbered(sizes.clients, client),
    ],
    clientScopes: numbered(Math.ceil(sizes.others / 4), (at) => ({ name: `scope-${at}`, protocol: 'openid-connect' })),
    identityProviders: [
      ...base.identityProviders,
      ...numbered(Math.ceil(sizes.others / 8), (at) => ({ alias: `partner-${at}`, providerId: 'oidc', config: {} })),
    ],
  };
  // what the built-in scopes are is made with the realm
  const { clientScopes, ...first } = many;
  const made = await admin.send('POST', '/', first);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  for (const scope of clientScopes)
    expect((await admin.send('POST', `/${realm}/client-scopes`, scope)).status).toBe(201);
  for (let from = 0; from < sizes.users; from += 2500) {
    const users = numbered(Math.min(2500, sizes.users - from), (at) => user(from + at));
    const imported = await admin.send('POST', `/${realm}/partialImport`, { ifResourceExists: 'SKIP', users });
    expect([imported.status, imported.body.added]).toEqual([200, users.length]);
  }
}
