import {
  choiceField,
  descriptionField,
  type FieldLines,
  type FieldValues,
  type FormField,
  fieldsOf,
} from '../parts/fields.js';
import type { AuthorizationPolicySettingsInput } from '../session/documents.js';
import type { Text } from '../text/text.js';
import { texts as words } from '../words/texts.js';
import type { AuthorizationPolicyType, PolicyDetailQuery } from './documents.js';
import { texts } from './texts.js';

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
  clientScope: texts.scopes,
  time: texts.time,
  regex: texts.regularExpressionOnAClaim,
  aggregated: texts.otherPolicies,
  resourcePermission: texts.permissionForResources,
  scopePermission: texts.permissionForScopes,
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
  'settings.roles': ['targets', { target: 'role' }],
  'settings.requiredRoles': ['targets', { target: 'role' }],
  'settings.users': ['targets', { target: 'user' }],
  'settings.groups': ['targets', { target: 'group' }],
  'settings.groupsWithChildren': ['targets', { target: 'group' }],
  'settings.groupsClaim': ['text'],
  'settings.clients': ['targets', { target: 'client' }],
  'settings.clientScopes': ['targets', { target: 'clientScope' }],
  'settings.requiredClientScopes': ['targets', { target: 'clientScope' }],
  'settings.notBefore': ['time'],
  'settings.notOnOrAfter': ['time'],
  'settings.year.from': ['number'],
  'settings.year.to': ['number'],
  'settings.month.from': ['number'],
  'settings.month.to': ['number'],
  'settings.dayOfMonth.from': ['number'],
  'settings.dayOfMonth.to': ['number'],
  'settings.hour.from': ['number'],
  'settings.hour.to': ['number'],
  'settings.minute.from': ['number'],
  'settings.minute.to': ['number'],
  'settings.targetClaim': ['text', required],
  'settings.pattern': ['text', required],
  'settings.policies': ['choices'],
  'settings.resources': ['choices'],
  'settings.resourceType': ['text'],
  'settings.scopes': ['choices'],
} satisfies FieldLines<typeof texts>;

type Setting = keyof typeof settings extends `settings.${infer Name}` ? Name : never;

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
const logic: FormField = { ...choiceField('logic', texts.logic, ['POSITIVE', 'NEGATIVE']), start: 'POSITIVE' };

/** What can be chosen in a policy without a search. */
export type PolicyChoices = Partial<Record<Setting, FormField['choices']>>;

/** The fields of a kind of policy or permission. A permission has no logic of its own, and only what has policies has a strategy. */
export function policyFields(kind: PolicyKind | undefined, choices: PolicyChoices): FormField[] {
  if (!kind) return [descriptionField];
  const own = settingsOf[kind];
  return [
    descriptionField,
    ...own.flatMap((name) =>
      fieldsOf(texts, { [`settings.${name}`]: settings[`settings.${name}`] }).map((field) => ({
        ...field,
        choices: choices[name] ?? [],
      })),
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
  pageInfo?: { hasNextPage: boolean };
  nodes?: { id: string }[];
  edges?: Edge[];
}

const isMarked = ({ isRequired, extendsToChildren }: Edge) => (isRequired ?? extendsToChildren) === true;

/** Whether a policy has more objects than were loaded. Its form would take the others from it. */
export const isCut = (policy: LoadedPolicy): boolean =>
  Object.values(policy as Record<string, List | string | null | undefined>).some(
    (list) => typeof list === 'object' && list?.pageInfo?.hasNextPage === true,
  );

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
