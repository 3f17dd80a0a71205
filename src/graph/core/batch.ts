import type { InputFieldMap } from '@pothos/core';
import type { z } from 'zod';
import type { BatchResult } from '../../services/core/batch.js';
import type { Context } from '../../services/core/context.js';
import type { Write } from '../../services/core/operation.js';
import type { Target } from '../../services/core/target.js';
import { realmById } from '../../services/realms/locate.js';
import { realmTarget } from '../realms/mutations.js';
import { builder } from './builder.js';
import type { FieldOf } from './input-path.js';
import { mutation } from './mutation.js';
import { nodeId, parseEach, parseId, parseIds } from './node.js';
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

/** The realm of a batch. Callers with only management permissions may not view the realm, but may name their own. */
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

/** A kind of objects that batches write. */
export interface BatchKind {
  type: { readonly name: string };
  /** name of one object, and of the list of them */
  one: string;
  list: string;
}

/** The field of a payload with the objects that a batch wrote. */
export const writtenBy = (kind: BatchKind) => ({
  [kind.list]: {
    type: kind.type,
    model: kind.one,
    description: `${kind.type.name}s that were written, in the order of the input.`,
    ids: ({ done }: BatchResult) => done.map(({ id }) => id),
  },
});

/** Names the input fields of the items of a batch. In operations, the values of an item can be an object of their own. */
export const itemPath =
  ({ one, list }: BatchKind, fieldOf: FieldOf = (field) => field): FieldOf =>
  (field) => {
    const [name, index, ...rest] = field.split('.');
    if (name !== list || index === undefined) return field;
    const own = (rest[0] === one ? rest.slice(1) : rest).join('.');
    return own === '' ? `${list}.${index}` : `${list}.${index}.${fieldOf(own)}`;
  };

interface BatchInput {
  realm: string;
  onError?: string | null;
  [list: string]: unknown;
}

interface BatchWrite<S extends z.ZodType, R extends BatchResult, P> {
  description: string;
  operation: Write<Target, S, R, P>;
  fieldOf?: FieldOf;
  locate?: (ctx: Context, realm: string) => Promise<Target>;
}

/** Declares the mutation `<list>Delete`, which deletes several objects of a realm by their IDs. */
export function batchDelete<S extends z.ZodType, R extends BatchResult, P>(
  { type: { name: typename }, list }: BatchKind,
  { description, operation }: Pick<BatchWrite<S, R, P>, 'description' | 'operation'>,
): void {
  mutation(`${list}Delete`, {
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

/** The parts that creations and updates of several objects have in common. */
const batchMutation = <S extends z.ZodType, R extends BatchResult, P>(
  kind: BatchKind,
  { description, operation, fieldOf, locate = realmOfBatch }: BatchWrite<S, R, P>,
  items: { type: object; description: string },
  itemsOf: (items: readonly Readonly<Record<string, unknown>>[]) => object[],
) => ({
  description,
  operation,
  input: (t: InputBuilder): InputFieldMap => ({
    realm: t.id({ required: true, description: `ID of the realm of the ${kind.list}.` }),
    // Pothos derives the type of the field from a single type, and here there are several
    [kind.list]: t.field({ type: [items.type], required: true, description: items.description } as never),
    onError: onErrorField(t),
  }),
  locate: (input: object, ctx: Context) => locate(ctx, (input as BatchInput).realm),
  fieldOf: itemPath(kind, fieldOf),
  send: (input: object) => {
    const { [kind.list]: given, onError } = input as BatchInput;
    return { [kind.list]: itemsOf(given as Readonly<Record<string, unknown>>[]), onError };
  },
  leftOut,
  returns: writtenBy(kind),
});

/** Declares the mutation `<list>Update`, which changes several objects of a realm. `patch` is the change of one in the form of the contract. */
export function batchUpdate<S extends z.ZodType, R extends BatchResult, P>(
  kind: BatchKind,
  {
    inputs,
    patch,
    ...options
  }: BatchWrite<S, R, P> & { inputs: (t: InputBuilder) => object; patch: (given: object) => object },
): void {
  const { one, list } = kind;
  const type = builder.inputType(`${kind.type.name}UpdateItem`, {
    description: `Changes to a ${one}. Omitted fields keep their values; null clears a nullable field.`,
    fields: (t) => ({
      id: t.id({ required: true, description: `ID of the ${one}.` }),
      expectedVersion: t.int({
        description: `Version the ${one} must have. Otherwise the item is refused with the code \`STALE\`. Omit to skip the check.`,
      }),
      ...inputs(t),
    }),
  });
  const description = `Changes, each with the ID of its ${one}. They must belong to the realm.`;
  const itemsOf = (items: readonly Readonly<Record<string, unknown>>[]) => {
    const ids = parseEach(
      items.map(({ id }) => ({ id: String(id) })),
      list,
      'id',
      kind.type.name,
    );
    return items.map(({ id: _id, expectedVersion, ...given }, at) => ({
      id: ids[at],
      expectedVersion,
      [one]: patch(given),
    }));
  };
  mutation(`${list}Update`, batchMutation(kind, options, { type, description }, itemsOf));
}

/** Declares the mutation `<list>Create`, which creates several objects of a realm, each in an object that its field `place` names. */
export function batchCreate<S extends z.ZodType, R extends BatchResult, P>(
  kind: BatchKind,
  {
    inputs,
    place,
    places,
    about,
    input,
    ...options
  }: BatchWrite<S, R, P> & {
    inputs: (t: InputBuilder) => InputFieldMap;
    place: string;
    /** types of the objects that `place` can name */
    places: readonly string[];
    /** where those objects are */
    about: string;
    input: (given: object) => object;
  },
): void {
  const { one, list } = kind;
  const type = builder.inputType(`${kind.type.name}CreateItem`, {
    description: `A ${one} to create.`,
    fields: inputs,
  });
  const itemsOf = (items: readonly Readonly<Record<string, unknown>>[]) => {
    const ids = parseEach(
      items.map((item) => ({ [place]: String(item[place]) })),
      list,
      place,
      ...places,
    );
    return items.map((given, at) => ({ [place]: ids[at], [one]: input(given) }));
  };
  const description = `${kind.type.name}s to create. ${about}`;
  mutation(`${list}Create`, batchMutation(kind, options, { type, description }, itemsOf));
}
