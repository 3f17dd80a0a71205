/** A realm file in a test. */
export type File = Record<string, unknown>;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Item = Record<string, unknown>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the objects of each kind are in a file, and what is called by which field. */
const places: Record<string, { list: (file: File) => Item[]; name: string; make: (name: string, pick: Pick) => Item }> =
  {
    role: {
      list: (file) => (file.roles as { realm: Item[] }).realm,
      name: 'name',
      make: (name, { some }) => ({ name, attributes: { of: [name, 'x'] }, composites: { realm: some('role', 2) } }),
    },
    client: {
      list: (file) => file.clients as Item[],
      name: 'clientId',
      make: (clientId, { some }) => ({
        clientId,
        enabled: true,
        protocol: 'openid-connect',
        redirectUris: [`https://${clientId}.example/*`],
        attributes: { 'post.logout': 'yes', 'jwt.private.key': `key of ${clientId}` },
        secret: `secret of ${clientId}`,
        serviceAccountsEnabled: clientId.endsWith('3'),
        defaultClientScopes: some('clientScope', 2),
        protocolMappers: [mapper(`${clientId}-mapper`)],
      }),
    },
    group: {
      list: (file) => file.groups as Item[],
      name: 'name',
      make: (name, { some }) => ({
        name,
        attributes: { size: ['L', 'XL'] },
        realmRoles: some('role', 2),
        subGroups: [{ name: `${name}-below`, realmRoles: some('role', 1), subGroups: [] }],
      }),
    },
    clientScope: {
      list: (file) => file.clientScopes as Item[],
      name: 'name',
      make: (name) => ({
        name,
        protocol: 'openid-connect',
        attributes: { 'display.on.consent.screen': 'true' },
        protocolMappers: [mapper(`${name}-mapper`)],
      }),
    },
    flow: {
      list: (file) => file.authenticationFlows as Item[],
      name: 'alias',
      make: (alias, { one }) => ({
        alias,
        description: 'made by a test',
        providerId: 'basic-flow',
        topLevel: true,
        builtIn: false,
        authenticationExecutions: [
          { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
          { authenticator: 'auth-cookie', requirement: 'DISABLED', priority: 20 },
          { flowAlias: one('flow'), autheticatorFlow: true, requirement: 'ALTERNATIVE', priority: 30 },
        ],
      }),
    },
    provider: {
      list: (file) => file.identityProviders as Item[],
      name: 'alias',
      make: (alias) => ({
        alias,
        providerId: 'oidc',
        enabled: true,
        config: {
          clientId: alias,
          clientSecret: `secret of ${alias}`,
          tokenUrl: 'https://idp.example/token',
          authorizationUrl: 'https://idp.example/auth',
        },
      }),
    },
    component: {
      list: (file) => (file.components as Record<string, Item[]>)['org.keycloak.keys.KeyProvider'] as Item[],
      name: 'name',
      make: (name) => ({
        name,
        providerId: 'hmac-generated',
        config: { priority: ['5'], algorithm: ['HS512'] },
        subComponents: {},
      }),
    },
  };

const mapper = (name: string): Item => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name, 'claim.value': 'x', 'jsonType.label': 'String' },
});

interface Pick {
  one: (kind: string) => string;
  some: (kind: string, most: number) => string[];
}

const prefix = 'zz-';
const isOurs = (value: unknown): value is string => typeof value === 'string' && value.startsWith(prefix);

/** Takes every mention of these names out of a file: objects that are called so, entries of lists and keys of maps. */
function without(value: unknown, gone: ReadonlySet<unknown>): unknown {
  const isGone = (item: unknown): boolean =>
    gone.has(item) ||
    (isItem(item) &&
      [
        'name',
        'alias',
        'clientId',
        'flowAlias',
        'client',
        'clientScope',
        'serviceAccountClientId',
        'identityProviderAlias',
      ].some((field) => gone.has(item[field])));
  if (Array.isArray(value)) return value.filter((item) => !isGone(item)).map((item) => without(item, gone));
  if (!isItem(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !gone.has(name))
      .map(([name, item]) => [name, without(item, gone)]),
  );
}

const replaced = (file: File, before: string, after: string): File =>
  JSON.parse(
    JSON.stringify(file).replaceAll(`"${before}"`, `"${after}"`).replaceAll(`"/${before}`, `"/${after}`),
  ) as File;

const fields = ['description', 'displayName', 'enabled', 'name'] as const;

/** A file with some random changes: objects come, go, are renamed, and have other fields. `log` tells of them. */
export function edited(file: File, random: () => number, log: string[]): File {
  let next = structuredClone(file);
  const kinds = Object.keys(places);
  const at = (count: number) => Math.floor(random() * count);
  const times = 1 + at(6);
  for (let round = 0; round < times; round += 1) {
    const kind = kinds[at(kinds.length)] as string;
    const place = places[kind];
    if (!place) continue;
    const items = place.list(next);
    const named = (of: string) => (places[of]?.list(next) ?? []).map((item) => String(item[places[of]?.name ?? '']));
    const pick: Pick = {
      one: (of) => named(of)[at(named(of).length)] as string,
      some: (of, most) => [
        ...new Set(Array.from({ length: at(most + 1) }, () => named(of)[at(named(of).length)] as string)),
      ],
    };
    const own = items.filter((item) => isOurs(item[place.name]));
    const choice = random();
    if (choice < 0.45 || own.length === 0) {
      const name = `${prefix}${kind}-${at(1e9)}`;
      // what refers to itself through others would be a circle of flows
      if (kind === 'flow' && own.length > 3) continue;
      items.push(place.make(name, pick));
      log.push(`create ${name}`);
    } else if (choice < 0.65) {
      const name = own[at(own.length)]?.[place.name];
      const gone = new Set([name, `/${name}`, `/${name}/${name}-below`, `service-account-${name}`]);
      next = without(next, gone) as File;
      const users = (next.users ?? []) as Item[];
      next.users = users.filter(({ username }) => !gone.has(username));
      log.push(`delete ${name}`);
    } else if (choice < 0.8) {
      const name = String(own[at(own.length)]?.[place.name]);
      const other = `${prefix}${kind}-${at(1e9)}`;
      next = replaced(next, name, other);
      log.push(`rename ${name} ${other}`);
    } else {
      const item = items[at(items.length)] as Item;
      const field = fields[at(fields.length)] as string;
      // a field that a file does not give stays as it is, so that going back would not clear it
      if (field === place.name || item[field] === undefined) continue;
      item[field] = typeof item[field] === 'boolean' ? !item[field] : `text ${at(1000)}`;
      log.push(`${field} of ${String(item[place.name])}`);
    }
    if (random() < 0.3) {
      next.accessTokenLifespan = 60 + at(600);
      next.attributes = { ...(next.attributes as Item), [`own${at(3)}`]: `${at(100)}` };
      log.push('settings');
    }
  }
  return next;
}
