import type { z } from 'zod';
import type { BatchResult } from '../../services/core/batch.js';
import type { Context } from '../../services/core/context.js';
import type { Write } from '../../services/core/operation.js';
import type { Target } from '../../services/core/target.js';
import { realmById } from '../../services/realms/locate.js';
import { realmTarget } from '../realms/mutations.js';
import { builder } from './builder.js';
import { mutation } from './mutation.js';
import { nodeId, parseId, parseIds } from './node.js';
import type { InputBuilder } from './setting-types.js';

const BatchErrorMode = builder.enumType('BatchErrorMode', {
  description: 'What happens to a batch if an item is refused.',
  values: {
    ROLLBACK: { description: 'Rolls back the whole batch.' },
    CONTINUE: { description: 'Performs the other items.' },
  },
});

/** The input field for the effect of a refused item on a batch. */
export const onErrorField = (t: InputBuilder) =>
  t.field({
    type: BatchErrorMode,
    description:
      'What happens if an item is refused. Default `ROLLBACK`. `userErrors` states the errors of all items in either case.',
  });

/** The input field with the roles that a batch maps. */
export const rolesField = (t: InputBuilder) =>
  t.idList({
    required: true,
    description: 'IDs of the roles of the realm and its clients. They must belong to the same realm.',
  });

/** The errors of the items that a batch left out. */
export const leftOut = ({ faults }: BatchResult) => faults;

/** The realm of a batch. Callers who have nothing but management permissions may not view it, but know their own. */
export async function realmOfBatch(ctx: Context, id: string): Promise<Target> {
  const parsed = parseId(id, 'realm', 'Realm');
  return parsed.id === ctx.caller.realmId ? { realm: await realmById(ctx, parsed.id) } : realmTarget(ctx, id, 'realm');
}

/** The field of a payload with the IDs of the deleted objects. */
export const deletedIdsOf = (typename: string, list: string) => ({
  deletedIds: {
    type: 'ID',
    list: true,
    description: `IDs of the deleted ${list}.`,
    of: ({ done }: BatchResult) => done.map(({ id }) => nodeId(typename, id)),
  },
});

interface BatchDelete<S extends z.ZodType, R extends BatchResult, P> {
  description: string;
  operation: Write<Target, S, R, P>;
  typename: string;
  /** the field of the operation's input with the ids */
  list: string;
}

/** Declares a mutation that deletes several objects of a realm by their IDs. */
export function batchDelete<S extends z.ZodType, R extends BatchResult, P>(
  name: string,
  { description, operation, typename, list }: BatchDelete<S, R, P>,
): void {
  mutation(name, {
    description,
    operation,
    input: (t) => ({
      realm: t.id({ required: true, description: `ID of the realm of the ${list}.` }),
      ids: t.idList({ required: true, description: `IDs of the ${list}. They must belong to the realm.` }),
      onError: onErrorField(t),
    }),
    locate: (input, ctx) => realmOfBatch(ctx, input.realm),
    fieldOf: (field) => (field === list ? 'ids' : field),
    send: ({ ids, onError }) => ({ [list]: parseIds(ids, 'ids', typename), onError }),
    leftOut,
    values: deletedIdsOf(typename, list),
  });
}
