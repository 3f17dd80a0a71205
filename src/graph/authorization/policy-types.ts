import { localTime } from '../../services/authorization/local-time.js';
import { getPolicy } from '../../services/authorization/policies.js';
import { type TimeUnit, timeUnits } from '../../services/authorization/time-limits.js';
import { listScopes } from '../../services/client-scopes/operations.js';
import { listClients } from '../../services/clients/operations.js';
import { listGroups } from '../../services/groups/operations.js';
import { listRoles } from '../../services/roles/operations.js';
import { listUsers } from '../../services/users/list.js';
import { ClientScope, clientScopeLists } from '../client-scopes/client-scopes.js';
import { ClientConnection } from '../clients/clients.js';
import { clientList } from '../clients/filter.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { guardNode, realmOfServer } from '../core/node.js';
import { readableField } from '../core/readable.js';
import { relatedField } from '../core/related.js';
import { groupList } from '../groups/filter.js';
import { Group } from '../groups/groups.js';
import { Role, roleList } from '../roles/roles.js';
import { userList } from '../users/filter.js';
import { User, UserConnection } from '../users/users.js';
import { ofResourceServer } from './authorization.js';
import { AuthorizationPolicy } from './policies.js';
import { type PolicyTypename, policyKinds, storedTypeOf } from './policy-kinds.js';

const typeNamed = ({ name, description }: (typeof policyKinds)[number]) => {
  const type = builder.prismaNode('AuthorizationPolicy', {
    variant: name,
    id: { field: 'id' },
    description,
    select: { id: true, type: true },
    interfaces: [AuthorizationPolicy],
  });
  guardNode(type, getPolicy, { ...ofResourceServer, only: storedTypeOf(name) });
  return type;
};

const types = new Map(policyKinds.map((kind) => [kind.name, typeNamed(kind)] as const));

function typeOf(name: PolicyTypename) {
  const type = types.get(name);
  if (!type) throw new Error(`There is no type ${name}`);
  return type;
}

const strong = (flag: string) => ({
  reads: { strong: true },
  flags: (_node: object, _parent: object, row: Record<string, unknown>) => ({ [flag]: row.strong === true }),
});

/**
 * The subjects of policies. Each list is null for callers who may not list its objects, and leaves out objects that
 * they may not view.
 */
const subjects = {
  roles: {
    through: 'role',
    listing: listRoles,
    kinds: ['realm role', 'client role'],
    list: roleList,
    connection: connectionType('PolicyRole', Role, {
      isRequired: 'Whether the user must have the role. If no role of the policy is required, any of them is enough.',
    }),
    ...strong('isRequired'),
    description: 'Roles of which users must have at least one, and every required one. Ordered by name.',
  },
  users: {
    through: 'user',
    listing: listUsers,
    connection: UserConnection,
    list: userList,
    description: 'Users who get access, ordered by username.',
  },
  groups: {
    through: 'group',
    listing: listGroups,
    list: groupList,
    connection: connectionType('PolicyGroup', Group, {
      extendsToChildren: 'Whether members of subgroups, on all levels, get access too.',
    }),
    ...strong('extendsToChildren'),
    description: 'Groups whose members get access, ordered by name.',
  },
  clients: {
    through: 'client',
    listing: listClients,
    connection: ClientConnection,
    list: clientList,
    description: 'Clients that get access, ordered by client ID.',
  },
  clientScopes: {
    through: 'clientScope',
    listing: listScopes,
    list: clientScopeLists.list,
    connection: connectionType('PolicyClientScope', ClientScope, {
      isRequired:
        'Whether the token must have the client scope. If no client scope of the policy is required, any of them is enough.',
    }),
    ...strong('isRequired'),
    description: 'Client scopes of which tokens must have at least one, and every required one. Ordered by name.',
  },
} as const;

function subjectField(name: PolicyTypename, field: keyof typeof subjects): void {
  const { listing, ...list } = subjects[field];
  const kinds = 'kinds' in list ? list.kinds : [undefined];
  relatedField(typeOf(name), field, {
    ...list,
    relation: 'subjects',
    joins: { [`${list.through}Id`]: { not: null } },
    readsOfParent: realmOfServer,
    listing,
    requires: kinds.map((kind) => ({ operation: listing, otherwise: 'NULL', ...(kind && { kind }) })),
  });
}

subjectField('RoleAuthorizationPolicy', 'roles');
subjectField('UserAuthorizationPolicy', 'users');
subjectField('ClientAuthorizationPolicy', 'clients');
subjectField('GroupAuthorizationPolicy', 'groups');
subjectField('ClientScopeAuthorizationPolicy', 'clientScopes');
for (const field of ['roles', 'users', 'groups', 'clients'] as const) subjectField('UmaAuthorizationPermission', field);
readableField(typeOf('UmaAuthorizationPermission'), 'owner', {
  type: User,
  relation: 'owner',
  description: 'The user who shares the resource. Null if the client itself does.',
});

/** A stored setting; undefined if there is none. */
const settingOf = (config: unknown, name: string): string | undefined => (config as Record<string, string>)[name];

for (const [name, field, stored, description] of [
  [
    'GroupAuthorizationPolicy',
    'groupsClaim',
    'groupsClaim',
    'Claim of the token that lists the groups of the user. Null: the groups are those of the user in the realm.',
  ],
  ['RegexAuthorizationPolicy', 'targetClaim', 'targetClaim', 'Name of the claim that is compared. Null: not set.'],
  ['RegexAuthorizationPolicy', 'pattern', 'pattern', 'Regular expression that the claim must match. Null: not set.'],
  ['ScriptAuthorizationPolicy', 'code', 'code', 'Code of the script. Null: not set.'],
] as const) {
  builder.prismaObjectField(typeOf(name), field, (t) =>
    t.string({
      nullable: true,
      description,
      select: { config: true },
      resolve: ({ config }) => settingOf(config, stored) || null,
    }),
  );
}

const Range = builder.objectRef<{ from: number; to: number }>('TimeRange').implement({
  description: 'A range of days, months, years, hours, or minutes, in the time zone of the server.',
  fields: (t) => ({
    from: t.exposeInt('from', { description: 'Start of the range.' }),
    to: t.exposeInt('to', { description: 'End of the range, which belongs to it.' }),
  }),
});

const words = { dayOfMonth: 'Days of the month', month: 'Months', year: 'Years', hour: 'Hours', minute: 'Minutes' };

/** The description of a unit's range. */
export const rangeText = (name: TimeUnit['name'], least: number, most: number): string =>
  `${words[name]} in which access is granted, from ${least} to ${most}. Null: any.`;

/** The range of two settings: without an end it is only the start. */
function rangeOf(config: unknown, name: string): { from: number; to: number } | null {
  const start = settingOf(config, name);
  const [from, to] = [start, settingOf(config, `${name}End`) ?? start].map((text) =>
    text ? Number(text) : Number.NaN,
  );
  return Number.isInteger(from) && Number.isInteger(to) ? { from: Number(from), to: Number(to) } : null;
}

for (const [field, stored, description] of [
  ['notBefore', 'nbf', 'Access is denied before this time.'],
  ['notOnOrAfter', 'noa', 'Access is denied from this time on.'],
] as const) {
  builder.prismaObjectField(typeOf('TimeAuthorizationPolicy'), field, (t) =>
    t.field({
      type: 'DateTime',
      nullable: true,
      description: `${description} Null: no limit.`,
      select: { config: true },
      resolve: ({ config }) => {
        const time = localTime(settingOf(config, stored) ?? '');
        return Number.isNaN(time) ? null : new Date(time);
      },
    }),
  );
}
for (const { name, entry, least, most } of timeUnits) {
  builder.prismaObjectField(typeOf('TimeAuthorizationPolicy'), name, (t) =>
    t.field({
      type: Range,
      nullable: true,
      description: rangeText(name, least, most),
      select: { config: true },
      resolve: ({ config }) => rangeOf(config, entry),
    }),
  );
}

for (const name of ['ResourceAuthorizationPermission', 'ScopeAuthorizationPermission'] as const) {
  builder.prismaObjectField(typeOf(name), 'resourceType', (t) =>
    t.exposeString('resourceType', {
      nullable: true,
      description: 'Type of resources: the permission applies to all resources of the type. Null: none.',
    }),
  );
}

builder.prismaObjectFields(typeOf('OtherAuthorizationPolicy'), (t) => ({
  typeName: t.exposeString('type', { description: 'Type of the policy as it is stored.' }),
}));
