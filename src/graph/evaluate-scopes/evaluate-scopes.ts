import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import { perform, performList } from '../../services/core/perform.js';
import { rolesInScopeOf } from '../../services/evaluate-scopes/locate.js';
import * as evaluate from '../../services/evaluate-scopes/operations.js';
import { get as getMapper } from '../../services/protocol-mappers/operations.js';
import { realmById } from '../../services/realms/locate.js';
import { getUser } from '../../services/users/list.js';
import { Client } from '../clients/clients.js';
import { batchingClient } from '../core/batching.js';
import { builder } from '../core/builder.js';
import { apart, maxPageSize } from '../core/limits.js';
import { isVisible, parseId } from '../core/node.js';
import { requireSize } from '../core/page.js';
import { ProtocolMapper } from '../protocol-mappers/protocol-mappers.js';
import { knownType, ProtocolMapperType } from '../protocol-mappers/setting-values.js';
import { Role } from '../roles/roles.js';

/** The input of an evaluation for a client. IDs are row IDs. */
interface Evaluation {
  realmId: string;
  clientId: string;
  scope: string | undefined;
  userId: string | undefined;
}

const MapperInEffect = builder.objectRef<evaluate.MapperInEffect>('ProtocolMapperInEffect').implement({
  description: 'A protocol mapper that contributes to the tokens of a client.',
  fields: (t) => ({
    name: t.string({ description: 'Name of the mapper.', resolve: ({ mapperName }) => mapperName }),
    type: t.field({
      type: ProtocolMapperType,
      nullable: true,
      description: 'Type of the mapper. Null for a type that the schema does not support.',
      resolve: ({ protocolMapper }) => knownType(protocolMapper ?? null),
    }),
    clientScopeName: t.string({
      nullable: true,
      description: 'Name of the client scope that the mapper belongs to. Null: it belongs to the client itself.',
      resolve: ({ containerType, containerName }) => (containerType === 'client-scope' ? containerName : null),
    }),
    mapper: t.prismaField({
      type: ProtocolMapper,
      nullable: true,
      description: 'The mapper with its settings.',
      requires: { operation: getMapper, otherwise: 'NULL', isChecked: true },
      resolve: async (query, { mapperId: id }, _args, ctx) =>
        (await isVisible(ctx, { typename: ProtocolMapper.name, id }))
          ? batchingClient(ctx).protocolMapper.findUnique({ ...query, where: { id } })
          : null,
    }),
  }),
});

const located = async (ctx: Context, { realmId, clientId }: Evaluation) =>
  clientById(ctx, await realmById(ctx, realmId), clientId);

/** An example of a user's token or claims; null if no user is named. */
const example = (operation: typeof evaluate.accessToken, asked: Evaluation, ctx: Context) =>
  asked.userId === undefined
    ? null
    : perform(ctx, operation, (at) => located(at, asked), { scope: asked.scope, userId: asked.userId });

const roleArgs = builder.args((t) => ({
  client: t.id({ description: 'ID of the client whose roles are returned. Omit for realm roles.' }),
  first: t.int({ description: `Number of roles to return. Default and maximum ${maxPageSize}.` }),
  skip: t.int({ description: 'Number of roles to skip.' }),
}));

interface RoleArgs {
  client?: string | null;
  first?: number | null;
  skip?: number | null;
}

const countOf = ({ first }: RoleArgs): number => first ?? maxPageSize;
const rolesAsked = (args: RoleArgs) => ({ field: 1, multiplier: Math.max(0, countOf(args)) });

async function rolesOf<Q extends object>(
  ctx: Context,
  operation: typeof evaluate.granted,
  query: Q,
  asked: Evaluation,
  args: RoleArgs,
) {
  requireSize(countOf(args), 'first');
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
  description: 'Effect of the client scopes on the tokens of a client for a given `scope` parameter.',
  fields: (t) => ({
    protocolMappers: t.field({
      type: [MapperInEffect],
      description: 'Protocol mappers that contribute to the tokens.',
      resolve: (asked, _args, ctx) =>
        perform(ctx, evaluate.mappersInEffect, (at) => located(at, asked), { scope: asked.scope }),
    }),
    grantedRoles: t.prismaField({
      type: [Role],
      nullable: true,
      description: 'Roles that tokens can contain, ordered by name: realm roles, or roles of the given client.',
      args: roleArgs,
      complexity: rolesAsked,
      resolve: (query, asked, args, ctx) => rolesOf(ctx, evaluate.granted, query, asked, args),
    }),
    notGrantedRoles: t.prismaField({
      type: [Role],
      nullable: true,
      description: 'Roles that tokens never contain, ordered by name: realm roles, or roles of the given client.',
      args: roleArgs,
      complexity: rolesAsked,
      resolve: (query, asked, args, ctx) => rolesOf(ctx, evaluate.notGranted, query, asked, args),
    }),
    accessToken: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Claims of an access token for the given user.',
      requires: { operation: getUser, isChecked: true },
      resolve: (asked, _args, ctx) => example(evaluate.accessToken, asked, ctx),
    }),
    idToken: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Claims of an ID token for the given user.',
      requires: { operation: getUser, isChecked: true },
      resolve: (asked, _args, ctx) => example(evaluate.idToken, asked, ctx),
    }),
    userInfo: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Response of the userinfo endpoint for the given user.',
      requires: { operation: getUser, isChecked: true },
      resolve: (asked, _args, ctx) => example(evaluate.userInfo, asked, ctx),
    }),
  }),
});

builder.prismaObjectField(Client, 'evaluateScopes', (t) =>
  t.field({
    type: EvaluationRef,
    nullable: true,
    description:
      'Evaluates the client scopes of the client: protocol mappers, roles, and example tokens. Issues no token.',
    args: {
      scope: t.arg.string({
        description: 'The `scope` parameter of the login request: names of client scopes separated by spaces.',
      }),
      user: t.arg.id({ description: 'ID of the user for whom the example tokens are made.' }),
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
