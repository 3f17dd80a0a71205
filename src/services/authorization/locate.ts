import type { Prisma } from '../../generated/sqlite/client.js';
import type { ClientTarget } from '../clients/locate.js';
import type { Context } from '../core/context.js';
import type { Permission } from '../core/permissions.js';
import { missing, permitFor } from '../core/permit.js';
import { forbidden, Refusal } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { policyType } from './policy-types.js';
import {
  type ResourceRow,
  resourceSelect,
  type ScopeRow,
  scopeSelect,
  type WholePolicyRow,
  wholePolicySelect,
} from './store.js';

/** The columns of a resource server that readers select. */
export const serverSelect = {
  id: true,
  allowRemoteResourceManagement: true,
  policyEnforcementMode: true,
  decisionStrategy: true,
  version: true,
} as const satisfies Prisma.ResourceServerSelect;

/** The authorization services of a client. */
export interface ServerTarget extends Target {
  server: Prisma.ResourceServerGetPayload<{ select: typeof serverSelect }>;
  client: { id: string; clientId: string };
  /** path in audit records */
  path: string;
}

/**
 * The client that every write in a resource server alters: the client of realm administration determines the rights of
 * administrators.
 */
export const altersServer = ({ client }: ServerTarget) => ({ clients: [client.id] });

export interface ResourceTarget extends ServerTarget {
  resource: ResourceRow;
}

export interface ScopeTarget extends ServerTarget {
  scope: ScopeRow;
}

export interface PolicyTarget extends ServerTarget {
  policy: WholePolicyRow;
}

/** The resource server of a client. Refused if the client has no authorization services. */
export async function serverOf(ctx: Context, { realm, client }: ClientTarget): Promise<ServerTarget> {
  const server = await ctx.db.resourceServer.findUnique({ where: { id: client.id }, select: serverSelect });
  if (!server) throw await missing(ctx, realm, 'view:authorization', 'The client has no authorization services');
  return { realm, server, client, path: `clients/${client.id}/authz/resource-server` };
}

/**
 * The refusal for a missing object as in the contract: a 404 without a body for callers who may view, a 403 for others.
 */
async function nothing(
  ctx: Context,
  { realm }: Target,
  permission: Permission = 'view:authorization',
): Promise<Refusal> {
  const permit = await permitFor(ctx, realm);
  const mayLook = permit.can(permission) || permit.can('manage:authorization');
  return mayLook ? new Refusal('notFound', 'Not found', { body: null }) : forbidden();
}

/** A resource of the server by its ID. */
export async function resourceById(ctx: Context, target: ServerTarget, id: string): Promise<ResourceTarget> {
  const resource = await ctx.db.authorizationResource.findFirst({
    where: { id, resourceServerId: target.server.id },
    select: resourceSelect,
  });
  if (!resource) throw await nothing(ctx, target);
  return { ...target, resource };
}

/** A scope of the server by its ID. */
export async function authorizationScopeById(ctx: Context, target: ServerTarget, id: string): Promise<ScopeTarget> {
  const scope = await ctx.db.authorizationScope.findFirst({
    where: { id, resourceServerId: target.server.id },
    select: scopeSelect,
  });
  if (!scope) throw await nothing(ctx, target);
  return { ...target, scope };
}

/** A policy or permission of the server by its ID, of these types. User policies are excluded. */
export async function policyById(
  ctx: Context,
  target: ServerTarget,
  id: string,
  types: Prisma.AuthorizationPolicyWhereInput = {},
): Promise<PolicyTarget> {
  const policy = await ctx.db.authorizationPolicy.findFirst({
    where: { id, resourceServerId: target.server.id, AND: [{ type: { not: 'uma' } }, types] },
    select: wholePolicySelect,
  });
  if (!policy) throw await nothing(ctx, target);
  return { ...target, policy };
}

/** A policy or permission of this type, by its ID. */
export async function policyOfType(
  ctx: Context,
  target: ServerTarget,
  type: string,
  id: string,
): Promise<PolicyTarget> {
  if (!policyType(type)) throw await nothing(ctx, target);
  return policyById(ctx, target, id);
}
