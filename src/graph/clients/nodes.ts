import { clientById, fullClientById } from '../../services/clients/locate.js';
import { nodesOf, registerNode, removeNode, testNodes } from '../../services/clients/nodes.js';
import { renewRegistrationToken } from '../../services/clients/registration-token.js';
import type { Context } from '../../services/core/context.js';
import { perform } from '../../services/core/perform.js';
import { realmById } from '../../services/realms/locate.js';
import type { GlobalRequestResult } from '../../services/sessions/deliver.js';
import { builder } from '../core/builder.js';
import { apart } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { locatedNode } from '../core/node.js';
import { fieldNamed } from '../core/wire-names.js';
import { Client } from './clients.js';

const ClientNode = builder.objectRef<{ host: string; registeredAt: number }>('ClientNode').implement({
  description: 'A cluster node of a client, which receives logout and revocation requests.',
  fields: (t) => ({
    host: t.exposeString('host', { description: 'Host name of the node.' }),
    registeredAt: t.field({
      type: 'DateTime',
      description: 'Time of the last registration of the node.',
      resolve: ({ registeredAt }) => new Date(registeredAt * 1000),
    }),
  }),
});

const Availability = builder.objectRef<GlobalRequestResult>('ClientNodesAvailability').implement({
  description: 'Result of contacting the cluster nodes of a client.',
  fields: (t) => ({
    reached: t.stringList({
      description: 'URLs of the nodes that answered.',
      resolve: (found) => found.successRequests ?? [],
    }),
    failed: t.stringList({
      description: 'URLs of the nodes that did not answer.',
      resolve: (found) => found.failedRequests ?? [],
    }),
  }),
});

builder.prismaObjectFields(Client, (t) => ({
  nodes: t.field({
    type: [ClientNode],
    description: 'Registered cluster nodes of the client, ordered by host.',
    select: { registeredNodes: true },
    resolve: ({ registeredNodes }) =>
      Object.entries(nodesOf(registeredNodes))
        .map(([host, registeredAt]) => ({ host, registeredAt }))
        .sort((one, other) => (one.host < other.host ? -1 : 1)),
  }),
  nodesAvailability: t.field({
    type: Availability,
    nullable: true,
    description: 'Contacts the cluster nodes of the client and reports which ones answer.',
    requires: { operation: testNodes, isChecked: true },
    complexity: apart,
    select: { id: true, realmId: true },
    resolve: ({ id, realmId }, _args, ctx) =>
      perform(ctx, testNodes, async (at) => clientById(at, await realmById(at, realmId), id), undefined),
  }),
}));

const located = async (ctx: Context, id: string) => {
  const { realm, id: found } = await locatedNode(ctx, id, 'id', 'Client');
  return clientById(ctx, realm, found);
};

const theClient = {
  client: {
    type: Client,
    model: 'client',
    description: 'The client after the change.',
    id: ({ id }: { id: string }) => id,
  },
};

/** The field of a mutation that names a node. */
const nodeFieldOf = fieldNamed({ node: 'host' });

mutation('clientAddNode', {
  description: 'Adds a cluster node to a client, or renews the time of its registration.',
  operation: registerNode,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the client.' }),
    host: t.string({ required: true, description: 'Host name of the node.' }),
  }),
  locate: ({ id }, ctx) => located(ctx, id),
  send: ({ host }) => ({ node: host }),
  fieldOf: nodeFieldOf,
  returns: theClient,
});

mutation('clientRemoveNode', {
  description: 'Removes a cluster node of a client.',
  operation: removeNode,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the client.' }),
    host: t.string({ required: true, description: 'Host name of the node.' }),
  }),
  locate: async ({ id, host }, ctx) => ({ ...(await located(ctx, id)), node: host }),
  fieldOf: nodeFieldOf,
  returns: theClient,
});

mutation('clientRotateRegistrationToken', {
  description: 'Generates a new registration access token for a client. The previous token is invalid immediately.',
  operation: renewRegistrationToken,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the client.' }) }),
  locate: async (input, ctx) => {
    const { realm, id } = await locatedNode(ctx, input.id, 'id', 'Client');
    return fullClientById(ctx, realm, id);
  },
  returns: {
    client: {
      type: Client,
      model: 'client',
      description: 'The client after the change.',
      id: ({ client }: { client: { id: string } }) => client.id,
    },
  },
  values: {
    token: {
      type: 'String',
      description: 'The registration access token. It is not returned again.',
      of: ({ token }) => token,
    },
  },
});
