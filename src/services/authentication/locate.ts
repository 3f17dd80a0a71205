import type { Context } from '../core/context.js';
import type { Permission } from '../core/permissions.js';
import { missing, permitFor } from '../core/permit.js';
import type { RealmRecord } from '../core/realm.js';
import { forbidden, invalid, notFound, type Refusal } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import {
  authenticatorConfigSelect,
  type ConfigRow,
  type FlowRow,
  flowSelect,
  type RequiredActionRow,
  requiredActionSelect,
  type StepRow,
  stepSelect,
} from './encode.js';

export interface FlowTarget extends Target {
  flow: FlowRow;
}
export interface ExecutionTarget extends Target {
  execution: StepRow;
}
export interface ConfigTarget extends Target {
  config: ConfigRow;
}
export interface RequiredActionTarget extends Target {
  action: RequiredActionRow;
}

/** The flow with this ID. */
export async function flowById(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  permission: Permission,
): Promise<FlowTarget> {
  const flow = await ctx.db.authenticationFlow.findFirst({ where: { id, realmId: realm.id }, select: flowSelect });
  if (!flow) throw await missing(ctx, realm, permission, 'Could not find flow with id');
  return { realm, flow };
}

/** The flow of this alias, or undefined. */
export const findFlow = (ctx: Context, realm: RealmRecord, alias: string): Promise<FlowRow | null> =>
  ctx.db.authenticationFlow.findUnique({ where: { realmId_alias: { realmId: realm.id, alias } }, select: flowSelect });

/** The refusals of an unknown flow, which depend on the request. */
const noFlow = {
  execution: () => invalid("Parent flow doesn't exist", 'flowAlias', { member: 'error' }),
  subflow: () => invalid("Parent flow doesn't exist", 'flowAlias'),
  requirement: () => notFound('flow not found'),
} as const satisfies Record<string, () => Refusal>;

/** The flow with this alias, for a write with its own refusal if it is missing. */
export async function flowByAlias(
  ctx: Context,
  realm: RealmRecord,
  alias: string,
  use: keyof typeof noFlow,
): Promise<FlowTarget> {
  const flow = await findFlow(ctx, realm, alias);
  if (flow) return { realm, flow };
  throw (await permitFor(ctx, realm)).can('manage:realm') ? noFlow[use]() : forbidden();
}

/** The step with this ID. */
export async function executionById(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  permission: Permission,
): Promise<ExecutionTarget> {
  const execution = await ctx.db.authenticationExecution.findFirst({
    where: { id, realmId: realm.id },
    select: stepSelect,
  });
  if (!execution) throw await missing(ctx, realm, permission, 'Illegal execution');
  return { realm, execution };
}

/** The authenticator configuration with this ID. */
export async function configById(
  ctx: Context,
  realm: RealmRecord,
  id: string,
  permission: Permission,
): Promise<ConfigTarget> {
  const config = await ctx.db.authenticatorConfig.findFirst({
    where: { id, realmId: realm.id },
    select: authenticatorConfigSelect,
  });
  if (!config) throw await missing(ctx, realm, permission, 'Could not find authenticator config');
  return { realm, config };
}

/** The required action of this alias; the reference server ends the refusal of some writes with a full stop. */
export async function requiredActionByAlias(
  ctx: Context,
  realm: RealmRecord,
  alias: string,
  permission: Permission = 'view:required-actions',
  end = '',
): Promise<RequiredActionTarget> {
  const action = await ctx.db.requiredAction.findUnique({
    where: { realmId_alias: { realmId: realm.id, alias } },
    select: requiredActionSelect,
  });
  if (!action) throw await missing(ctx, realm, permission, `Failed to find required action${end}`);
  return { realm, action };
}
