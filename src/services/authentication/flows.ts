import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { nextPosition } from '../core/position.js';
import { realmSelect } from '../core/realm.js';
import { conflict, found, invalid, notFound } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { bindingNames } from '../realms/assemble/settings.js';
import { encodeBareFlow, type FlowRow, flowSelect } from './encode.js';
import type { FlowTarget } from './locate.js';
import { AuthenticationFlowRepresentation, FlowRemoval } from './representation.js';
import { clientsBoundTo } from './store.js';
import { flowTree, onlyBelow, type TreeFlow } from './tree.js';

/** Writers of the flows of a realm queue for the realm, so that each sees the changes of the others in nested flows. */
export const inLine = ({ realm }: Target) => ({ model: 'Realm', id: realm.id }) as const;

/** Keys of a change of flows. Each login reads flows again. */
export const touchedFlows =
  (...ids: string[]) =>
  ({ realm }: Target): string[] => [`flows:${realm.id}`, ...ids.map((id) => `flow:${id}`)];

const longest = 255;

/** Refuses a name that is too long for an index, by its field. */
export function short(name: string, field: string): void {
  if (name.length > longest)
    throw invalid(`\`alias\` must be at most ${longest} characters`, field, { code: 'NAME_INVALID' });
}

/**
 * Refuses an alias of a new flow with reserved characters of URLs. The contract refuses them nowhere else: a flow can
 * be renamed to such an alias, and an import or a file can have it, as exports do.
 */
function requireNoReserved(alias: string): void {
  const reserved = /[:/?#[\]@!$&()*+,;=\\]/.exec(alias)?.[0];
  if (reserved)
    throw invalid(`Character '${reserved}' not allowed.`, 'alias', { member: 'error', code: 'NAME_INVALID' });
}

/** The alias of a flow. An empty alias is a conflict, as on the reference server. */
function checkedAlias(alias: string | undefined, verb: 'create' | 'update'): string {
  if (!alias) throw conflict(`Failed to ${verb} flow with empty alias name`, 'alias', 'NAME_INVALID');
  short(alias, 'alias');
  if (verb === 'create') requireNoReserved(alias);
  return alias;
}

export const create = write({
  name: 'flow.create',
  summary: 'Creates an authentication flow without executions.',
  input: AuthenticationFlowRepresentation,
  allow: 'manage:realm',
  queue: inLine,
  run: async (tx, { realm }: Target, input, { ctx }) => {
    const alias = checkedAlias(input.alias, 'create');
    if (!input.providerId) throw invalid('`providerId` of the flow is required', 'providerId');
    const flow = {
      id: await ownId(tx, input.id, ctx.services),
      alias,
      description: input.description ?? null,
      providerId: input.providerId,
      topLevel: input.topLevel ?? false,
      builtIn: input.builtIn ?? false,
      position: await nextPosition(tx.authenticationFlow, realm.id),
    };
    await tx.authenticationFlow.createMany({ data: { ...flow, realmId: realm.id } });
    return flow;
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID'],
  conflict: ({ alias }) => `Flow ${alias} already exists`,
  event: (flow) => ({
    operationType: 'CREATE',
    resourceType: 'AUTH_FLOW',
    resourcePath: `authentication/flows/${flow.id}`,
    representation: encodeBareFlow(flow),
  }),
  touches: (flow, target) => touchedFlows(flow.id)(target),
});

/** Updates references to a flow by its alias. Returns whether the realm was changed. */
async function follow(tx: Db, realmId: string, before: string, alias: string): Promise<boolean> {
  await tx.later.identityProvider.updateMany({
    where: { realmId, firstBrokerLoginFlowAlias: before },
    data: { firstBrokerLoginFlowAlias: alias, version: { increment: 1 } },
  });
  await tx.later.identityProvider.updateMany({
    where: { realmId, postBrokerLoginFlowAlias: before },
    data: { postBrokerLoginFlowAlias: alias, version: { increment: 1 } },
  });
  const settings = await settingsOf(tx, realmId);
  const bound = bindingNames.filter((name) => settings[name] === before);
  if (bound.length === 0) return false;
  await tx.later.realm.updateMany({
    where: { id: realmId },
    data: {
      settings: { ...settings, ...Object.fromEntries(bound.map((name) => [name, alias])) } as Prisma.InputJsonObject,
      version: { increment: 1 },
    },
  });
  return true;
}

async function settingsOf(tx: Db, realmId: string): Promise<Record<string, unknown>> {
  const realm = await tx.realm.findUnique({ where: { id: realmId }, select: { settings: realmSelect.settings } });
  if (!realm) throw notFound('Realm not found.');
  return realm.settings as Record<string, unknown>;
}

export const update = write({
  name: 'flow.update',
  summary: 'Changes the alias, description, and provider of a flow. Bindings to the flow stay.',
  input: AuthenticationFlowRepresentation,
  allow: 'manage:realm',
  queue: inLine,
  lock: ({ flow }: FlowTarget) => ({ model: 'AuthenticationFlow', id: flow.id }),
  refresh: async (tx, target: FlowTarget) => {
    const { id } = target.flow;
    const flow = await tx.authenticationFlow.findUnique({ where: { id }, select: flowSelect });
    return { ...target, flow: found(flow, 'Could not find flow with id') };
  },
  run: async (tx, { realm, flow }: FlowTarget, input) => {
    const alias = checkedAlias(input.alias, 'update');
    if (!input.providerId) throw invalid('`providerId` of the flow is required', 'providerId');
    const changed = {
      alias,
      description: input.description ?? null,
      providerId: input.providerId,
      topLevel: input.topLevel ?? false,
      builtIn: input.builtIn ?? false,
    };
    const updated = await tx.authenticationFlow.updateMany({
      where: { id: flow.id },
      data: { ...changed, version: { increment: 1 } },
    });
    if (updated.count === 0) throw notFound('Could not find flow with id');
    const realmChanged = alias !== flow.alias && (await follow(tx, realm.id, flow.alias, alias));
    return { ...flow, ...changed, realmChanged };
  },
  refuses: ['NAME_TAKEN', 'NAME_INVALID'],
  conflict: () => 'Flow alias name already exists',
  event: (flow, { flow: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'AUTH_FLOW',
    resourcePath: `authentication/flows/${flow.id}`,
    representation: encodeBareFlow(flow),
    before: encodeBareFlow(before),
  }),
  touches: (flow, target) => [
    ...touchedFlows(flow.id)(target),
    ...(flow.alias === target.flow.alias ? [] : [`identity-providers:${target.realm.id}`]),
    ...(flow.realmChanged ? [`realm:${target.realm.id}`] : []),
  ],
});

export const patch = patchOf(update, {
  current: ({ flow }) => encodeBareFlow(flow),
  empty: { description: undefined },
});

/** Refuses to delete flows that logins need: flows to which the realm or an identity provider is bound. */
async function requireUnbound(tx: Db, realmId: string, flows: readonly { alias: string }[]): Promise<void> {
  const aliases = flows.map(({ alias }) => alias);
  const settings = await settingsOf(tx, realmId);
  const provider = await tx.identityProvider.findFirst({
    where: {
      realmId,
      OR: [{ firstBrokerLoginFlowAlias: { in: aliases } }, { postBrokerLoginFlowAlias: { in: aliases } }],
    },
    select: { alias: true },
  });
  const binding = bindingNames.find((name) => aliases.includes(String(settings[name])));
  if (!binding && !provider) return;
  const user = binding ? `as ${binding} of the realm` : `by the identity provider ${provider?.alias}`;
  throw conflict(`Cannot remove authentication flow, it is currently in use ${user}`, undefined, 'IN_USE');
}

/** Deletes flows; their steps and the steps that lead to them go with them. */
export async function deleteFlows(tx: Db, realmId: string, flows: readonly TreeFlow[]): Promise<void> {
  await requireUnbound(tx, realmId, flows);
  await tx.later.authenticationFlow.deleteMany({ where: { id: { in: flows.map(({ id }) => id) } } });
}

export const remove = write({
  name: 'flow.delete',
  summary: 'Deletes a flow with its subflows. Refused for a built-in flow and for a flow in use.',
  input: FlowRemoval,
  allow: 'manage:realm',
  queue: inLine,
  lock: ({ flow }: FlowTarget) => ({ model: 'AuthenticationFlow', id: flow.id }),
  run: async (tx, { realm, flow }: FlowTarget, { evenIfClientsUseIt }): Promise<FlowRow & { gone: string[] }> => {
    const gone = onlyBelow(await flowTree(tx, realm.id), flow.id);
    if (gone.length === 0) throw notFound('Could not find flow with id');
    if (gone.some(({ builtIn }) => builtIn)) {
      throw invalid("Can't delete built in flow", undefined, { member: 'error', code: 'BUILT_IN' });
    }
    if (!evenIfClientsUseIt) {
      const [client] = await clientsBoundTo(
        tx,
        gone.map(({ id }) => id),
        1,
      );
      if (client) {
        const message = `Cannot remove authentication flow, it is in use by the client ${client.clientId}`;
        throw conflict(message, undefined, 'IN_USE');
      }
    }
    await deleteFlows(tx, realm.id, gone);
    return { ...flow, gone: gone.map(({ id }) => id) };
  },
  refuses: ['BUILT_IN', 'IN_USE'],
  event: (flow) => ({
    operationType: 'DELETE',
    resourceType: 'AUTH_FLOW',
    resourcePath: `authentication/flows/${flow.id}`,
    before: encodeBareFlow(flow),
    removes: flow.gone,
  }),
  touches: ({ gone }, target) => touchedFlows(...gone)(target),
});
