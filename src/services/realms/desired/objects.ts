import type { ModelName } from '../../../database/db.js';
import type { Row } from './delta.js';

/** The kinds of objects in a plan, named as in admin events. */
export const objectKinds = [
  'REALM',
  'AUTH_FLOW',
  'AUTHENTICATOR_CONFIG',
  'REQUIRED_ACTION',
  'COMPONENT',
  'IDENTITY_PROVIDER',
  'IDENTITY_PROVIDER_MAPPER',
  'CLIENT_SCOPE',
  'CLIENT',
  'REALM_ROLE',
  'CLIENT_ROLE',
  'GROUP',
  'USER',
] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** An object by its kind and its name. */
export interface NamedObject {
  kind: ObjectKind;
  /** the name of the object within its kind: a clientId, the path of a group */
  key: string;
}

/** The name of an object for users, such as `CLIENT/shop`. */
export const objectName = ({ kind, key }: NamedObject): string => `${kind}/${key}`;

/** The object that a row belongs to. */
export interface Owner {
  model: ModelName;
  id: unknown;
}

/** Finds a row by its ID. */
export type Index = (model: ModelName, id: unknown) => Row | undefined;

/** The text of a value in names and paths. */
export const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The name of a role; for a client role it begins with the clientId. */
export function roleLabel(at: Index, id: unknown): string {
  const role = at('Role', id);
  if (!role) return text(id);
  const client = role.clientId ? at('Client', role.clientId) : undefined;
  return client ? `${text(client.clientId)}/${text(role.name)}` : text(role.name);
}

interface Whole {
  kind: (row: Row) => ObjectKind;
  key: (row: Row, at: Index) => string;
  path: (row: Row) => string;
}

const whole = (kind: ObjectKind, key: string, path: (row: Row) => string): Whole => ({
  kind: () => kind,
  key: (row) => text(row[key]),
  path,
});

/** The models whose rows are separate objects. */
export const wholes: { [M in ModelName]?: Whole } = {
  Realm: whole('REALM', 'name', () => ''),
  AuthenticationFlow: whole('AUTH_FLOW', 'alias', ({ id }) => `authentication/flows/${text(id)}`),
  AuthenticatorConfig: whole('AUTHENTICATOR_CONFIG', 'alias', ({ id }) => `authentication/config/${text(id)}`),
  RequiredAction: whole('REQUIRED_ACTION', 'alias', ({ alias }) => `authentication/required-actions/${text(alias)}`),
  Component: whole('COMPONENT', 'name', ({ id }) => `components/${text(id)}`),
  IdentityProvider: whole('IDENTITY_PROVIDER', 'alias', ({ alias }) => `identity-provider/instances/${text(alias)}`),
  IdentityProviderMapper: {
    kind: () => 'IDENTITY_PROVIDER_MAPPER',
    key: ({ identityProviderAlias, name }) => `${text(identityProviderAlias)}/${text(name)}`,
    path: ({ identityProviderAlias, id }) =>
      `identity-provider/instances/${text(identityProviderAlias)}/mappers/${text(id)}`,
  },
  ClientScope: whole('CLIENT_SCOPE', 'name', ({ id }) => `client-scopes/${text(id)}`),
  Client: whole('CLIENT', 'clientId', ({ id }) => `clients/${text(id)}`),
  Role: {
    kind: ({ clientId }) => (clientId ? 'CLIENT_ROLE' : 'REALM_ROLE'),
    key: (row, at) => roleLabel(at, row.id),
    path: ({ id }) => `roles-by-id/${text(id)}`,
  },
  Group: whole('GROUP', 'path', ({ id }) => `groups/${text(id)}`),
  User: whole('USER', 'username', ({ id }) => `users/${text(id)}`),
};
