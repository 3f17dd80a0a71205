import type { PermissionResult, Result } from '../../services/authorization/evaluation/evaluate.js';
import { type Evaluation, evaluatePolicies } from '../../services/authorization/evaluation/operation.js';
import { serverOf } from '../../services/authorization/locate.js';
import { clientById } from '../../services/clients/locate.js';
import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import { getUser } from '../../services/users/list.js';
import { Client } from '../clients/clients.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { parseId } from '../core/node.js';
import { AuthorizationResource } from './authorization.js';
import { AuthorizationPolicy } from './policies.js';

const Permission = builder.objectRef<{ rsname?: string; scopes?: string[] }>('GrantedPermission').implement({
  description: 'A resource with the scopes granted on it.',
  fields: (t) => ({
    resourceName: t.string({
      nullable: true,
      description: 'Name of the resource. Null: the scopes are of no resource.',
      resolve: ({ rsname }) => rsname ?? null,
    }),
    scopeNames: t.stringList({ description: 'Names of the granted scopes.', resolve: ({ scopes }) => scopes ?? [] }),
  }),
});

const namesOf = (scopes: readonly { name: string }[]): string[] => scopes.map(({ name }) => name);

const PolicyResult = builder.objectRef<PermissionResult['decisions'][number]>('PolicyResult').implement({
  description: 'Result of a policy in an evaluation.',
  fields: (t) => ({
    policy: t.prismaField({
      type: AuthorizationPolicy,
      nullable: true,
      description: 'Policy that decided.',
      resolve: (query, { policy }, _args, ctx) =>
        batchingClient(ctx).authorizationPolicy.findUnique({ ...query, where: { id: policy.id } }),
    }),
    isPermitted: t.exposeBoolean('permit', { description: 'Whether the policy grants.' }),
  }),
});

const PermissionResultRef = builder.objectRef<PermissionResult>('PermissionResult').implement({
  description: 'Result of a permission in an evaluation.',
  fields: (t) => ({
    permission: t.prismaField({
      type: AuthorizationPolicy,
      nullable: true,
      description: 'Permission that was evaluated.',
      resolve: (query, { policy }, _args, ctx) =>
        batchingClient(ctx).authorizationPolicy.findUnique({ ...query, where: { id: policy.id } }),
    }),
    isPermitted: t.exposeBoolean('permit', { description: 'Whether the permission grants.' }),
    policies: t.field({
      type: [PolicyResult],
      description: 'Results of the associated policies.',
      complexity: { field: 1, multiplier: 3 },
      resolve: ({ decisions }) => [...decisions],
    }),
  }),
});

const ResultRef = builder.objectRef<Result>('PolicyEvaluationResult').implement({
  description: 'Result of an evaluation for a resource, or for scopes of no resource.',
  fields: (t) => ({
    resource: t.prismaField({
      type: AuthorizationResource,
      nullable: true,
      description: 'The resource. Null for scopes of no resource.',
      resolve: (query, { wanted }, _args, ctx) =>
        wanted.resource
          ? batchingClient(ctx).authorizationResource.findUnique({ ...query, where: { id: wanted.resource.id } })
          : null,
    }),
    isPermitted: t.exposeBoolean('permit', { description: 'Whether the request is granted.' }),
    scopeNames: t.stringList({
      description: 'Names of the requested scopes.',
      resolve: ({ wanted }) => namesOf(wanted.scopes),
    }),
    grantedScopeNames: t.stringList({
      description: 'Names of the granted scopes.',
      resolve: ({ permit, granted }) => (permit ? namesOf(granted) : []),
    }),
    permissions: t.field({
      type: [PermissionResultRef],
      description: 'Results of the permissions that apply.',
      complexity: { field: 1, multiplier: 3 },
      resolve: ({ permissions }) => [...permissions],
    }),
  }),
});

const EvaluationRef = builder.objectRef<Evaluation>('PolicyEvaluation').implement({
  description: 'Result of evaluating the policies of a client.',
  fields: (t) => ({
    isPermitted: t.boolean({
      description: 'Whether everything that was requested is granted.',
      resolve: ({ results }) => results.every(({ permit }) => permit),
    }),
    permissions: t.field({
      type: [Permission],
      description: 'Resources and scopes that would be granted.',
      resolve: ({ claims }) =>
        (claims.authorization as { permissions: { rsname?: string; scopes?: string[] }[] }).permissions,
    }),
    results: t.field({
      type: [ResultRef],
      description: 'Result for each resource.',
      complexity: { field: 1, multiplier: 5 },
      resolve: ({ results }) => [...results],
    }),
  }),
});

builder.prismaObjectFields(Client, (t) => ({
  evaluatePolicies: t.field({
    type: EvaluationRef,
    nullable: true,
    description: 'Evaluates the policies of the client for a user, without issuing a token.',
    requires: [evaluatePolicies, { operation: getUser, isChecked: true }],
    select: { id: true, realmId: true },
    args: {
      user: t.arg.id({ required: true, description: 'ID of the user for whom the policies are evaluated.' }),
      authorizationResource: t.arg.id({ description: 'ID of the resource. Omit for all resources.' }),
      scopeNames: t.arg.stringList({ description: 'Names of the requested scopes. Omit for all scopes.' }),
      roleNames: t.arg.stringList({
        description: 'Names of realm roles the user is treated as having, in addition to its own.',
      }),
    },
    resolve: async (parent, { user, authorizationResource, scopeNames, roleNames }, ctx) => {
      const resourceId =
        authorizationResource == null
          ? undefined
          : parseId(authorizationResource, 'authorizationResource', 'AuthorizationResource').id;
      return perform(
        ctx,
        evaluatePolicies,
        async (at) => serverOf(at, await clientById(at, await realmById(at, parent.realmId), parent.id)),
        {
          userId: parseId(user, 'user', 'User').id,
          ...(roleNames && { roleIds: roleNames }),
          resources:
            resourceId || scopeNames?.length
              ? [
                  {
                    ...(resourceId && { _id: resourceId }),
                    scopes: (scopeNames ?? []).map((name) => ({ name })),
                  },
                ]
              : [],
        },
      );
    },
  }),
}));
