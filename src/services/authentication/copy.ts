import { write } from '../core/operation.js';
import { nextPosition } from '../core/position.js';
import { conflict, invalid, notFound } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import type { FlowRow } from './encode.js';
import { inLine, short, touchedFlows } from './flows.js';
import { FlowCopy } from './representation.js';
import { flowTree, type TreeFlow, withAllBelow } from './tree.js';

/** A flow, or none: the contract answers a copy of a missing flow with 404 and no message. */
export interface CopyTarget extends Target {
  flow: FlowRow | undefined;
}

/** The rows that a copy of flows inserts. */
function copied(flows: readonly TreeFlow[], newName: string, ownConfigs: boolean, newId: () => string) {
  const idOf = new Map(flows.map(({ id }) => [id, newId()]));
  const configs = new Map<string, { id: string; alias: string; config: object }>();
  const configOf = ({ configId, config }: TreeFlow['executions'][number]): string | null => {
    if (configId === null || config === null || !ownConfigs) return configId;
    const known = configs.get(configId);
    if (known) return known.id;
    const own = { id: newId(), alias: `${newName} ${config.alias}`, config: config.config as object };
    configs.set(configId, own);
    return own.id;
  };
  return {
    flows: flows.map(({ id, alias, description, providerId, topLevel }, index) => ({
      id: idOf.get(id) ?? '',
      alias: index === 0 ? newName : `${newName} ${alias}`,
      description,
      providerId,
      topLevel: index === 0 ? topLevel : false,
      builtIn: false,
    })),
    executions: flows.flatMap(({ id, executions }) =>
      executions.map((step) => ({
        id: newId(),
        flowId: idOf.get(id) ?? '',
        authenticator: step.authenticator,
        subflowId: step.subflowId === null ? null : (idOf.get(step.subflowId) ?? null),
        configId: configOf(step),
        requirement: step.requirement,
        priority: step.priority,
      })),
    ),
    configs: [...configs.values()],
  };
}

export const copy = write({
  name: 'flow.copy',
  summary: 'Copies a flow with its subflows, whose aliases start with the new alias. The copy is not built in.',
  input: FlowCopy,
  allow: 'manage:realm',
  queue: inLine,
  run: async (tx, { realm, flow }: CopyTarget, { newName, ownConfigs = false }, { ctx }) => {
    if (!flow) return undefined;
    if (!newName) throw invalid('The name of the copy is required', 'newName');
    const from = withAllBelow(await flowTree(tx, realm.id), flow.id);
    if (from.length === 0) throw notFound('Could not find flow with id');
    const { flows, executions, configs } = copied(from, newName, ownConfigs, ctx.services.newId);
    for (const { alias } of flows) short(alias, 'newName');
    const at = { realmId: realm.id, position: await nextPosition(tx.authenticationFlow, realm.id) };
    await tx.authenticationFlow.createMany({ data: flows.map((row) => ({ ...row, ...at })) });
    if (configs.length > 0) {
      await tx.authenticatorConfig.createMany({ data: configs.map((row) => ({ ...row, realmId: realm.id })) });
    }
    if (executions.length > 0) {
      await tx.authenticationExecution.createMany({ data: executions.map((row) => ({ ...row, realmId: realm.id })) });
    }
    return { id: flows[0]?.id ?? '', newName };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID'],
  conflict: () => conflict('New flow alias name already exists', 'newName', 'NAME_TAKEN'),
  event: (made, { flow }) =>
    made && {
      operationType: 'CREATE',
      resourceType: 'AUTH_FLOW',
      resourcePath: `authentication/flows/${flow?.alias ?? ''}/copy`,
      resourceId: made.id,
      representation: made,
    },
  touches: (made, target) => (made ? touchedFlows(made.id)(target) : []),
});
