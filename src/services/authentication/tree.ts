import { limit } from '../../config/limits.js';
import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { invalid } from '../core/refusal.js';
import { storePriorities } from './store.js';

/** Maximum nesting of flows: the login goes no deeper. */
const deepest = limit('Objects', 'Flows within each other', 20, 'levels');
/** How many steps a flow may have. */
const mostSteps = limit('Objects', 'Executions of a flow', 100, 'executions');

const treeSelect = {
  id: true,
  alias: true,
  description: true,
  providerId: true,
  topLevel: true,
  builtIn: true,
  executions: {
    select: {
      id: true,
      authenticator: true,
      subflowId: true,
      configId: true,
      requirement: true,
      priority: true,
      config: { select: { alias: true, config: true } },
    },
  },
} as const satisfies Prisma.AuthenticationFlowSelect;

export type TreeFlow = Prisma.AuthenticationFlowGetPayload<{ select: typeof treeSelect }>;
export type FlowTree = ReadonlyMap<string, TreeFlow>;

/** All flows of a realm with their steps, by ID: one statement. */
export async function flowTree(db: Db, realmId: string): Promise<FlowTree> {
  const flows = await db.authenticationFlow.findMany({ where: { realmId }, select: treeSelect });
  return new Map(flows.map((flow) => [flow.id, flow]));
}

const next = (flow: TreeFlow | undefined): string[] =>
  flow?.executions.flatMap(({ subflowId }) => subflowId ?? []) ?? [];

/** The flow and all flows below it, each once, the flow itself first. */
export function withAllBelow(tree: FlowTree, id: string): TreeFlow[] {
  const found = new Map<string, TreeFlow>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const flow = tree.get(at);
    if (!flow || found.has(at)) continue;
    found.set(at, flow);
    open.push(...next(flow));
  }
  return [...found.values()];
}

/** The flows that are deleted with a flow: the flow itself first, and all flows that only it contains. */
export function onlyBelow(tree: FlowTree, id: string): TreeFlow[] {
  const going = new Map(withAllBelow(tree, id).map((flow) => [flow.id, flow]));
  const users = [...tree.values()].map((flow) => ({ flow, uses: next(flow) }));
  const isKept = (flow: TreeFlow) =>
    flow.topLevel || users.some((user) => !going.has(user.flow.id) && user.uses.includes(flow.id));
  // a flow that stays keeps the flows below it
  for (let changed = true; changed; ) {
    changed = false;
    for (const flow of going.values()) if (flow.id !== id && isKept(flow)) changed = going.delete(flow.id);
  }
  return [...going.values()];
}

/** The number of levels below a flow; a flow that contains itself counts as too deep. */
function levelsBelow(tree: FlowTree, id: string, above: ReadonlySet<string> = new Set()): number {
  if (above.has(id) || above.size > deepest) return deepest + 1;
  const inside = new Set(above).add(id);
  return Math.max(0, ...next(tree.get(id)).map((sub) => 1 + levelsBelow(tree, sub, inside)));
}

/** The deepest level on which a flow is; top-level flows are on level 0. */
function levelOf(tree: FlowTree, id: string, below: ReadonlySet<string> = new Set()): number {
  if (below.has(id) || below.size > deepest) return deepest + 1;
  const inside = new Set(below).add(id);
  const parents = [...tree.values()].filter((flow) => next(flow).includes(id));
  return Math.max(0, ...parents.map((parent) => 1 + levelOf(tree, parent.id, inside)));
}

/** Refuses to add a step or a subflow to a flow if the tree would become too large or circular. */
export function requireRoom(tree: FlowTree, parentId: string, subflowId?: string): void {
  const parent = tree.get(parentId);
  if (parent && parent.executions.length >= mostSteps)
    throw invalid(`A flow must have at most ${mostSteps} executions`, undefined, { code: 'LIMIT_REACHED' });
  if (subflowId === undefined) return;
  const isTaken = [...tree.values()].some((flow) => next(flow).includes(subflowId));
  if (isTaken || tree.get(subflowId)?.topLevel) {
    throw invalid('The subflow must not be a top-level flow or part of another flow', 'flowId', { code: 'IN_USE' });
  }
  if (withAllBelow(tree, subflowId).some(({ id }) => id === parentId)) {
    throw invalid('A flow must not contain itself', 'flowId', { code: 'CYCLE' });
  }
  if (levelOf(tree, parentId) + 1 + levelsBelow(tree, subflowId) > deepest) {
    throw invalid(`Flows must be nested at most ${deepest} levels deep`, 'flowId', { code: 'LIMIT_REACHED' });
  }
}

interface Placed {
  id: string;
  priority: number;
}

/** Sorts rows by their priorities; equal ones by ID, as the login does. */
export const inOrder = <T extends Placed>(rows: readonly T[]): T[] =>
  [...rows].sort((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1));

/** The largest priority that can be stored. */
const mostPriority = 2 ** 31 - 1;

/** The priority after all of these, at most the maximum. */
export const lastPriority = (rows: readonly { priority: number }[]): number =>
  rows.reduce((last, { priority }) => Math.min(Math.max(last, priority + 1), mostPriority), 0);

/**
 * Moves a row before the previous one (-1) or after the next one (1). The two rows swap their priorities, or all rows
 * are renumbered if these are equal. Returns the new priority of the row.
 */
export async function moveRow(
  tx: Db,
  table: 'AuthenticationExecution' | 'RequiredAction',
  rows: readonly Placed[],
  id: string,
  by: -1 | 1,
): Promise<number> {
  const order = inOrder(rows);
  const from = order.findIndex((row) => row.id === id);
  const moved = order[from];
  const other = order[from + by];
  if (!moved || !other) return moved?.priority ?? 0;
  order[from] = other;
  order[from + by] = moved;
  const changed =
    moved.priority === other.priority
      ? order.map((row, index) => ({ id: row.id, priority: index }))
      : [
          { id: moved.id, priority: other.priority },
          { id: other.id, priority: moved.priority },
        ];
  await storePriorities(tx, table, changed);
  return changed.find((row) => row.id === id)?.priority ?? moved.priority;
}
