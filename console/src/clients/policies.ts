import { choiceField, descriptionField, type FieldValues, type FormField, type TargetKind } from '../parts/fields.js';
import type { AuthorizationPolicySettingsInput } from '../session/documents.js';
import type { Text } from '../text/text.js';
import type { AuthorizationPolicyType, PolicyDetailQuery } from './documents.js';

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

/** The kinds that can be created. */
export const policyKinds = Object.values(kinds);

/** The kind of a stored policy. Undefined if this form does not know it. */
export const kindOf = (type: AuthorizationPolicyType | null): PolicyKind | undefined =>
  type ? kinds[type] : undefined;

/** What can be chosen in a policy without a search. */
export interface PolicyChoices {
  policies: FormField['choices'];
  resources: FormField['choices'];
  scopes: FormField['choices'];
  clientScopes: FormField['choices'];
}

const labels = {
  roles: ['Any of these roles', 'Eine dieser Rollen'],
  requiredRoles: ['And all of these roles', 'Und alle diese Rollen'],
  users: ['Users', 'Benutzer'],
  groups: ['Groups', 'Gruppen'],
  groupsWithChildren: ['Groups with their subgroups', 'Gruppen mit ihren Untergruppen'],
  groupsClaim: ['Claim with the groups', 'Claim mit den Gruppen'],
  clients: ['Clients', 'Clients'],
  clientScopes: ['Any of these client scopes', 'Einer dieser Client-Scopes'],
  requiredClientScopes: ['And all of these client scopes', 'Und alle diese Client-Scopes'],
  notBefore: ['Not before', 'Nicht vor'],
  notOnOrAfter: ['Not on or after', 'Nicht ab'],
  targetClaim: ['Claim', 'Claim'],
  pattern: ['Regular expression', 'Regulärer Ausdruck'],
  policies: ['Policies', 'Policies'],
  resources: ['Resources', 'Ressourcen'],
  resourceType: ['Type of resources', 'Typ der Ressourcen'],
  scopes: ['Scopes', 'Scopes'],
} satisfies Record<string, Text>;

/** The parts of a time, each of which can be limited to a range. */
const ranges = {
  year: ['Year', 'Jahr'],
  month: ['Month', 'Monat'],
  dayOfMonth: ['Day of the month', 'Tag des Monats'],
  hour: ['Hour', 'Stunde'],
  minute: ['Minute', 'Minute'],
} satisfies Record<string, Text>;

const field = (name: keyof typeof labels, more: Partial<FormField> = {}): FormField => ({
  path: `settings.${name}`,
  label: labels[name],
  ...more,
});

const strategies = ['UNANIMOUS', 'AFFIRMATIVE', 'CONSENSUS'];
const strategy: FormField = {
  ...choiceField('decisionStrategy', ['Decision strategy', 'Entscheidungsstrategie'], strategies),
  start: 'UNANIMOUS',
};
const logic: FormField = { ...choiceField('logic', ['Logic', 'Logik'], ['POSITIVE', 'NEGATIVE']), start: 'POSITIVE' };

/** The fields of a kind of policy or permission. */
export function policyFields(kind: PolicyKind | undefined, choices: PolicyChoices): FormField[] {
  const several = (name: 'policies' | 'resources' | 'scopes') =>
    field(name, { kind: 'choices', choices: choices[name] ?? [] });
  const searched = (name: keyof typeof labels, target: TargetKind) => field(name, { kind: 'targets', target });
  const scoped = (name: 'clientScopes' | 'requiredClientScopes') =>
    field(name, { kind: 'choices', choices: choices.clientScopes ?? [] });
  const range = (name: keyof typeof ranges): FormField[] => {
    const [en, de] = ranges[name];
    return [
      { path: `settings.${name}.from`, label: [`${en} from`, `${de} von`], kind: 'number' },
      { path: `settings.${name}.to`, label: [`${en} to`, `${de} bis`], kind: 'number' },
    ];
  };
  const own: Record<PolicyKind, FormField[]> = {
    role: [searched('roles', 'role'), searched('requiredRoles', 'role'), logic],
    user: [searched('users', 'user'), logic],
    group: [searched('groups', 'group'), searched('groupsWithChildren', 'group'), field('groupsClaim'), logic],
    client: [searched('clients', 'client'), logic],
    clientScope: [scoped('clientScopes'), scoped('requiredClientScopes'), logic],
    time: [
      field('notBefore', { kind: 'time' }),
      field('notOnOrAfter', { kind: 'time' }),
      ...(Object.keys(ranges) as (keyof typeof ranges)[]).flatMap(range),
      logic,
    ],
    regex: [field('targetClaim', { isRequired: true }), field('pattern', { isRequired: true }), logic],
    aggregated: [several('policies'), strategy, logic],
    resourcePermission: [several('resources'), field('resourceType'), several('policies'), strategy],
    scopePermission: [several('scopes'), several('resources'), several('policies'), strategy],
  };
  return [descriptionField, ...(kind ? own[kind] : [])];
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
      ...Object.fromEntries(Object.keys(ranges).map((name) => [name, rangeIn(values[name])])),
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
