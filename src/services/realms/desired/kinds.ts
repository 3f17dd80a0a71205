import type { ModelName } from '../../../database/db.js';
import { isObject } from '../../core/json.js';

/** A part of a RealmRepresentation. */
export type Json = Record<string, unknown>;

/** The kinds of objects that a file of a realm can describe. Each has a mode. */
export const kinds = [
  'roles',
  'clientRoles',
  'groups',
  'clients',
  'clientScopes',
  'scopeMappings',
  'authenticationFlows',
  'authenticatorConfig',
  'requiredActions',
  'identityProviders',
  'identityProviderMappers',
  'components',
  'users',
  'localizationTexts',
  'webhooks',
] as const;
export type Kind = (typeof kinds)[number];

/**
 * The effect of a file on the objects of a kind. `FULL` deletes objects that it does not have. `KEEP` leaves them
 * unchanged. `ADD` only creates objects that the realm does not have.
 */
export const modes = ['FULL', 'KEEP', 'ADD'] as const;
export type Mode = (typeof modes)[number];

/** The lists in which a realm names the default groups and client scopes. */
export const defaultLists = ['defaultGroups', 'defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const;

/**
 * The parts of a realm with a mode: kinds of objects, mappers within clients and client scopes, lists of names, and the
 * settings of the realm.
 */
export const kindsWithMode = [...kinds, 'protocolMappers', ...defaultLists, 'settings'] as const;
export type KindWithMode = (typeof kindsWithMode)[number];
export type Modes = Partial<Record<KindWithMode, Mode>>;

/**
 * The default mode of a kind. Many files have only the service accounts and few settings, so users are never deleted by
 * default, and settings never reset.
 */
export const defaultModeOf = (kind: KindWithMode): Mode => (kind === 'users' || kind === 'settings' ? 'KEEP' : 'FULL');

/** The mode of a kind that the file describes. */
export const modeOf = (given: Modes, kind: KindWithMode): Mode => given[kind] ?? defaultModeOf(kind);

/** How the objects of a list are distinguished. */
export interface Keyed {
  model: ModelName;
  /** the name of an object in its list */
  key: (object: Json) => string;
  /** the field of the key that a file can change; undefined if objects have no name of their own */
  name: string | undefined;
  /** the name by which others refer to an object, if that is not its key */
  called?: (object: Json) => string;
  /**
   * whether several objects of a list can have the same name: objects without IDs are then distinguished by their order
   */
  repeats?: true;
  /** the field with the ID of an object */
  id: 'id' | '_id' | 'internalId';
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const by = (model: ModelName, field: string, id: Keyed['id'] = 'id'): Keyed => ({
  model,
  key: (object) => textOf(object[field]),
  name: field,
  id,
});

/** The protocol of mappers without a protocol in the file. */
export const standardProtocol = 'openid-connect';

export const keyed = {
  role: by('Role', 'name'),
  group: by('Group', 'name'),
  client: by('Client', 'clientId'),
  clientScope: by('ClientScope', 'name'),
  protocolMapper: {
    model: 'ProtocolMapper',
    key: ({ name, protocol }) => `${textOf(protocol) || standardProtocol} ${textOf(name)}`,
    name: 'name',
    id: 'id',
  },
  flow: by('AuthenticationFlow', 'alias'),
  authenticatorConfig: {
    ...by('AuthenticatorConfig', 'alias'),
    called: ({ id }) => textOf(id),
    repeats: true,
  },
  requiredAction: {
    model: 'RequiredAction',
    key: ({ alias, providerId }) => textOf(alias) || textOf(providerId),
    name: 'alias',
    id: 'id',
  },
  identityProvider: by('IdentityProvider', 'alias', 'internalId'),
  identityProviderMapper: {
    model: 'IdentityProviderMapper',
    key: ({ identityProviderAlias, name }) => `${textOf(identityProviderAlias)} ${textOf(name)}`,
    name: 'name',
    id: 'id',
  },
  component: {
    model: 'Component',
    key: ({ providerId, name, subType }) => `${textOf(providerId)} ${textOf(subType)} ${textOf(name)}`,
    name: 'name',
    id: 'id',
    repeats: true,
  },
  user: { model: 'User', key: ({ username }) => textOf(username).trim().toLowerCase(), name: 'username', id: 'id' },
  webhook: by('Webhook', 'name'),
  scopeMapping: {
    model: 'ClientScopeMapping',
    key: ({ client, clientScope }) => `${textOf(client)} ${textOf(clientScope)}`,
    name: undefined,
    id: 'id',
  },
  authorizationScope: by('AuthorizationScope', 'name'),
  authorizationResource: {
    model: 'AuthorizationResource',
    key: ({ name, owner }) => `${isObject(owner) ? textOf(owner.name) || textOf(owner.id) : ''} ${textOf(name)}`,
    called: ({ name }) => textOf(name),
    name: 'name',
    id: '_id',
  },
  authorizationPolicy: by('AuthorizationPolicy', 'name'),
} as const satisfies Record<string, Keyed>;

/** The ID of an object, by the name that its kind has for it. */
export const idOf = ({ id, _id, internalId }: Json): unknown => id ?? _id ?? internalId;

/** The objects in a list member of another object. */
export const listOf = (object: Json, name: string): Json[] => {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** The objects among the members of an object, by their names. */
export const mapOf = (object: Json, name: string): Json => {
  const value = object[name];
  return isObject(value) ? value : {};
};
