import { delegateOf } from '../../database/delegate.js';
import { type ServerTarget, serverOf } from '../../services/authorization/locate.js';
import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import { notFound } from '../../services/core/refusal.js';
import { realmById } from '../../services/realms/locate.js';
import type { builder } from '../core/builder.js';
import { isVisible, locatedNode, type NodeId } from '../core/node.js';

export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

/** The input that names the client of a resource server. */
export const theClient = (t: InputBuilder) => ({
  client: t.id({ required: true, description: 'ID of the client that has the authorization services.' }),
});

/** The resource server of a client. Throws `notFound` if the client has none. */
export async function serverOfClient(ctx: Context, id: string): Promise<ServerTarget> {
  const found = await locatedNode(ctx, id, 'client', 'Client');
  return serverOf(ctx, await clientById(ctx, found.realm, found.id));
}

const models = { AuthorizationScope: 'authorizationScope', AuthorizationResource: 'authorizationResource' } as const;

interface InServer {
  resourceServerId: string;
  resourceServer: { client: { realmId: string } };
}

/**
 * The resource server of an object, which is a policy unless it is a scope or a resource. It exists for callers who may
 * view the object or the client: a caller who manages authorization services need not be able to view both.
 */
export async function serverWith(ctx: Context, node: NodeId): Promise<ServerTarget> {
  const { typename, id } = node;
  const model = typename in models ? models[typename as keyof typeof models] : 'authorizationPolicy';
  const row = await delegateOf<InServer>(ctx.db, model).findUnique({
    where: { id },
    select: { resourceServerId: true, resourceServer: { select: { client: { select: { realmId: true } } } } },
  });
  const client = { typename: 'Client', id: row?.resourceServerId ?? '' };
  const isKnown = row && ((await isVisible(ctx, node)) || (await isVisible(ctx, client)));
  if (!isKnown) throw notFound(`${typename} not found`, 'id');
  return serverOf(ctx, await clientById(ctx, await realmById(ctx, row.resourceServer.client.realmId), client.id));
}
