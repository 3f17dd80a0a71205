import { isObject, members, ownMember } from '../../core/json.js';
import { standardProtocol } from '../desired/kinds.js';
import { type Shape, shapeName, shapeOf } from './shape.js';

type Item = Record<string, unknown>;

interface NaturalKey {
  /** the field that an object must have, as messages name it */
  field: string;
  /** undefined if the key is the value of the field */
  of?: (item: Item) => unknown;
}

const field = (name: string): NaturalKey => ({ field: name });

/** A key of several fields. Only the first one is required. */
const fields = (first: string, ...others: string[]): NaturalKey => ({
  field: first,
  of: (item) =>
    item[first] === undefined ? undefined : [first, ...others].map((name) => item[name] ?? '').join(separator),
});
const separator = ' / ';

const lastPart = (path: unknown): unknown => (typeof path === 'string' ? path.split('/').at(-1) : undefined);
const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const ownerName = (owner: unknown): unknown => (isObject(owner) ? (owner['name'] ?? owner['id']) : owner);

/** The natural keys of objects in a list, by the name of their shape. Lists of other shapes have no keys. */
const keys: Readonly<Record<string, NaturalKey>> = {
  ClientRepresentation: field('clientId'),
  ClientScopeRepresentation: field('name'),
  RoleRepresentation: field('name'),
  GroupRepresentation: { field: 'name', of: ({ name, path }) => name ?? lastPart(path) },
  UserRepresentation: { field: 'username', of: ({ username, email }) => lowerCase(username ?? email) },
  // mappers of two protocols may have one name
  ProtocolMapperRepresentation: {
    field: 'name',
    of: ({ name, protocol = standardProtocol }) =>
      protocol === standardProtocol ? name : name && [name, protocol].join(separator),
  },
  IdentityProviderRepresentation: field('alias'),
  IdentityProviderMapperRepresentation: fields('name', 'identityProviderAlias'),
  // default policies of a realm differ only in their subType
  ComponentExportRepresentation: fields('name', 'providerId', 'subType'),
  AuthenticationFlowRepresentation: field('alias'),
  AuthenticatorConfigRepresentation: field('alias'),
  RequiredActionProviderRepresentation: { field: 'alias', of: ({ alias, providerId }) => alias ?? providerId },
  ScopeMappingRepresentation: {
    field: 'client` or `clientScope',
    of: ({ client, clientScope }) =>
      client === undefined ? clientScope && `scope ${clientScope}` : `client ${client}`,
  },
  WebhookExportRepresentation: field('name'),
  ClientPolicyRepresentation: field('name'),
  ClientProfileRepresentation: field('name'),
  // names are unique for each owner
  ResourceRepresentation: {
    field: 'name',
    of: ({ name, owner }) => name && [name, ownerName(owner) ?? ''].join(separator),
  },
  ScopeRepresentation: field('name'),
  PolicyRepresentation: field('name'),
  FederatedIdentityRepresentation: field('identityProvider'),
  UserConsentRepresentation: field('clientId'),
};

/** Shapes of objects whose natural keys can repeat in a realm. They need IDs to be distinguished. */
const repeating = new Set(['AuthenticatorConfigRepresentation', 'ComponentExportRepresentation']);

/** The ID that distinguishes an object from others with the same natural key; undefined if there cannot be others. */
export const distinctId = (shape: Shape | undefined, item: unknown): string | undefined => {
  const { id } = members(item);
  return repeating.has(shapeName(shape) ?? '') && typeof id === 'string' ? id : undefined;
};

const keyOf = (shape: Shape | undefined): NaturalKey | undefined => ownMember(keys, shapeName(shape) ?? '');

/** The field of a shape's natural key, for messages. */
export const keyField = (shape: Shape | undefined): string => `\`${keyOf(shape)?.field}\``;

/** Lists of keyed objects whose order matters: policies refer to earlier ones. */
const ordered = new Set(['PolicyRepresentation', 'ClientPolicyRepresentation', 'ClientProfileRepresentation']);

/** Whether the items of a list have natural keys. */
export const isKeyedList = (list: Shape | undefined): boolean => isKeyed(shapeOf(list, 0));

/** Whether a list can be sorted by the natural keys of its items without a change of its meaning. */
export const isUnordered = (list: Shape | undefined): boolean =>
  isKeyedList(list) && !ordered.has(shapeName(shapeOf(list, 0)) ?? '');

/** Whether objects of a shape have a natural key. */
export const isKeyed = (shape: Shape | undefined): boolean => keyOf(shape) !== undefined;

/** The natural key of an object; undefined if it lacks one. */
export function naturalKey(shape: Shape | undefined, item: unknown): string | undefined {
  const natural = keyOf(shape);
  if (!natural || !isObject(item)) return undefined;
  const key = natural.of ? natural.of(item) : item[natural.field];
  return key === undefined || key === null || key === '' ? undefined : String(key);
}

/** The name of an object in messages and file names: its natural key as written in the file. */
export function label(shape: Shape | undefined, item: unknown): string | undefined {
  const { username } = members(item);
  if (shapeName(shape) === 'UserRepresentation' && typeof username === 'string') return username;
  const parts = naturalKey(shape, item)?.split(separator);
  return parts?.filter((part) => part !== '').join(separator);
}
