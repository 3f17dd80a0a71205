import {
  associatedPolicies,
  dependentPolicies,
  listPolicies,
  resourcesOfPolicy,
  scopesOfPolicy,
} from '../../services/authorization/policies.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType } from '../core/connection.js';
import { condition, listType } from '../core/list-type.js';
import { realmOfServer } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { byName, DecisionStrategy, onName, resourceLists, scopeLists } from './authorization.js';
import { policyKinds, typenameOf } from './policy-kinds.js';

export const PolicyLogic = builder.enumType('PolicyLogic', {
  description: 'Whether the result of a policy is used as it is or inverted.',
  values: {
    POSITIVE: { description: 'Uses the result of the policy as it is.' },
    NEGATIVE: { description: 'Inverts the result: grants where the policy would deny.' },
  },
});

const listed = policyKinds.flatMap((kind) => ('value' in kind ? [kind] : []));
const storedTypes = new Map(listed.map(({ type }) => [type as string, type]));

const PolicyType = builder.enumType('AuthorizationPolicyType', {
  description: 'Type of a policy or permission. Each has an object type that implements `AuthorizationPolicy`.',
  values: Object.fromEntries(listed.map(({ type, value, description }) => [value, { value: type, description }])),
});

export const AuthorizationPolicy = builder.prismaInterface('AuthorizationPolicy', {
  description:
    'A policy or permission of a client. Policies decide who gets access. Permissions apply policies to resources and scopes.',
  select: { id: true, type: true },
  interfaces: [builder.nodeInterfaceRef()],
  resolveType: ({ type }) => typenameOf(type),
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the policy or permission, unique in the client.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Description of the policy or permission.',
    }),
    type: t.field({
      type: PolicyType,
      nullable: true,
      description:
        'Type of the policy or permission. Null for a `UmaAuthorizationPermission` and for a type that the schema does not support.',
      select: { type: true },
      resolve: ({ type }) => storedTypes.get(type) ?? null,
    }),
    logic: t.field({
      type: PolicyLogic,
      description: 'Whether the result is used as it is or inverted.',
      select: { logic: true },
      resolve: ({ logic }) => logic as 'POSITIVE',
    }),
    decisionStrategy: t.field({
      type: DecisionStrategy,
      description: 'How the decisions of the associated policies are combined.',
      select: { decisionStrategy: true },
      resolve: ({ decisionStrategy }) => decisionStrategy as 'UNANIMOUS',
    }),
    version: t.exposeInt('version', {
      description: 'Version of the object. Increases by one with every change. Pass it as `expectedVersion`.',
    }),
  }),
});

/** The common parts of all lists of policies and permissions. */
const policyLists = {
  connection: connectionType('AuthorizationPolicy', AuthorizationPolicy),
  list: listType({
    name: 'AuthorizationPolicy',
    plural: 'policies and permissions',
    conditions: {
      ...onName((text) => ({ search: { contains: text.toLowerCase() } })),
      type: condition(PolicyType, 'Matches policies of this type.', (type) => ({ type })),
    },
    orders: {
      NAME: { path: 'name', description: 'Order by name.' },
      TYPE: { path: 'type', description: 'Order by type.' },
    },
  }),
};

relatedField(AuthorizationPolicy, 'resources', {
  ...resourceLists,
  relation: 'resources',
  through: 'resource',
  readsOfParent: realmOfServer,
  listing: resourcesOfPolicy,
  description: 'Resources that the permission applies to, ordered by name.',
});

relatedField(AuthorizationPolicy, 'scopes', {
  ...scopeLists,
  relation: 'scopes',
  through: 'scope',
  readsOfParent: realmOfServer,
  listing: scopesOfPolicy,
  description: 'Scopes that the permission applies to, ordered by name.',
});

relatedField(AuthorizationPolicy, 'policies', {
  ...policyLists,
  relation: 'associated',
  through: 'associated',
  readsOfParent: realmOfServer,
  listing: associatedPolicies,
  description: 'Associated policies, ordered by name.',
});

relatedField(AuthorizationPolicy, 'dependentPolicies', {
  ...policyLists,
  relation: 'dependents',
  through: 'policy',
  readsOfParent: realmOfServer,
  listing: dependentPolicies,
  description: 'Policies and permissions that use this one as an associated policy, ordered by name.',
});

relatedField(Client, 'authorizationPolicies', {
  ...policyLists,
  relation: 'authorizationPolicies',
  requires: listPolicies,
  description: 'Policies and permissions of the client, ordered by name, without those of users.',
  where: () => ({ type: { not: 'uma' } }),
  order: byName,
});
