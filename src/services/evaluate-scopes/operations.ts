import { among } from '../../database/lists.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { ClientTarget } from '../clients/locate.js';
import { type Context, loader } from '../core/context.js';
import { list, read } from '../core/operation.js';
import type { Permit } from '../core/ports.js';
import { notFound } from '../core/refusal.js';
import type { Input } from '../core/shape.js';
import { rolesOf } from '../roles/container.js';
import { idTokenClaims, userInfoClaims } from '../tokens/issue.js';
import { expiryOf } from '../tokens/lifetimes.js';
import { knownScopes } from '../tokens/scopes.js';
import { clientSelect, type TokenClient } from '../tokens/types.js';
import { exampleClaims, examplePlan } from './example.js';
import type { RolesInScopeTarget } from './locate.js';
import { ScopeEvaluation, TokenEvaluation } from './representation.js';
import { inScope } from './store.js';

/** A protocol mapper that would write the tokens, with its client or client scope. */
export interface MapperInEffect {
  mapperId: string;
  mapperName: string;
  protocolMapper: string | undefined;
  containerType: 'client' | 'client-scope';
  containerId: string;
  /** empty for the client itself, as recorded */
  containerName: string;
}

/** The client as the token endpoint reads it. */
export async function tokenClient(ctx: Context, id: string): Promise<TokenClient> {
  const client = await ctx.db.client.findUnique({ where: { id }, select: clientSelect });
  if (!client) throw notFound('Could not find client');
  return client;
}

const isOpenId = ({ protocol }: { protocol: string | null }): boolean =>
  (protocol ?? 'openid-connect') === 'openid-connect';

export const mappersInEffect = read({
  name: 'evaluateScopes.protocolMappers',
  summary: 'Returns the protocol mappers that contribute to the tokens of a client for a given `scope` parameter.',
  input: ScopeEvaluation,
  allow: 'view:clients',
  run: async (ctx, { client }: ClientTarget, { scope }): Promise<MapperInEffect[]> => {
    const found = await tokenClient(ctx, client.id);
    const own = { containerType: 'client' as const, containerId: client.id, containerName: '' };
    const owners = knownScopes(found, scope).scopes.map((of) => ({
      mappers: of.protocolMappers,
      container: { containerType: 'client-scope' as const, containerId: of.id, containerName: of.name },
    }));
    return [...owners, { mappers: found.protocolMappers, container: own }].flatMap(({ mappers, container }) =>
      mappers.filter(isOpenId).map(({ id, name, protocolMapper }) => ({
        mapperId: id,
        mapperName: name,
        protocolMapper: protocolMapper ?? undefined,
        ...container,
      })),
    );
  },
});

export const granted = list({
  name: 'evaluateScopes.granted',
  summary:
    'Returns the roles of the realm or a client that tokens of a client can contain for a given `scope` parameter.',
  input: ScopeEvaluation,
  allow: 'view:clients',
  model: 'Role',
  where: (target: RolesInScopeTarget, { scope }): Prisma.RoleWhereInput => ({
    ...rolesOf(target.realm, target.container),
    id: { in: among(inScope(target, scope)) },
  }),
  orderBy: [{ name: 'asc' }],
});

export const notGranted = list({
  name: 'evaluateScopes.notGranted',
  summary:
    'Returns the roles of the realm or a client that tokens of a client never contain for a given `scope` parameter.',
  input: ScopeEvaluation,
  allow: 'view:clients',
  model: 'Role',
  where: (target: RolesInScopeTarget, { scope }): Prisma.RoleWhereInput => ({
    ...rolesOf(target.realm, target.container),
    id: { notIn: among(inScope(target, scope)) },
  }),
  orderBy: [{ name: 'asc' }],
});

type Evaluation = Input<typeof TokenEvaluation>;

const claimsContext = (ctx: Context) => ({ database: { read: ctx.db } });

/**
 * The plan of the tokens, shared by the tokens of one request. The data of a user require the permission to view users
 * besides the permission to view clients.
 */
function planned(ctx: Context, { realm, client }: ClientTarget, { scope, userId }: Evaluation, permit: Permit) {
  if (!userId) throw notFound('No userId provided', 'userId');
  permit.require('view:users');
  const key = JSON.stringify(['evaluateScopes', client.id, scope, userId]);
  return loader(ctx, key, () => examplePlan(ctx, realm, () => tokenClient(ctx, client.id), scope, userId));
}

export const accessToken = read({
  name: 'evaluateScopes.accessToken',
  summary: 'Returns an example of the claims of an access token for a user and `scope` parameter. Starts no session.',
  input: TokenEvaluation,
  allow: 'view:clients',
  run: async (ctx, target: ClientTarget, input, permit) => {
    return exampleClaims(ctx, await planned(ctx, target, input, permit));
  },
});

export const idToken = read({
  name: 'evaluateScopes.idToken',
  summary: 'Returns an example of the claims of an ID token for a user and `scope` parameter. Starts no session.',
  input: TokenEvaluation,
  allow: 'view:clients',
  run: async (ctx, target: ClientTarget, input, permit) => {
    const plan = await planned(ctx, target, input, permit);
    const { access } = expiryOf(plan.realm, plan.client, plan.session, plan.at);
    // no login: the time of authentication is 0
    return idTokenClaims(claimsContext(ctx), { ...plan, session: { ...plan.session, authTime: 0 } }, access);
  },
});

export const userInfo = read({
  name: 'evaluateScopes.userInfo',
  summary: 'Returns an example of the userinfo response for a user and `scope` parameter.',
  input: TokenEvaluation,
  allow: 'view:clients',
  run: async (ctx, target: ClientTarget, input, permit) =>
    userInfoClaims(claimsContext(ctx), await planned(ctx, target, input, permit)),
});
