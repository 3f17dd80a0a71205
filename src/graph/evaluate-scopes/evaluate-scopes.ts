import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import { perform, performList } from '../../services/core/perform.js';
import { rolesInScopeOf } from '../../services/evaluate-scopes/locate.js';
import * as evaluate from '../../services/evaluate-scopes/operations.js';
import { realmById } from '../../services/realms/locate.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { apart, maxPageSize } from '../core/limits.js';
import { nodeId, parseId } from '../core/node.js';
import { Role } from '../roles/roles.js';

/** What is asked of a client. Ids are those of rows. */
interface Evaluation {
  realmId: string;
  clientId: string;
  scope: string | undefined;
  userId: string | undefined;
}

const MapperInEffect = builder.objectRef<evaluate.MapperInEffect>('ProtocolMapperInEffect').implement({
  description: 'A protocol mapper that writes the tokens.',
  fields: (t) => ({
    id: t.id({ description: 'Id of the mapper.', resolve: ({ mapperId }) => nodeId('ProtocolMapper', mapperId) }),
    name: t.string({ description: 'Its name.', resolve: ({ mapperName }) => mapperName }),
    type: t.string({
      nullable: true,
      description: 'What it does, by the id of its kind.',
      resolve: ({ protocolMapper }) => protocolMapper ?? null,
    }),
    clientScope: t.string({
      nullable: true,
      description: 'Name of the client scope that it belongs to; null for one of the client itself.',
      resolve: ({ containerType, containerName }) => (containerType === 'client-scope' ? containerName : null),
    }),
  }),
});

const located = async (ctx: Context, { realmId, clientId }: Evaluation) =>
  clientById(ctx, await realmById(ctx, realmId), clientId);

/** An example of what a user gets; null where no user is named. */
const example = (operation: typeof evaluate.accessToken, asked: Evaluation, ctx: Context) =>
  asked.userId === undefined
    ? null
    : perform(ctx, operation, (at) => located(at, asked), { scope: asked.scope, userId: asked.userId });

const roleArgs = builder.args((t) => ({
  client: t.id({ description: 'Id of the client whose roles are asked for.' }),
  first: t.int({ description: `How many; ${maxPageSize} at most and unless told.` }),
  skip: t.int({ description: 'How many to pass over before.' }),
}));

interface RoleArgs {
  client?: string | null;
  first?: number | null;
  skip?: number | null;
}

const countOf = ({ first }: RoleArgs): number => Math.max(0, Math.min(first ?? maxPageSize, maxPageSize));
const rolesAsked = (args: RoleArgs) => ({ field: 1, multiplier: countOf(args) });

async function rolesOf<Q extends object>(
  ctx: Context,
  operation: typeof evaluate.granted,
  query: Q,
  asked: Evaluation,
  args: RoleArgs,
) {
  const container = args.client == null ? asked.realmId : parseId(args.client, 'client', 'Client').id;
  const locate = async (at: Context) =>
    rolesInScopeOf(at, await realmById(at, asked.realmId), asked.clientId, container);
  const { where } = await performList(ctx, operation, locate, { scope: asked.scope });
  return ctx.db.role.findMany({
    ...query,
    where,
    orderBy: [{ name: 'asc' }],
    take: countOf(args),
    skip: Math.max(0, args.skip ?? 0),
  });
}

const EvaluationRef = builder.objectRef<Evaluation>('ClientScopeEvaluation').implement({
  description: 'What the client scopes do to the tokens of a client for a scope parameter.',
  fields: (t) => ({
    protocolMappers: t.field({
      type: [MapperInEffect],
      description: 'The protocol mappers that write the tokens.',
      resolve: (asked, _args, ctx) =>
        perform(ctx, evaluate.mappersInEffect, (at) => located(at, asked), { scope: asked.scope }),
    }),
    grantedRoles: t.prismaField({
      type: [Role],
      description: 'The roles that the tokens may have, by name: of the realm, or of the client that is named.',
      args: roleArgs,
      complexity: rolesAsked,
      resolve: (query, asked, args, ctx) => rolesOf(ctx, evaluate.granted, query, asked, args),
    }),
    notGrantedRoles: t.prismaField({
      type: [Role],
      description: 'The roles that the tokens never have, by name: of the realm, or of the client that is named.',
      args: roleArgs,
      complexity: rolesAsked,
      resolve: (query, asked, args, ctx) => rolesOf(ctx, evaluate.notGranted, query, asked, args),
    }),
    accessToken: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The claims of the access token of the user. Takes view-users.',
      resolve: (asked, _args, ctx) => example(evaluate.accessToken, asked, ctx),
    }),
    idToken: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The claims of the ID token of the user. Takes view-users.',
      resolve: (asked, _args, ctx) => example(evaluate.idToken, asked, ctx),
    }),
    userInfo: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What the userinfo endpoint tells of the user. Takes view-users.',
      resolve: (asked, _args, ctx) => example(evaluate.userInfo, asked, ctx),
    }),
  }),
});

builder.prismaObjectField(Client, 'evaluateScopes', (t) =>
  t.field({
    type: EvaluationRef,
    description:
      'What its client scopes do to its tokens: mappers and roles, and the tokens of a user. None is issued.',
    args: {
      scope: t.arg.string({ description: 'The scope parameter of the login: names of client scopes between blanks.' }),
      user: t.arg.id({ description: 'Id of the user who gets the tokens.' }),
    },
    complexity: apart,
    select: { id: true, realmId: true },
    resolve: ({ id, realmId }, { scope, user }): Evaluation => ({
      realmId,
      clientId: id,
      scope: scope ?? undefined,
      userId: user == null ? undefined : parseId(user, 'user', 'User').id,
    }),
  }),
);
