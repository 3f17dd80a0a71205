import { type FieldLines, type FieldValues, type FormField, fieldsOf, untyped, valuesAt } from '../parts/fields.js';
import type { UserError } from '../session/graphql.js';
import type { ClientPolicyConditionType, ClientPolicyExecutorType } from './documents.js';
import { texts } from './texts.js';

/** A condition of a policy, or an executor of a profile: its type, its settings, and those that no form shows. */
export interface PolicyPart<Type extends string> {
  type: Type;
  settings: object;
  config: readonly { name: string; value: string; settingName: string | null }[];
}

/** A kind of parts: where they are in the API, and the settings of each type. */
export interface PartKind<Type extends string> {
  path: 'conditions' | 'executors';
  types: Readonly<Record<Type, FieldLines<typeof texts>>>;
}

const kinds = ['PUBLIC', 'CONFIDENTIAL', 'BEARER_ONLY'];
const contexts = ['ANONYMOUS', 'AUTHENTICATED_USER', 'INITIAL_ACCESS_TOKEN', 'REGISTRATION_ACCESS_TOKEN'];
const roleNames = { roleNames: ['lines'] } as const;

/** The conditions of policies. */
export const conditions: PartKind<ClientPolicyConditionType> = {
  path: 'conditions',
  types: {
    ANY_CLIENT: {},
    CLIENT_ACCESS_TYPE: { kinds: ['choices', { choices: kinds }] },
    CLIENT_ROLES: roleNames,
    CLIENT_SCOPES: {
      clientScopeNames: ['lines'],
      clientScopeUse: [['DEFAULT', 'OPTIONAL']],
    },
    CLIENT_UPDATER_CONTEXT: { updaterContexts: ['choices', { choices: contexts }] },
    CLIENT_UPDATER_SOURCE_GROUPS: { groupNames: ['lines'] },
    CLIENT_UPDATER_SOURCE_HOST: { hosts: ['lines'] },
    CLIENT_UPDATER_SOURCE_ROLES: roleNames,
  },
};

const configures = {
  configuresClients: ['flag'],
} as const;
const algorithm = {
  defaultAlgorithm: [['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']],
} as const;
const period = { availablePeriod: ['seconds'] } as const;
const methods = ['client-secret', 'client-secret-jwt', 'client-jwt', 'client-x509'];

/** The executors of profiles. */
export const executors: PartKind<ClientPolicyExecutorType> = {
  path: 'executors',
  types: {
    CONFIDENTIAL_CLIENT: {},
    CONSENT_REQUIRED: {},
    DPOP_BIND_ENFORCER: { ...configures, requiresProofNonce: ['flag'] },
    // by default, it changes clients
    FULL_SCOPE_DISABLED: { configuresClients: [...configures.configuresClients, { start: true }] },
    HOLDER_OF_KEY_ENFORCER: configures,
    PKCE_ENFORCER: configures,
    REJECT_IMPLICIT_GRANT: configures,
    REJECT_ROPC_GRANT: configures,
    SECURE_AUTHORIZATION_RESPONSE: { codeLifespan: ['seconds'] },
    SECURE_CIBA_REQ_SIG_ALGORITHM: algorithm,
    SECURE_CIBA_SESSION: {},
    SECURE_CIBA_SIGNED_AUTHN_REQ: period,
    SECURE_CLIENT_AUTHENTICATOR: {
      allowedAuthenticators: ['choices', { choices: methods }],
      defaultAuthenticator: [methods],
    },
    SECURE_CLIENT_URIS: {},
    SECURE_PAR_CONTENT: {},
    SECURE_REQUEST_OBJECT: {
      ...period,
      requiresEncryption: ['flag'],
      verifiesNotBefore: ['flag'],
    },
    SECURE_RESPONSE_TYPE: {
      ...configures,
      allowsTokenResponseType: ['flag'],
    },
    SECURE_SESSION: {},
    SECURE_SIGNATURE_ALGORITHM: algorithm,
    SECURE_SIGNATURE_ALGORITHM_SIGNED_JWT: {
      requiresClientAssertion: ['flag'],
    },
    USE_LIGHTWEIGHT_ACCESS_TOKEN: {},
  },
};

const typesOf = <Type extends string>({ types }: PartKind<Type>) => Object.keys(types) as Type[];

/** The fields of the settings of a type. Their values are below the type, so that several types have settings of a name. */
const settingFields = <Type extends string>({ path, types }: PartKind<Type>, type: Type): FormField[] =>
  fieldsOf(texts, types[type]).map((field) => ({ ...field, path: `${path}.${type}.${field.path}` }));

/** The fields of parts: their types, and the settings of those that are chosen. */
export const partFields = <Type extends string>(
  kind: PartKind<Type>,
  values: FieldValues,
  nameOf: (type: string) => string,
): FormField[] => [
  { path: 'types', label: texts[kind.path], kind: 'choices', choices: typesOf(kind), isRequired: true },
  ...typesOf(kind)
    .filter((type) => (values.types as string[] | undefined)?.includes(type))
    .flatMap((type) => settingFields(kind, type))
    .map((field) => ({ ...field, hint: hintOf(field, nameOf) })),
];

/** Says which part a setting belongs to. */
const hintOf = ({ path }: FormField, nameOf: (type: string) => string) => nameOf(path.split('.')[1] ?? '');

/** The values of the fields of parts that are stored. */
export const partValues = <Type extends string>(
  kind: PartKind<Type>,
  parts: readonly PolicyPart<Type>[],
): FieldValues => ({
  types: [...new Set(parts.map(({ type }) => type))],
  ...Object.fromEntries(
    // of several parts of a type, the form shows the first
    parts.toReversed().flatMap(({ type, settings }) => {
      const fields = settingFields(kind, type);
      const values = Object.entries(valuesAt(fields, { [kind.path]: { [type]: settings } }));
      return values.map(([path, value]) => [path, value ?? fields.find((field) => field.path === path)?.start]);
    }),
  ),
});

/** The entries that stay as they are stored. A value that its field could not show gives way to that of the form. */
const keptEntries = (config: PolicyPart<string>['config'], settings: FieldValues = {}) =>
  config
    .filter(({ settingName }) => settingName === null || settings[settingName] == null)
    .map(({ name, value }) => ({ name, value }));

/** The input of the API for parts that stay as they are stored. */
export const storedParts = <Part extends PolicyPart<string>>(parts: readonly Part[]) =>
  untyped(parts.map((part) => ({ ...part, config: keptEntries(part.config) })));

/** The parts for the values of a form. What no form shows is kept: other settings, and further parts of a type. */
export function partsOf<Type extends string>(
  { path }: PartKind<Type>,
  values: FieldValues,
  before: readonly PolicyPart<Type>[] = [],
) {
  const types = (values.types ?? []) as Type[];
  const settings = (values[path] ?? {}) as Record<string, FieldValues>;
  const first = (type: Type) => before.findIndex((part) => part.type === type);
  const shown = types.map((type) => ({
    type,
    settings: settings[type] ?? {},
    config: keptEntries(before[first(type)]?.config ?? [], settings[type]),
  }));
  const others = before.filter(({ type }, at) => types.includes(type) && first(type) < at);
  return [...untyped(shown), ...storedParts(others)];
}

/** Errors of the item of a list at a place as errors of its form. Those of other items belong to no field. */
export const errorsAt = (errors: UserError[], place: number, path: string, types: readonly string[]): UserError[] =>
  errors.map((error) => {
    const [, index, ...rest] = error.path ?? [];
    if (index !== undefined && index !== String(place)) return { ...error, path: null };
    const [first, at, , setting] = rest;
    if (first !== path) return { ...error, path: rest.length > 0 ? rest : error.path && ['name'] };
    return { ...error, path: setting ? [path, types[Number(at)] ?? '', setting] : ['types'] };
  });
