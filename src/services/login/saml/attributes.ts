import { members, ownMember } from '../../core/json.js';
import { attributeNameFormats } from '../../saml/names.js';
import { namedRole, userAttribute, userProperty } from '../../tokens/mappers.js';
import type { TokenClient, TokenGroup, TokenMapper, TokenRole, TokenUser } from '../../tokens/types.js';

/** An attribute of an assertion (SAML 2.0 core, section 2.7.3.1). */
export interface AssertionAttribute {
  name: string;
  nameFormat: string;
  friendlyName: string | undefined;
  values: readonly string[];
}

/** What the mappers of a SAML client take their values from. */
export interface AssertionInput {
  user: TokenUser;
  client: TokenClient;
  /** the roles that the client gets to see */
  roles: readonly TokenRole[];
  groups: readonly TokenGroup[];
  /** notes of the session */
  notes: Readonly<Record<string, unknown>>;
  /** whether all roles are values of one attribute, whatever a mapper says */
  joinsRoles: boolean;
}

type Config = Record<string, unknown>;
type Read = (config: Config, input: AssertionInput) => AssertionAttribute[];

const text = (config: Config, name: string): string => {
  const value = config[name];
  return typeof value === 'string' ? value : '';
};

/** The attribute that a mapper writes; none without a name or a value. */
function attribute(
  config: Config,
  values: readonly (string | null | undefined)[],
  name = text(config, 'attribute.name'),
) {
  const present = values.filter((value): value is string => value != null);
  if (name === '' || present.length === 0) return [];
  const format = text(config, 'attribute.nameformat');
  // mappers that come with the server name the format itself
  const isFormat = Object.values(attributeNameFormats).includes(format);
  const nameFormat = isFormat ? format : (ownMember(attributeNameFormats, format) ?? attributeNameFormats.Basic ?? '');
  return [{ name, nameFormat, friendlyName: text(config, 'friendly.name') || undefined, values: present }];
}

/** A list as one attribute with several values, or as one attribute for each. */
const list = (config: Config, values: readonly string[], name: string, isJoined: boolean): AssertionAttribute[] =>
  isJoined ? attribute(config, values, name) : values.flatMap((value) => attribute(config, [value], name));

const readers: Record<string, Read> = {
  'saml-user-property-mapper': (config, { user }) =>
    attribute(config, [userProperty(user, text(config, 'user.attribute'))]),
  'saml-user-attribute-mapper': (config, input) => attribute(config, userAttribute(config, input)),
  'saml-hardcode-attribute-mapper': (config) => attribute(config, [text(config, 'attribute.value')]),
  'saml-user-session-note-mapper': (config, { notes }) => {
    const note = ownMember(notes, text(config, 'note'));
    return attribute(config, [typeof note === 'string' ? note : undefined]);
  },
  'saml-group-membership-mapper': (config, { groups }) => {
    const isFull = config['full.path'] !== 'false';
    const names = groups.map(({ path }) => (isFull ? path : path.slice(path.lastIndexOf('/') + 1)));
    return list(config, names, text(config, 'attribute.name') || 'member', config.single === 'true');
  },
  'saml-role-list-mapper': (config, { roles, joinsRoles }) => {
    const names = [...new Set(roles.map(({ name }) => name))];
    return list(config, names, text(config, 'attribute.name') || 'Role', joinsRoles || config.single === 'true');
  },
};

/** The attributes that the mappers of a client write. Mappers of other kinds, such as scripts, write nothing. */
export function mappedAttributes(mappers: readonly TokenMapper[], input: AssertionInput): AssertionAttribute[] {
  const roles = [...renamedRoles(input.roles, mappers), ...hardcodedRoles(mappers)];
  return mappers.flatMap(({ protocolMapper, config }) =>
    (ownMember(readers, protocolMapper ?? '') ?? (() => []))(members(config), { ...input, roles }),
  );
}

/** The roles under the names that mappers give them. */
function renamedRoles(roles: readonly TokenRole[], mappers: readonly TokenMapper[]): TokenRole[] {
  const renames = mappers.flatMap(({ protocolMapper, config: stored }) => {
    const config = members(stored);
    const [from, to] = [text(config, 'role'), text(config, 'new.role.name')];
    return protocolMapper === 'saml-role-name-mapper' && from !== '' && to !== ''
      ? [{ role: namedRole(from), to }]
      : [];
  });
  return roles.map((role) => {
    const rename = renames.find((one) => one.role.name === role.name && one.role.clientId === role.clientId);
    return rename ? { ...role, name: rename.to } : role;
  });
}

/** Roles that mappers add for every user, in the words of the mapper. */
const hardcodedRoles = (mappers: readonly TokenMapper[]): TokenRole[] =>
  mappers.flatMap(({ protocolMapper, config }) => {
    const name = text(members(config), 'role');
    return protocolMapper === 'saml-hardcode-role-mapper' && name !== '' ? [{ id: '', name, clientId: undefined }] : [];
  });

/** Whom an assertion is for: the client, and those whom its mappers add (SAML 2.0 core, section 2.5.1.4). */
export function audiences(mappers: readonly TokenMapper[], { client, roles }: AssertionInput): string[] {
  const added = mappers.flatMap(({ protocolMapper, config: stored }) => {
    const config = members(stored);
    if (protocolMapper === 'saml-audience-mapper') {
      return [text(config, 'included.client.audience') || text(config, 'included.custom.audience')];
    }
    return protocolMapper === 'saml-audience-resolve-mapper' ? roles.map(({ clientId }) => clientId ?? '') : [];
  });
  return [...new Set([client.clientId, ...added.filter((name) => name !== '')])];
}
