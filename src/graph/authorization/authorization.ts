import {
  type Evaluation,
  encodeEvaluation,
  evaluatePolicies,
} from '../../services/authorization/evaluation/operation.js';
import { serverOf } from '../../services/authorization/locate.js';
import { resourceWhere } from '../../services/authorization/resources.js';
import { scopeMatching } from '../../services/authorization/scopes.js';
import { clientById } from '../../services/clients/locate.js';
import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { connectionType, pageArgs, related } from '../core/connection.js';
import { guardNode, parseId, permitById } from '../core/node.js';

export const PolicyEnforcement = builder.enumType('PolicyEnforcementMode', {
  description: 'What comes of a resource that no permission is about.',
  values: {
    ENFORCING: { description: 'Nobody may use it.' },
    PERMISSIVE: { description: 'Everybody may use it.' },
    DISABLED: { description: 'Policies are not asked at all.' },
  },
});

export const DecisionStrategy = builder.enumType('DecisionStrategy', {
  description: 'How several decisions become one.',
  values: {
    UNANIMOUS: { description: 'All have to agree.' },
    AFFIRMATIVE: { description: 'One is enough.' },
    CONSENSUS: { description: 'More have to agree than disagree.' },
  },
});

export const PolicyLogic = builder.enumType('PolicyLogic', {
  description: 'Whether a policy says what it says, or the opposite.',
  values: { POSITIVE: { description: 'As it is.' }, NEGATIVE: { description: 'The opposite.' } },
});

export const AuthorizationScope = builder.prismaNode('AuthorizationScope', {
  id: { field: 'id' },
  description: 'Something that can be done with resources of a client.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among those of the client.' }),
    displayName: t.exposeString('displayName', { nullable: true, description: 'Name for people.' }),
    iconUri: t.exposeString('iconUri', { nullable: true, description: 'Address of a picture.' }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

export const AuthorizationResource = builder.prismaNode('AuthorizationResource', {
  id: { field: 'id' },
  description: 'Something that a client protects.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among those of its owner.' }),
    displayName: t.exposeString('displayName', { nullable: true, description: 'Name for people.' }),
    type: t.exposeString('type', { nullable: true, description: 'What kind of thing it is; permissions go by it.' }),
    iconUri: t.exposeString('iconUri', { nullable: true, description: 'Address of a picture.' }),
    ownerManagedAccess: t.exposeBoolean('ownerManagedAccess', { description: 'Whether its owner may share it.' }),
    uris: t.stringList({
      description: 'The addresses that it has, as patterns.',
      select: { uris: { select: { value: true }, orderBy: { value: 'asc' } } },
      resolve: ({ uris }) => uris.map(({ value }) => value),
    }),
    scopes: t.field({
      type: [AuthorizationScope],
      description: 'What can be done with it, by name.',
      select: (_args, _ctx, nested) =>
        ({ scopes: { select: { scope: nested(true) }, orderBy: { scope: { name: 'asc' } } } }) as never,
      resolve: ((parent: { scopes: { scope: unknown }[] }) => parent.scopes.map(({ scope }) => scope)) as never,
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

export const AuthorizationPolicy = builder.prismaNode('AuthorizationPolicy', {
  id: { field: 'id' },
  description: 'A rule of a client about who may do what: a policy or, with the type resource or scope, a permission.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Unique among those of the client.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    type: t.exposeString('type', { description: 'What decides, e.g. role or time.' }),
    logic: t.field({
      type: PolicyLogic,
      description: 'Whether it says the opposite.',
      select: { logic: true },
      resolve: ({ logic }) => logic as 'POSITIVE',
    }),
    decisionStrategy: t.field({
      type: DecisionStrategy,
      description: 'How what it applies becomes one decision.',
      select: { decisionStrategy: true },
      resolve: ({ decisionStrategy }) => decisionStrategy as 'UNANIMOUS',
    }),
    resourceType: t.exposeString('resourceType', { nullable: true, description: 'The type of resources it is about.' }),
    resources: t.field({
      type: [AuthorizationResource],
      description: 'The resources that a permission is about, by name.',
      select: (_args, _ctx, nested) =>
        ({ resources: { select: { resource: nested(true) }, orderBy: { resource: { name: 'asc' } } } }) as never,
      resolve: ((parent: { resources: { resource: unknown }[] }) =>
        parent.resources.map(({ resource }) => resource)) as never,
    }),
    scopes: t.field({
      type: [AuthorizationScope],
      description: 'The scopes that a permission is about, by name.',
      select: (_args, _ctx, nested) =>
        ({ scopes: { select: { scope: nested(true) }, orderBy: { scope: { name: 'asc' } } } }) as never,
      resolve: ((parent: { scopes: { scope: unknown }[] }) => parent.scopes.map(({ scope }) => scope)) as never,
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

builder.prismaObjectField(AuthorizationPolicy, 'policies', (t) =>
  t.field({
    type: [AuthorizationPolicy],
    description: 'The policies that it applies, by name.',
    select: (_args, _ctx, nested) =>
      ({ associated: { select: { associated: nested(true) }, orderBy: { associated: { name: 'asc' } } } }) as never,
    resolve: ((parent: { associated: { associated: unknown }[] }) =>
      parent.associated.map(({ associated }) => associated)) as never,
  }),
);

export const ResourceServer = builder.prismaObject('ResourceServer', {
  description: 'How the authorization services of a client decide.',
  select: { id: true },
  fields: (t) => ({
    allowRemoteManagement: t.exposeBoolean('allowRemoteResourceManagement', {
      description: 'Whether the client may register resources by itself.',
    }),
    enforcement: t.field({
      type: PolicyEnforcement,
      description: 'What comes of a resource that no permission is about.',
      select: { policyEnforcementMode: true },
      resolve: ({ policyEnforcementMode }) => policyEnforcementMode as 'ENFORCING',
    }),
    decisionStrategy: t.field({
      type: DecisionStrategy,
      description: 'How what several permissions say becomes one decision.',
      select: { decisionStrategy: true },
      resolve: ({ decisionStrategy }) => decisionStrategy as 'UNANIMOUS',
    }),
    version: t.exposeInt('version', { description: 'Grows with every change; give it as expectedVersion.' }),
  }),
});

const Permission = builder.objectRef<{ rsname?: string; scopes?: string[] }>('GrantedPermission').implement({
  description: 'What somebody may do with a resource.',
  fields: (t) => ({
    resource: t.string({ nullable: true, description: 'Name of it.', resolve: ({ rsname }) => rsname ?? null }),
    scopes: t.stringList({ description: 'What may be done.', resolve: ({ scopes }) => scopes ?? [] }),
  }),
});

const EvaluationRef = builder.objectRef<Evaluation>('PolicyEvaluation').implement({
  description: 'What policies would say.',
  fields: (t) => ({
    permitted: t.boolean({
      description: 'Whether nothing that was asked for is refused.',
      resolve: ({ results }) => results.every(({ permit }) => permit),
    }),
    permissions: t.field({
      type: [Permission],
      description: 'What would be granted.',
      resolve: ({ claims }) =>
        (claims.authorization as { permissions: { rsname?: string; scopes?: string[] }[] }).permissions,
    }),
    results: t.field({
      type: 'JSON',
      description: 'What each permission and policy says, as the REST contract has it.',
      resolve: (evaluation) => encodeEvaluation(evaluation).results,
    }),
  }),
});

const permission = 'view:authorization' as const;
// whoever may see the settings of the client
for (const name of ['AuthorizationScope', 'AuthorizationResource', 'AuthorizationPolicy'] as const) {
  guardNode(name, name, permission);
}

const byName = [{ path: 'name' }, { path: 'id' }];
const resources = related<{ search?: string | null }>({
  parent: 'client',
  relation: 'authorizationResources',
  where: ({ search }) => (search ? { AND: resourceWhere('', { name: search }).AND } : {}),
  order: byName,
  permission,
});
const scopes = related<{ search?: string | null }>({
  parent: 'client',
  relation: 'authorizationScopes',
  where: ({ search }) => ({ ...scopeMatching(search ?? undefined) }),
  order: byName,
  permission,
});
const policies = related<{ search?: string | null; type?: string | null }>({
  parent: 'client',
  relation: 'authorizationPolicies',
  where: ({ search, type }) => ({
    AND: [
      { type: { not: 'uma' } },
      ...(type ? [{ type }] : []),
      ...(search ? [{ search: { contains: search.toLowerCase() } }] : []),
    ],
  }),
  order: byName,
  permission,
});

builder.prismaObjectFields(Client, (t) => {
  const search = t.arg.string({ description: 'Part of the name.' });
  return {
    resourceServer: t.field({
      type: ResourceServer,
      nullable: true,
      description: 'Its authorization services; null without. Takes view-authorization.',
      select: (_args, _ctx, nested) => ({ resourceServer: nested(true) }) as never,
      resolve: (async (parent: { realmId: string; resourceServer: unknown }, _args: object, ctx: never) => {
        (await permitById(ctx, parent.realmId)).require(permission);
        return parent.resourceServer;
      }) as never,
    }),
    authorizationResources: t.field({
      type: connectionType('AuthorizationResource', AuthorizationResource),
      nullable: true,
      description: 'What it protects, by name. Takes view-authorization.',
      args: { ...pageArgs, search },
      ...(resources as object),
    } as never),
    authorizationScopes: t.field({
      type: connectionType('AuthorizationScope', AuthorizationScope),
      nullable: true,
      description: 'What can be done with it, by name. Takes view-authorization.',
      args: { ...pageArgs, search: t.arg.string({ description: 'Part of the name.' }) },
      ...(scopes as object),
    } as never),
    authorizationPolicies: t.field({
      type: connectionType('AuthorizationPolicy', AuthorizationPolicy),
      nullable: true,
      description: 'The policies and permissions that decide, by name. Takes view-authorization.',
      args: {
        ...pageArgs,
        search: t.arg.string({ description: 'Part of the name.' }),
        type: t.arg.string({ description: 'Of which type.' }),
      },
      ...(policies as object),
    } as never),
    evaluatePolicies: t.field({
      type: EvaluationRef,
      nullable: true,
      description: 'What its policies would say if a user asked for resources. Takes view-authorization.',
      select: { id: true, realmId: true },
      args: {
        user: t.arg.id({ description: 'Id of the user; null comes without.' }),
        resource: t.arg.id({ description: 'Id of the resource; all unless told.' }),
        scopes: t.arg.stringList({ description: 'Names of the scopes; all unless told.' }),
        roles: t.arg.stringList({ description: 'Names of realm roles that the user is to have besides.' }),
      },
      resolve: async (parent, { user, resource, scopes: names, roles }, ctx) => {
        (await permitById(ctx, parent.realmId)).require(permission);
        if (user == null) return null;
        return perform(
          ctx,
          evaluatePolicies,
          async (at) => serverOf(at, await clientById(at, await realmById(at, parent.realmId), parent.id)),
          {
            userId: parseId(user, 'user', 'User').id,
            ...(roles && { roleIds: roles }),
            resources:
              resource || names?.length
                ? [
                    {
                      ...(resource && { _id: parseId(resource, 'resource', 'AuthorizationResource').id }),
                      scopes: (names ?? []).map((name) => ({ name })),
                    },
                  ]
                : [],
          },
        );
      },
    }),
  } as never;
});
