import { getConfig } from '../../services/authentication/configs.js';
import { getExecution } from '../../services/authentication/execution-changes.js';
import {
  type ConfigTarget,
  configById,
  type ExecutionTarget,
  executionById,
  type FlowTarget,
  flowById,
} from '../../services/authentication/locate.js';
import { getFlow } from '../../services/authentication/operations.js';
import { permissionFor } from '../../services/core/allow.js';
import type { Context } from '../../services/core/context.js';
import { namedFlow, namesOfIds } from '../core/names.js';
import { locatedNode } from '../core/node.js';

/** The flow with this node ID, if the caller may see it. */
export async function flowTarget(ctx: Context, globalId: string, field = 'id'): Promise<FlowTarget> {
  const { realm, id } = await locatedNode(ctx, globalId, field, 'AuthenticationFlow');
  return flowById(ctx, realm, id, permissionFor(getFlow));
}

/** The step with this node ID, if the caller may see it. */
export async function executionTarget(ctx: Context, globalId: string, field = 'id'): Promise<ExecutionTarget> {
  const { realm, id } = await locatedNode(ctx, globalId, field, 'FlowExecution');
  return executionById(ctx, realm, id, permissionFor(getExecution));
}

/** The authenticator configuration with this node ID, if the caller may see it. */
export async function configTarget(ctx: Context, globalId: string): Promise<ConfigTarget> {
  const { realm, id } = await locatedNode(ctx, globalId, 'id', 'AuthenticatorConfig');
  return configById(ctx, realm, id, permissionFor(getConfig));
}

/**
 * The aliases of flows of a realm, by the contract's names for their uses. Each flow is given with the path of the
 * input with its ID; null stays null.
 */
export async function aliasesOfFlows(
  ctx: Context,
  realmId: string,
  given: readonly (readonly [wire: string, path: string, globalId: string | null | undefined])[],
): Promise<Record<string, string | null>> {
  const ids = given.flatMap(([, path, globalId]) => (globalId == null ? [] : [[path, globalId] as const]));
  const aliases = await namesOfIds(ctx, realmId, namedFlow, ids);
  return Object.fromEntries(
    given.flatMap(([wire, path, globalId]) => (globalId === undefined ? [] : [[wire, aliases.get(path) ?? null]])),
  );
}
