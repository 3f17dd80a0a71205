import { isAdminTool } from '../core/held-rights.js';
import { members, ownMember } from '../core/json.js';
import { addAudience, type Claims, claimPath, putClaim, typedValue } from './claims.js';
import { allowedOrigins } from './origins.js';
import { pairwiseMapper, pairwiseSubject } from './pairwise-subject.js';
import { protectedClaims } from './protected-claims.js';
import { type RequestedClaims, requestable } from './requested-claims.js';
import type { TokenClient, TokenGroup, TokenMapper, TokenRole, TokenUser } from './types.js';

/** The token that is being written, by the switch of the mappers that puts a claim into it. */
export type TokenKind =
  | 'access.token.claim'
  | 'lightweight.claim'
  | 'introspection.token.claim'
  | 'id.token.claim'
  | 'userinfo.token.claim'
  | 'access.tokenResponse.claim';

/** The claims of access tokens: in the token itself, in one that has few claims, and in what introspection tells of that. */
const accessKinds: readonly TokenKind[] = ['access.token.claim', 'lightweight.claim', 'introspection.token.claim'];

/** What mappers take their values from. */
export interface MapperInput {
  user: TokenUser;
  client: TokenClient;
  /** the roles that the client gets to see */
  roles: readonly TokenRole[];
  /** the groups of the user; only read where a mapper asks for them */
  groups: readonly TokenGroup[];
  /** notes of the session, such as the address that a service account came from */
  notes: Readonly<Record<string, string | undefined>>;
  /** scheme, host and base path of the server, without a slash at the end */
  baseUrl: string;
  /** the claims that the client asked for by name */
  requested: RequestedClaims | undefined;
}

type Config = Record<string, unknown>;

/** A token while its mappers write it. */
interface Draft {
  /** claims under the names that mappers choose */
  own: Claims;
  /** protected claims, which only the mappers made for them add to */
  standard: Claims;
}

type Write = (draft: Draft, config: Config, input: MapperInput, kind: TokenKind) => void;

const text = (config: Config, name: string): string => {
  const value = config[name];
  return typeof value === 'string' ? value : '';
};

const put = ({ own }: Draft, config: Config, values: readonly (string | null | undefined)[]): void =>
  putClaim(
    own,
    claimPath(text(config, 'claim.name')),
    typedValue(
      values.filter((value): value is string => value != null),
      config,
    ),
  );

const attribute = ({ user }: Pick<MapperInput, 'user'>, name: string): string[] =>
  user.attributes.filter((entry) => entry.name === name).map(({ value }) => value);

/** A property of a user by the name that mappers have for it. */
export const userProperty = (user: TokenUser, name: string): string | null | undefined => {
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
  return ownMember(properties, name);
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
    'oidc-usermodel-property-mapper': (draft, config, input) =>
      put(draft, config, [userProperty(input.user, text(config, 'user.attribute'))]),
    'oidc-usermodel-attribute-mapper': (draft, config, input) => put(draft, config, userAttribute(config, input)),
    'oidc-full-name-mapper': writeFullName,
    'oidc-claims-param-token-mapper': (draft, _, input, kind) => {
      const { idToken = [], userInfo = [] } = input.requested ?? {};
      const wanted = kind === 'id.token.claim' ? idToken : kind === 'userinfo.token.claim' ? userInfo : [];
      for (const claim of wanted) {
        const value = userProperty(input.user, ownMember(requestable, claim) ?? '');
        if (claim === 'name') writeFullName(draft, {}, input);
        else if (value != null) draft.own[claim] = value;
      }
    },
    'oidc-address-mapper': ({ own }, config, input) => {
      const found = Object.entries(address).flatMap(([part, claim]) => {
        const [value] = attribute(input, text(config, `user.attribute.${part}`) || part);
        return value === undefined ? [] : [[claim, value]];
      });
      if (found.length > 0) own.address = Object.fromEntries(found);
    },
    'oidc-usermodel-realm-role-mapper': ({ own }, config, { roles }) => {
      const prefix = text(config, 'usermodel.realmRoleMapping.rolePrefix');
      const names = roles.filter(({ clientId }) => clientId === undefined).map(({ name }) => prefix + name);
      putRoles(own, claimPath(text(config, 'claim.name')), names, config);
    },
    'oidc-usermodel-client-role-mapper': writeClientRoles,
    'oidc-group-membership-mapper': ({ own }, config, { groups }) => {
      const full = config['full.path'] === 'true';
      const names = groups.map(({ path }) => (full ? path : path.slice(path.lastIndexOf('/') + 1)));
      putClaim(own, claimPath(text(config, 'claim.name')), names);
    },
    'oidc-audience-resolve-mapper': ({ standard }, _, { roles, client }, kind) => {
      if (!accessKinds.includes(kind)) return;
      for (const { clientId } of roles)
        if (clientId !== undefined && clientId !== client.clientId) addAudience(standard, clientId);
    },
    'oidc-audience-mapper': ({ standard }, config, _, kind) => {
      // what is not a token has no audience
      if (kind === 'userinfo.token.claim') return;
      const audience = text(config, 'included.client.audience') || text(config, 'included.custom.audience');
      if (audience !== '') addAudience(standard, audience);
    },
    'oidc-allowed-origins-mapper': ({ standard }, _, { client, baseUrl }, kind) => {
      const origins = allowedOrigins(client, baseUrl);
      if (accessKinds.includes(kind) && origins.length > 0) standard['allowed-origins'] = origins;
    },
    [pairwiseMapper]: ({ standard }, config, { user, client }) => {
      // administration knows its callers by their ids, whatever a client scope has that others manage
      if (isAdminTool(client.clientId)) return;
      const subject = pairwiseSubject(client, user.id, config);
      if (subject !== undefined) standard.sub = subject;
    },
    'oidc-hardcoded-claim-mapper': (draft, config) => put(draft, config, [text(config, 'claim.value') || undefined]),
    'oidc-usersessionmodel-note-mapper': (draft, config, { notes }) =>
      put(draft, config, [ownMember(notes, text(config, 'user.session.note'))]),
  } satisfies Record<string, Write>),
);

function writeFullName({ own }: Draft, _: Config, { user }: MapperInput): void {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  if (name !== '') own.name = name;
}

function writeClientRoles({ own }: Draft, config: Config, { roles }: MapperInput): void {
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
    putRoles(own, path, names, config);
  }
}

/** A user's attribute; where the user has none, or they add up, those of the groups. */
export function userAttribute(
  config: Config,
  input: Pick<MapperInput, 'user' | 'groups'>,
): (string | null | undefined)[] {
  const name = text(config, 'user.attribute');
  const own = attribute(input, name);
  const known = own.length > 0 ? own : [userProperty(input.user, name)].filter((value) => value != null);
  const ofGroups = input.groups.flatMap(({ attributes }) => {
    const values = attributes.get(name);
    return values ? [values] : [];
  });
  if (config['aggregate.attrs'] === 'true') return [...new Set([...known, ...ofGroups.flat()])];
  return known.length > 0 ? known : [...(ofGroups[0] ?? [])];
}

/** Roles are a list; a claim that is not to be one has them in one text, as the reference writes lists. */
function putRoles(claims: Claims, path: readonly string[], names: string[], config: Config): void {
  putClaim(claims, path, config.multivalued === 'true' ? typedValue(names, config) : `[${names.join(', ')}]`);
}

// These write where their switch does not say otherwise, and into access tokens only.
const switchedOn = new Set(['oidc-audience-resolve-mapper', 'oidc-allowed-origins-mapper']);

/**
 * Whether a mapper writes its claim into tokens of this kind. An introspection has the claims of the access token where the mapper
 * does not say otherwise. Few claims are what makes a lightweight token, so that each has to be switched on. A pairwise subject is in
 * all tokens, as the other subject would tell who it is.
 */
function writesInto(protocolMapper: string, config: Config, kind: TokenKind): boolean {
  if (protocolMapper === pairwiseMapper) return true;
  if (kind === 'lightweight.claim') return config[kind] === 'true';
  const own = config[kind];
  const value = kind === 'introspection.token.claim' ? (own ?? config['access.token.claim']) : own;
  return switchedOn.has(protocolMapper) ? value !== 'false' : value === 'true';
}

/** Further roles first, then audiences, then the claims that tell of roles. */
const priorities: Record<string, number> = {
  'oidc-audience-resolve-mapper': 30,
  'oidc-usermodel-realm-role-mapper': 40,
  'oidc-usermodel-client-role-mapper': 40,
};
const priorityOf = ({ protocolMapper }: TokenMapper): number => ownMember(priorities, protocolMapper ?? '') ?? 0;

/**
 * The claims of a token with those that the protocol mappers write, besides protected ones. Mappers of unknown kinds write
 * nothing.
 */
export function mappedClaims(
  claims: Claims,
  mappers: readonly TokenMapper[],
  input: MapperInput,
  kind: TokenKind,
): Claims {
  const draft: Draft = { own: {}, standard: { ...claims } };
  const roles = [...renamedRoles(input.roles, mappers), ...hardcodedRoles(mappers)];
  const ordered = mappers.toSorted((one, other) => priorityOf(one) - priorityOf(other));
  for (const { protocolMapper, config: stored } of ordered) {
    const config = members(stored);
    if (protocolMapper === null || !writesInto(protocolMapper, config, kind)) continue;
    writers.get(protocolMapper)?.(draft, config, { ...input, roles }, kind);
  }
  const settable = Object.entries(draft.own).filter(([name]) => !protectedClaims.has(name));
  return { ...Object.fromEntries(settable), ...draft.standard };
}

/** Mappers that can write into the answer of the token endpoint, beside the tokens. */
const answering = new Set(['oidc-hardcoded-claim-mapper', 'oidc-usersessionmodel-note-mapper']);

/** Members that mappers add to the answer of the token endpoint. */
export const answeredClaims = (mappers: readonly TokenMapper[], input: MapperInput): Claims =>
  mappedClaims(
    {},
    mappers.filter(({ protocolMapper }) => answering.has(protocolMapper ?? '')),
    input,
    'access.tokenResponse.claim',
  );

/** A role by the name that mappers give it: `role`, or `client.role`. */
export function namedRole(name: string): TokenRole {
  const dot = name.lastIndexOf('.');
  return { id: '', name: name.slice(dot + 1), clientId: dot < 0 ? undefined : name.slice(0, dot) };
}

/** The roles under the names that mappers give them, which may move them to another client. */
function renamedRoles(roles: readonly TokenRole[], mappers: readonly TokenMapper[]): TokenRole[] {
  return mappers.reduce<TokenRole[]>(
    (known, { protocolMapper, config }) => {
      const [from, to] = [text(members(config), 'role'), text(members(config), 'new.role.name')];
      if (protocolMapper !== 'oidc-role-name-mapper' || from === '' || to === '') return known;
      const [before, after] = [namedRole(from), namedRole(to)];
      return known.map((role) => (role.name === before.name && role.clientId === before.clientId ? after : role));
    },
    [...roles],
  );
}

/** Roles that mappers add for every user, named `role` or `client.role`. */
function hardcodedRoles(mappers: readonly TokenMapper[]): TokenRole[] {
  return mappers.flatMap(({ protocolMapper, config }) => {
    const role = text(members(config), 'role');
    return protocolMapper === 'oidc-hardcoded-role-mapper' && role !== '' ? [namedRole(role)] : [];
  });
}
