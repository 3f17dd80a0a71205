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
import { Client } from './clients.js';

const ClientNode = builder.objectRef<{ host: string; registeredAt: number }>('ClientNode').implement({
  description: "A node of a client's cluster, which is told of logouts and revocations.",
  fields: (t) => ({
    host: t.exposeString('host', { description: 'Its host.' }),
    registeredAt: t.field({
      type: 'DateTime',
      description: 'When it registered last.',
      resolve: ({ registeredAt }) => new Date(registeredAt * 1000),
    }),
  }),
});

const Availability = builder.objectRef<GlobalRequestResult>('ClientNodesAvailability').implement({
  description: 'Which addresses of a client could be reached.',
  fields: (t) => ({
    reached: t.stringList({ description: 'Those that answered.', resolve: (found) => found.successRequests ?? [] }),
    failed: t.stringList({ description: 'Those that did not.', resolve: (found) => found.failedRequests ?? [] }),
  }),
});

builder.prismaObjectFields(Client, (t) => ({
  nodes: t.field({
    type: [ClientNode],
    description: 'The nodes of its cluster that have registered, by host.',
    select: { registeredNodes: true },
    resolve: ({ registeredNodes }) =>
      Object.entries(nodesOf(registeredNodes))
        .map(([host, registeredAt]) => ({ host, registeredAt }))
        .sort((one, other) => (one.host < other.host ? -1 : 1)),
  }),
  nodesAvailability: t.field({
    type: Availability,
    nullable: true,
    description: 'Asks its nodes whether they are there. Takes manage-clients.',
    complexity: apart,
    select: { id: true, realmId: true },
    resolve: ({ id, realmId }, _args, ctx) =>
      perform(ctx, testNodes, async (at) => clientById(at, await realmById(at, realmId), id), undefined),
  }),
}));

const located = async (ctx: Context, id: string) => {
  const { realm, id: found } = await locatedNode(ctx, id, 'client', 'Client');
  return clientById(ctx, realm, found);
};

const theClient = {
  client: {
    type: Client,
    model: 'client',
    description: 'The client as it is now.',
    id: ({ id }: { id: string }) => id,
  },
};

mutation('clientNodeRegister', {
  description: "Registers a node of a client's cluster, or registers it anew.",
  operation: registerNode,
  input: (t) => ({
    client: t.id({ required: true, description: 'Id of the client.' }),
    host: t.string({ required: true, description: 'Host of the node.' }),
  }),
  locate: ({ client }, ctx) => located(ctx, client),
  send: ({ host }) => ({ node: host }),
  fieldOf: (field) => (field === 'node' ? 'host' : field),
  returns: theClient,
});

mutation('clientNodeRemove', {
  description: "Removes a node of a client's cluster.",
  operation: removeNode,
  input: (t) => ({
    client: t.id({ required: true, description: 'Id of the client.' }),
    host: t.string({ required: true, description: 'Host of the node.' }),
  }),
  locate: async ({ client, host }, ctx) => ({ ...(await located(ctx, client)), node: host }),
  returns: theClient,
});

mutation('clientRenewRegistrationToken', {
  description: 'Gives a client a new token to manage its own registration with; the old one is void at once.',
  operation: renewRegistrationToken,
  input: (t) => ({ client: t.id({ required: true, description: 'Id of the client.' }) }),
  locate: async ({ client }, ctx) => {
    const { realm, id } = await locatedNode(ctx, client, 'client', 'Client');
    return fullClientById(ctx, realm, id);
  },
  returns: {
    client: {
      type: Client,
      model: 'client',
      description: 'The client as it is now.',
      id: ({ client }: { client: { id: string } }) => client.id,
    },
  },
  values: { token: { type: 'String', description: 'The token, which is told this once.', of: ({ token }) => token } },
});
