import {
  choiceField,
  descriptionField,
  type FieldLine,
  type FieldValues,
  type FormField,
  fieldsOf,
} from '../parts/fields.js';
import type { AuthorizationPolicySettingsInput } from '../session/documents.js';
import { type Text, words } from '../text/words.js';
import type { AuthorizationPolicyType, PolicyDetailQuery } from './documents.js';
import { texts } from './text.js';

type LoadedPolicy = Extract<NonNullable<PolicyDetailQuery['node']>, { type: unknown }>;
/** A kind of policy or permission, as settings are named. */
export type PolicyKind = keyof AuthorizationPolicySettingsInput;

/** The kinds of policies and permissions, by the types that they have when they are stored. */
const kinds: Partial<Record<AuthorizationPolicyType, PolicyKind>> = {
  ROLE: 'role',
  USER: 'user',
  GROUP: 'group',
  CLIENT: 'client',
  CLIENT_SCOPE: 'clientScope',
  TIME: 'time',
  REGEX: 'regex',
  AGGREGATED: 'aggregated',
  RESOURCE: 'resourcePermission',
  SCOPE: 'scopePermission',
};

/** Names of the kinds. */
const kindNames: Record<PolicyKind, Text> = {
  role: words.roles,
  user: words.users,
  group: words.groups,
  client: words.clients,
  clientScope: ['Client scopes', 'Client-Scopes'],
  time: ['Time', 'Zeit'],
  regex: ['Regular expression on a claim', 'Regulärer Ausdruck für einen Claim'],
  aggregated: ['Other policies', 'Andere Policies'],
  resourcePermission: ['Permission for resources', 'Berechtigung für Ressourcen'],
  scopePermission: ['Permission for scopes', 'Berechtigung für Scopes'],
};

/** The kinds that can be created, with their names. */
export const policyKinds = Object.values(kinds).map((value) => ({ value, label: kindNames[value] }));

/** Name of the type of a stored policy. Undefined if this form does not know the type. */
export const typeName = (type: AuthorizationPolicyType | null): Text | undefined => {
  const kind = kindOf(type);
  return kind && kindNames[kind];
};

/** The kind of a stored policy. Undefined if this form does not know it. */
export const kindOf = (type: AuthorizationPolicyType | null): PolicyKind | undefined =>
  type ? kinds[type] : undefined;

/** The parts of a time, each of which can be limited to a range. */
const ranges = ['year', 'month', 'dayOfMonth', 'hour', 'minute'] as const;

const required = { isRequired: true };

/** The settings of all kinds. */
const settings = {
  roles: ['targets', 'Any of these roles', 'Eine dieser Rollen', { target: 'role' }],
  requiredRoles: ['targets', 'And all of these roles', 'Und alle diese Rollen', { target: 'role' }],
  users: ['targets', ...words.users, { target: 'user' }],
  groups: ['targets', ...words.groups, { target: 'group' }],
  groupsWithChildren: ['targets', 'Groups with their subgroups', 'Gruppen mit ihren Untergruppen', { target: 'group' }],
  groupsClaim: ['text', 'Claim with the groups', 'Claim mit den Gruppen'],
  clients: ['targets', ...words.clients, { target: 'client' }],
  clientScopes: ['targets', 'Any of these client scopes', 'Einer dieser Client-Scopes', { target: 'clientScope' }],
  requiredClientScopes: [
    'targets',
    'And all of these client scopes',
    'Und alle diese Client-Scopes',
    { target: 'clientScope' },
  ],
  notBefore: ['time', 'Not before', 'Nicht vor'],
  notOnOrAfter: ['time', 'Not on or after', 'Nicht ab'],
  'year.from': ['number', 'Year from', 'Jahr von'],
  'year.to': ['number', 'Year to', 'Jahr bis'],
  'month.from': ['number', 'Month from', 'Monat von'],
  'month.to': ['number', 'Month to', 'Monat bis'],
  'dayOfMonth.from': ['number', 'Day of the month from', 'Tag des Monats von'],
  'dayOfMonth.to': ['number', 'Day of the month to', 'Tag des Monats bis'],
  'hour.from': ['number', 'Hour from', 'Stunde von'],
  'hour.to': ['number', 'Hour to', 'Stunde bis'],
  'minute.from': ['number', 'Minute from', 'Minute von'],
  'minute.to': ['number', 'Minute to', 'Minute bis'],
  targetClaim: ['text', 'Claim', 'Claim', required],
  pattern: ['text', 'Regular expression', 'Regulärer Ausdruck', required],
  policies: ['choices', 'Policies', 'Policies'],
  resources: ['choices', 'Resources', 'Ressourcen'],
  resourceType: ['text', 'Type of resources', 'Typ der Ressourcen'],
  scopes: ['choices', 'Scopes', 'Scopes'],
} satisfies Record<string, FieldLine>;

type Setting = keyof typeof settings;

/** The settings of each kind, in the order of its form. */
const settingsOf: Record<PolicyKind, Setting[]> = {
  role: ['roles', 'requiredRoles'],
  user: ['users'],
  group: ['groups', 'groupsWithChildren', 'groupsClaim'],
  client: ['clients'],
  clientScope: ['clientScopes', 'requiredClientScopes'],
  time: ['notBefore', 'notOnOrAfter', ...ranges.flatMap((name): Setting[] => [`${name}.from`, `${name}.to`])],
  regex: ['targetClaim', 'pattern'],
  aggregated: ['policies'],
  resourcePermission: ['resources', 'resourceType', 'policies'],
  scopePermission: ['scopes', 'resources', 'policies'],
};

const strategies = ['UNANIMOUS', 'AFFIRMATIVE', 'CONSENSUS'];
const strategy: FormField = {
  ...choiceField('decisionStrategy', texts.decisionStrategy, strategies),
  start: 'UNANIMOUS',
};
const logic: FormField = { ...choiceField('logic', ['Logic', 'Logik'], ['POSITIVE', 'NEGATIVE']), start: 'POSITIVE' };

/** What can be chosen in a policy without a search. */
export type PolicyChoices = Partial<Record<Setting, FormField['choices']>>;

/** The fields of a kind of policy or permission. A permission has no logic of its own, and only what has policies has a strategy. */
export function policyFields(kind: PolicyKind | undefined, choices: PolicyChoices): FormField[] {
  if (!kind) return [descriptionField];
  const own = settingsOf[kind];
  return [
    descriptionField,
    ...own.flatMap((name) =>
      fieldsOf({ [`settings.${name}`]: settings[name] }).map((field) => ({ ...field, choices: choices[name] ?? [] })),
    ),
    ...(own.includes('policies') ? [strategy] : []),
    ...(kind.endsWith('Permission') ? [] : [logic]),
  ];
}

type Ids = string[] | null | undefined;

/** The settings of a kind as the API takes them: what must be met is a mark of the object, and no list of its own. */
export function policySettings(kind: PolicyKind, given: unknown): AuthorizationPolicySettingsInput {
  const values = (given ?? {}) as FieldValues;
  const marked = <Of extends string, Mark extends string>(of: Of, mark: Mark, plain: Ids, special: Ids) => [
    ...(plain ?? []).filter((id) => !special?.includes(id)).map((id) => ({ [of]: id, [mark]: false })),
    ...(special ?? []).map((id) => ({ [of]: id, [mark]: true })),
  ];
  const { roles, requiredRoles, groups, groupsWithChildren, groupsClaim, clientScopes, requiredClientScopes } = values;
  const settings: Partial<Record<PolicyKind, object>> = {
    role: { roles: marked('role', 'isRequired', roles as Ids, requiredRoles as Ids) },
    group: {
      groups: marked('group', 'extendsToChildren', groups as Ids, groupsWithChildren as Ids),
      groupsClaim: groupsClaim ?? null,
    },
    clientScope: {
      clientScopes: marked('clientScope', 'isRequired', clientScopes as Ids, requiredClientScopes as Ids),
    },
    time: {
      ...values,
      ...Object.fromEntries(ranges.map((name) => [name, rangeIn(values[name])])),
    },
  };
  return { [kind]: settings[kind] ?? values } as unknown as AuthorizationPolicySettingsInput;
}

/** A range of a time. None without its start. */
const rangeIn = (range: unknown): object | null => {
  const { from, to } = (range ?? {}) as { from?: number | null; to?: number | null };
  return from == null ? null : { from, ...(to != null && { to }) };
};

interface Edge {
  node: { id: string };
  isRequired?: boolean;
  extendsToChildren?: boolean;
}

/** What a policy applies to: the objects, or those with a mark of each. */
interface List {
  nodes?: { id: string }[];
  edges?: Edge[];
}

const isMarked = ({ isRequired, extendsToChildren }: Edge) => (isRequired ?? extendsToChildren) === true;

/** A stored policy as its form shows it. */
export function shownPolicy(policy: LoadedPolicy): object {
  const { name, description, logic, decisionStrategy, ...stored } = policy;
  const lists = stored as Record<string, List | null | undefined>;
  const idsOf = (name: string) => lists[name]?.nodes?.map(({ id }) => id) ?? [];
  const plain = (name: string) =>
    lists[name]?.edges?.filter((edge) => !isMarked(edge)).map(({ node }) => node.id) ?? [];
  const marked = (name: string) => lists[name]?.edges?.filter(isMarked).map(({ node }) => node.id) ?? [];
  return {
    name,
    description,
    logic,
    decisionStrategy,
    settings: {
      ...stored,
      policies: idsOf('policies'),
      resources: idsOf('resources'),
      scopes: idsOf('scopes'),
      users: idsOf('users'),
      clients: idsOf('clients'),
      roles: plain('roles'),
      requiredRoles: marked('roles'),
      groups: plain('groups'),
      groupsWithChildren: marked('groups'),
      clientScopes: plain('clientScopes'),
      requiredClientScopes: marked('clientScopes'),
    },
  };
}
