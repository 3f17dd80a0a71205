import { resolveNodes } from '@pothos/plugin-relay';
import type { GraphQLResolveInfo } from 'graphql';
import { limit } from '../../config/limits.js';
import type { Context } from '../../services/core/context.js';
import { invalid } from '../../services/core/refusal.js';
import { builder } from './builder.js';
import { isVisible, localIdOf, type NodeId, parseId } from './node.js';

/** Maximum nodes of one field. */
const mostIds = limit('GraphQL', 'IDs of `nodes`', 100, 'IDs', '`LIMIT`');

const Node = builder.nodeInterfaceRef();

// inherited by every type, and every object has its column: lists and `node` find an object by it
builder.interfaceField(Node, 'uuid', (t) =>
  t.string({
    description: 'ID of the object in the REST API, which is `id` without the type. Mostly a UUID.',
    resolve: localIdOf,
  }),
);

/** Reads a node with its selection, for callers who may view it. Concurrent reads share one statement for each type. */
export async function readNode(ctx: Context, info: GraphQLResolveInfo, node: NodeId): Promise<object | null> {
  const [row] = await resolveNodes(builder, ctx, info, [node]);
  return (await row) as object | null;
}

/** The selected fields of a node; null if it does not exist or the caller may not view it. */
export const visibleNode = async (ctx: Context, info: GraphQLResolveInfo, node: NodeId): Promise<object | null> =>
  (await isVisible(ctx, node)) ? readNode(ctx, info, node) : null;

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description: 'The object with this ID, of any type. Null if it does not exist or the caller may not view it.',
    args: { id: t.arg.id({ required: true, description: 'Globally unique ID of the object.' }) },
    resolve: (_root, { id }, ctx, info) => visibleNode(ctx, info, parseId(id, 'id')),
  }),
);

builder.queryField('nodes', (t) =>
  t.field({
    type: [Node],
    nullable: { list: true, items: true },
    description:
      'The objects with these IDs, of any types, in the order of the IDs. Null in place of an object that does not exist or that the caller may not view. A text that is no ID is an error at its own place.',
    args: { ids: t.arg.idList({ required: true, description: `Globally unique IDs of objects. At most ${mostIds}.` }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: ids.length }),
    resolve: async (_root, { ids }, ctx, info) => {
      if (ids.length > mostIds) {
        throw invalid(`\`ids\` must have at most ${mostIds} items, got ${ids.length}`, 'ids', { argument: 'LIMIT' });
      }
      const find = async (id: string, at: number) => {
        const node = parseId(id, `ids.${at}`);
        return (await isVisible(ctx, node)) ? node : null;
      };
      const found = await Promise.allSettled(ids.map(find));
      // read together, after all were checked
      return found.map((one) => {
        if (one.status === 'rejected') return one.reason;
        return one.value && readNode(ctx, info, one.value);
      });
    },
  }),
);
