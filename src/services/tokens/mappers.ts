import { addAudience, type Claims, claimPath, putClaim, typedValue } from './claims.js';
import { members } from './context.js';
import { allowedOrigins, type TokenClient, type TokenMapper, type TokenUser } from './parties.js';
import type { TokenRole } from './roles.js';

/** The token that is being written, by the switch of the mappers that puts a claim into it. */
export type TokenKind = 'access.token.claim' | 'id.token.claim' | 'userinfo.token.claim';

/** What mappers take their values from. */
export interface MapperInput {
  user: TokenUser;
  client: TokenClient;
  /** the roles that the client gets to see */
  roles: readonly TokenRole[];
  /** paths of the groups of the user; only read where a mapper asks for them */
  groups: readonly string[];
  /** notes of the session, such as the address that a service account came from */
  notes: Readonly<Record<string, string | undefined>>;
}

type Config = Record<string, unknown>;
type Write = (claims: Claims, config: Config, input: MapperInput, kind: TokenKind) => void;

const text = (config: Config, name: string): string => {
  const value = config[name];
  return typeof value === 'string' ? value : '';
};

const put = (claims: Claims, config: Config, values: readonly (string | null | undefined)[]): void =>
  putClaim(
    claims,
    claimPath(text(config, 'claim.name')),
    typedValue(
      values.filter((value): value is string => value != null),
      config,
    ),
  );

const attribute = ({ user }: MapperInput, name: string): string[] =>
  user.attributes.filter((entry) => entry.name === name).map(({ value }) => value);

const property = ({ user }: MapperInput, name: string): string | null | undefined => {
  const properties: Record<string, string | null | undefined> = {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    emailVerified: String(user.emailVerified),
    enabled: String(user.enabled),
    createdTimestamp: user.createdTimestamp?.toString(),
  };
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
};

const address = {
  street: 'street_address',
  locality: 'locality',
  region: 'region',
  postal_code: 'postal_code',
  country: 'country',
  formatted: 'formatted',
};

const writers = new Map<string, Write>(
  Object.entries({
    'oidc-usermodel-property-mapper': (claims, config, input) =>
      put(claims, config, [property(input, text(config, 'user.attribute'))]),
    'oidc-usermodel-attribute-mapper': (claims, config, input) => {
      const name = text(config, 'user.attribute');
      const values = attribute(input, name);
      put(claims, config, values.length > 0 ? values : [property(input, name)]);
    },
    'oidc-full-name-mapper': (claims, _, { user }) => {
      const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
      if (name !== '') claims.name = name;
    },
    'oidc-address-mapper': (claims, config, input) => {
      const found = Object.entries(address).flatMap(([part, claim]) => {
        const [value] = attribute(input, text(config, `user.attribute.${part}`) || part);
        return value === undefined ? [] : [[claim, value]];
      });
      if (found.length > 0) claims.address = Object.fromEntries(found);
    },
    'oidc-usermodel-realm-role-mapper': (claims, config, { roles }) => {
      const prefix = text(config, 'usermodel.realmRoleMapping.rolePrefix');
      put(
        claims,
        config,
        roles.filter(({ clientId }) => clientId === undefined).map(({ name }) => prefix + name),
      );
    },
    'oidc-usermodel-client-role-mapper': writeClientRoles,
    'oidc-group-membership-mapper': (claims, config, { groups }) => {
      const full = config['full.path'] !== 'false';
      const names = groups.map((path) => (full ? path : path.slice(path.lastIndexOf('/') + 1)));
      putClaim(claims, claimPath(text(config, 'claim.name')), names);
    },
    'oidc-audience-resolve-mapper': (claims, _, { roles, client }, kind) => {
      if (kind !== 'access.token.claim') return;
      for (const { clientId } of roles)
        if (clientId !== undefined && clientId !== client.clientId) addAudience(claims, clientId);
    },
    'oidc-audience-mapper': (claims, config) => {
      const audience = text(config, 'included.client.audience') || text(config, 'included.custom.audience');
      if (audience !== '') addAudience(claims, audience);
    },
    'oidc-allowed-origins-mapper': (claims, _, { client }, kind) => {
      const origins = allowedOrigins(client);
      if (kind === 'access.token.claim' && origins.length > 0) claims['allowed-origins'] = origins;
    },
    'oidc-hardcoded-claim-mapper': (claims, config) => put(claims, config, [text(config, 'claim.value') || undefined]),
    'oidc-usersessionmodel-note-mapper': (claims, config, { notes }) =>
      put(claims, config, [notes[text(config, 'user.session.note')]]),
  } satisfies Record<string, Write>),
);

function writeClientRoles(claims: Claims, config: Config, { roles }: MapperInput): void {
  const only = text(config, 'usermodel.clientRoleMapping.clientId');
  const prefix = text(config, 'usermodel.clientRoleMapping.rolePrefix');
  const byClient = new Map<string, string[]>();
  for (const { clientId, name } of roles) {
    if (clientId === undefined || (only !== '' && clientId !== only)) continue;
    byClient.set(clientId, [...(byClient.get(clientId) ?? []), prefix + name]);
  }
  const claim = text(config, 'claim.name');
  for (const [clientId, names] of byClient) {
    // the dots of a client's name are no levels of the claim
    const path = claimPath(claim.replace(/\$\{client_id\}/g, () => clientId.replaceAll('.', '\\.')));
    putClaim(claims, path, typedValue(names, config));
  }
}

// These have no switch of their own and write what the reference always has in the access token.
const unswitched = new Set(['oidc-audience-resolve-mapper', 'oidc-allowed-origins-mapper']);

/** Lets the protocol mappers write their claims into the token. Mappers of unknown kinds write nothing. */
export function applyMappers(
  claims: Claims,
  mappers: readonly TokenMapper[],
  input: MapperInput,
  kind: TokenKind,
): void {
  const roles = [...input.roles, ...hardcodedRoles(mappers)];
  for (const { protocolMapper, config: stored } of mappers) {
    const config = members(stored);
    if (protocolMapper === null || (!unswitched.has(protocolMapper) && config[kind] !== 'true')) continue;
    writers.get(protocolMapper)?.(claims, config, { ...input, roles }, kind);
  }
}

/** Whether a mapper needs the groups of the user. */
export const needsGroups = (mappers: readonly TokenMapper[]): boolean =>
  mappers.some(({ protocolMapper }) => protocolMapper === 'oidc-group-membership-mapper');

/** Roles that mappers add for every user, named `role` or `client.role`. */
function hardcodedRoles(mappers: readonly TokenMapper[]): TokenRole[] {
  return mappers.flatMap(({ protocolMapper, config }) => {
    const role = text(members(config), 'role');
    if (protocolMapper !== 'oidc-hardcoded-role-mapper' || role === '') return [];
    const dot = role.lastIndexOf('.');
    return [{ id: '', name: role.slice(dot + 1), clientId: dot < 0 ? undefined : role.slice(0, dot) }];
  });
}
