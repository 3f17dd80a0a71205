import type { PolicyTarget } from '../../services/authorization/locate.js';
import { type TimeLimits, timeFields, timeUnits } from '../../services/authorization/time-limits.js';
import { invalid, requireAll } from '../../services/core/refusal.js';
import { builder } from '../core/builder.js';
import type { FieldOf } from '../core/input-path.js';
import { parseId, parseIds } from '../core/node.js';
import type { InputBuilder } from '../core/setting-types.js';
import { parsePolicyId } from './policy-kinds.js';
import { rangeText } from './policy-types.js';

type Values = Readonly<Record<string, unknown>>;

/** Reads every entry of a list, and refuses all that are wrong. Null and undefined stay. */
function each<T, R>(entries: readonly T[] | null | undefined, read: (entry: T, place: number) => R) {
  if (entries == null) return entries;
  const results: R[] = [];
  requireAll(...entries.map((entry, place) => () => void results.push(read(entry, place))));
  return results;
}

const lists = { role: 'roles', group: 'groups', clientScope: 'clientScopes' } as const;

/** The input of an object that a policy names, with its flag in the policy. */
const namedInput = (object: keyof typeof lists, what: string, flag: string, description: string) =>
  builder.inputType(`Policy${object.charAt(0).toUpperCase()}${object.slice(1)}Input`, {
    description: `A ${what} of a policy.`,
    fields: (t) => ({
      [object]: t.id({ required: true, description: `ID of the ${what}.` }),
      [flag]: t.boolean({ description: `${description} Default false.` }),
    }),
  });

const RoleInput = namedInput('role', 'role', 'isRequired', 'Whether the user must have the role.');
const GroupInput = namedInput('group', 'group', 'extendsToChildren', 'Whether members of subgroups get access too.');
const ClientScopeInput = namedInput(
  'clientScope',
  'client scope',
  'isRequired',
  'Whether the token must have the client scope.',
);
const RangeInput = builder.inputType('TimeRangeInput', {
  description: 'A range of days, months, years, hours, or minutes, in the time zone of the server.',
  fields: (t) => ({
    from: t.int({ required: true, description: 'Start of the range.' }),
    to: t.int({ description: 'End of the range, which belongs to it. Omit for a range of one value.' }),
  }),
});

const associated = (t: InputBuilder) => ({
  policies: t.idList({ description: 'IDs of the associated policies.' }),
});
const resources = (t: InputBuilder) => ({
  resources: t.idList({ description: 'IDs of the resources that the permission applies to.' }),
  resourceType: t.string({
    description: 'Type of resources: the permission applies to all resources of the type. Null: none.',
  }),
});

/** Everything that settings of policies name by an ID, in the form of the contract. */
function sentIds(given: Values, path: string): Values {
  const named = (object: keyof typeof lists, typename: string, flag: string, strong: string) => {
    const name = lists[object];
    return each(given[name] as Values[] | null | undefined, (entry, place) => ({
      id: parseId(String(entry[object]), `${path}.${name}.${place}.${object}`, typename).id,
      [strong]: entry[flag] ?? false,
    }));
  };
  const ids = (name: string, typename: string) => {
    const list = given[name] as string[] | null | undefined;
    return list && parseIds(list, `${path}.${name}`, typename);
  };
  const sent: Record<string, () => unknown> = {
    roles: () => named('role', 'Role', 'isRequired', 'required'),
    groups: () => named('group', 'Group', 'extendsToChildren', 'extendChildren'),
    clientScopes: () => named('clientScope', 'ClientScope', 'isRequired', 'required'),
    users: () => ids('users', 'User'),
    clients: () => ids('clients', 'Client'),
    resources: () => ids('resources', 'AuthorizationResource'),
    scopes: () => ids('scopes', 'AuthorizationScope'),
    policies: () =>
      each(
        given.policies as string[] | null | undefined,
        (id, place) => parsePolicyId(id, `${path}.policies.${place}`).id,
      ),
  };
  const values: Record<string, unknown> = {};
  requireAll(
    ...Object.entries(sent).map(([name, read]) => () => {
      if (name in given) values[name] = read();
    }),
  );
  return values;
}

interface Member {
  /** the type of the policies with these settings */
  type: string;
  description: string;
  fields: (t: InputBuilder) => Record<string, ReturnType<InputBuilder['field']>>;
}

/** The settings of each type of policies and permissions, by the name of the member of the input. */
const members = {
  role: {
    type: 'role',
    description: 'Settings of a `RoleAuthorizationPolicy`.',
    fields: (t) => ({
      roles: t.field({
        type: [RoleInput],
        description: 'Roles of which users must have at least one, and every required one.',
      }),
    }),
  },
  user: {
    type: 'user',
    description: 'Settings of a `UserAuthorizationPolicy`.',
    fields: (t) => ({ users: t.idList({ description: 'IDs of the users who get access.' }) }),
  },
  client: {
    type: 'client',
    description: 'Settings of a `ClientAuthorizationPolicy`.',
    fields: (t) => ({ clients: t.idList({ description: 'IDs of the clients that get access. At least one.' }) }),
  },
  group: {
    type: 'group',
    description: 'Settings of a `GroupAuthorizationPolicy`.',
    fields: (t) => ({
      groups: t.field({ type: [GroupInput], description: 'Groups whose members get access. At least one.' }),
      groupsClaim: t.string({
        description:
          'Claim of the token that lists the groups of the user. Null: the groups are those of the user in the realm.',
      }),
    }),
  },
  clientScope: {
    type: 'client-scope',
    description: 'Settings of a `ClientScopeAuthorizationPolicy`.',
    fields: (t) => ({
      clientScopes: t.field({
        type: [ClientScopeInput],
        description: 'Client scopes of which tokens must have at least one, and every required one.',
      }),
    }),
  },
  time: {
    type: 'time',
    description: 'Settings of a `TimeAuthorizationPolicy`.',
    fields: (t) => ({
      notBefore: t.field({ type: 'DateTime', description: 'Access is denied before this time. Null: no limit.' }),
      notOnOrAfter: t.field({ type: 'DateTime', description: 'Access is denied from this time on. Null: no limit.' }),
      ...Object.fromEntries(
        timeUnits.map(({ name, least, most }) => [
          name,
          t.field({ type: RangeInput, description: rangeText(name, least, most) }),
        ]),
      ),
    }),
  },
  regex: {
    type: 'regex',
    description: 'Settings of a `RegexAuthorizationPolicy`.',
    fields: (t) => ({
      targetClaim: t.string({ description: 'Name of the claim that is compared. Null: not set.' }),
      pattern: t.string({ description: 'Regular expression that the claim must match. Null: not set.' }),
    }),
  },
  aggregated: {
    type: 'aggregate',
    description: 'Settings of an `AggregatedAuthorizationPolicy`.',
    fields: associated,
  },
  resourcePermission: {
    type: 'resource',
    description: 'Settings of a `ResourceAuthorizationPermission`.',
    fields: (t) => ({ ...resources(t), ...associated(t) }),
  },
  scopePermission: {
    type: 'scope',
    description: 'Settings of a `ScopeAuthorizationPermission`.',
    fields: (t) => ({
      ...resources(t),
      scopes: t.idList({ description: 'IDs of the scopes that the permission applies to.' }),
      ...associated(t),
    }),
  },
} as const satisfies Record<string, Member>;

type MemberName = keyof typeof members;

/** The settings of one type of policies. */
export type PolicySettings = { readonly [M in MemberName]?: Values | null | undefined };

export const PolicySettingsInput = builder.inputRef<PolicySettings>('AuthorizationPolicySettingsInput').implement({
  description: 'Settings of a policy or permission, by its type. Exactly one field is given.',
  isOneOf: true,
  fields: (t) =>
    Object.fromEntries(
      Object.entries<Member>(members).map(([name, { description, fields }]) => [
        name,
        t.field({
          type: builder.inputType(`${name.charAt(0).toUpperCase()}${name.slice(1)}PolicySettingsInput`, {
            description: `${description} In an update, omitted fields keep their values.`,
            fields,
          }),
          description,
        }),
      ]),
    ),
});

/** The given member, with its settings. */
function givenIn(settings: PolicySettings): { name: MemberName; given: Values } | undefined {
  const [entry] = Object.entries(settings).filter(([, given]) => given != null);
  return entry && { name: entry[0] as MemberName, given: entry[1] as Values };
}

/** The settings of a new policy, in the form of the contract for its type. */
export function newSettings(settings: PolicySettings): Values {
  const found = givenIn(settings);
  if (!found) throw invalid('`settings` must have exactly one field', 'settings');
  const { name, given } = found;
  const sent = Object.entries(sentSettings(name, given)).filter(([, value]) => value !== null);
  return { type: members[name].type, ...Object.fromEntries(sent) };
}

/** Changes of the settings of a policy. Refuses settings of another type than the policy's. */
export function changedSettings(settings: PolicySettings | null | undefined, { policy }: PolicyTarget): Values {
  if (settings === undefined) return {};
  const found = settings && givenIn(settings);
  if (!found) throw invalid('`settings` must have exactly one field', 'settings');
  const { name, given } = found;
  if (members[name].type !== policy.type) {
    const field = `settings.${name}`;
    throw invalid(
      `\`${field}\` requires a policy of type ${members[name].type}, and the type of this one is ${policy.type}`,
      field,
    );
  }
  return sentSettings(name, given);
}

function sentSettings(name: MemberName, given: Values): Values {
  const path = `settings.${name}`;
  return name === 'time' ? timeFields(given as TimeLimits, `${path}.`) : { ...given, ...sentIds(given, path) };
}

const units = new Map(
  timeUnits.flatMap(({ name, entry }) => [
    [entry, `${name}.from`],
    [`${entry}End`, `${name}.to`],
  ]),
);

/** Converts paths in the contract to paths in the input: in the contract, settings are fields of the policy. */
export function policyPaths({ settings }: { settings?: PolicySettings | null | undefined }): FieldOf {
  const name = settings && givenIn(settings)?.name;
  if (!name) return (field) => field;
  const own = new Set(['name', 'description', 'logic', 'decisionStrategy', 'settings', 'client', 'id']);
  return (field) => {
    const [first = ''] = field.split('.');
    return own.has(first) || field.includes('.') ? field : `settings.${name}.${units.get(first) ?? first}`;
  };
}
