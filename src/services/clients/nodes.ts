import { limit } from '../../config/limits.js';
import type { Context } from '../core/context.js';
import { ownMember } from '../core/json.js';
import { read, write } from '../core/operation.js';
import { addressForRealm } from '../core/realm.js';
import { invalid, notFound, Refusal } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import type { GlobalRequestResult } from '../sessions/deliver.js';
import { managedClients, testAvailability } from '../sessions/notifications.js';
import type { ClientTarget } from './locate.js';
import { touched } from './operations.js';

/** A node of a client's cluster, by its host name. */
const ClusterNode = representation('ClusterNode', { node: text }, 'ignored');

/** A client, and the node of it that the caller names. */
export interface NodeTarget extends ClientTarget {
  node: string;
}

/** What a registered node is kept under, which is the host that messages for it go to. */
const hostPattern = /^[\w.:[\]-]{1,255}$/;
const mostNodes = limit('Objects', 'Nodes of a client', 1000, 'nodes');

const audited = (operationType: 'CREATE' | 'DELETE', id: string, node: string) => ({
  operationType,
  resourceType: 'CLUSTER_NODE',
  resourcePath: `clients/${id}/nodes/${node}`,
  representation: { node },
});

/** The nodes of a client as its row has them: when they registered, in seconds since 1970, by their host names. */
export const nodesOf = (registered: unknown): Record<string, number> => registered as Record<string, number>;

export const registerNode = write({
  name: 'client.registerNode',
  summary:
    'Registers a cluster node of a client, which receives logout and revocation requests, or renews its registration.',
  input: ClusterNode,
  allow: 'configure:clients',
  check: (_permit, _target: ClientTarget, { node }) => {
    if (!node) throw new Refusal('malformed', '`node` is required', { field: 'node' });
    if (!hostPattern.test(node)) throw invalid('`node` must be a host name', 'node');
  },
  lock: ({ client }: ClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client }, { node = '' }, { ctx }) => {
    const row = await tx.client.findUniqueOrThrow({ where: { id: client.id }, select: { registeredNodes: true } });
    const nodes = { ...nodesOf(row.registeredNodes), [node]: Math.floor(ctx.services.now() / 1000) };
    if (Object.keys(nodes).length > mostNodes)
      throw invalid(`A client must have at most ${mostNodes} nodes`, 'node', { code: 'LIMIT_REACHED' });
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: { registeredNodes: nodes, version: { increment: 1 } },
    });
    return { id: client.id, node };
  },
  refuses: ['LIMIT_REACHED'],
  event: ({ id, node }) => audited('CREATE', id, node),
  touches: ({ id }, { realm }) => touched({ id, realmId: realm.id }),
});

export const removeNode = write({
  name: 'client.removeNode',
  summary: 'Removes a cluster node of a client.',
  allow: 'configure:clients',
  lock: ({ client }: NodeTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client, node }) => {
    const row = await tx.client.findUniqueOrThrow({ where: { id: client.id }, select: { registeredNodes: true } });
    const nodes = nodesOf(row.registeredNodes);
    const others = Object.fromEntries(Object.entries(nodes).filter(([name]) => name !== node));
    // as recorded, without its name
    if (ownMember(nodes, node) === undefined) throw notFound('Client does not have node ', 'node');
    await tx.later.client.updateMany({
      where: { id: client.id },
      data: { registeredNodes: others, version: { increment: 1 } },
    });
    return { id: client.id, node };
  },
  event: ({ id, node }) => audited('DELETE', id, node),
  touches: ({ id }, { realm }) => touched({ id, realmId: realm.id }),
});

export const testNodes = read({
  name: 'client.testNodes',
  summary: 'Contacts the cluster nodes of a client and reports which ones answer.',
  allow: 'configure:clients',
  run: async (ctx: Context, { realm, client }: ClientTarget): Promise<GlobalRequestResult> => {
    const clients = (await managedClients(ctx.db, realm.id)).filter(({ id }) => id === client.id);
    return testAvailability({ ...ctx.services, baseUrl: addressForRealm(ctx, realm) }, realm, clients);
  },
});
