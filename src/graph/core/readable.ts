import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { Context } from '../../services/core/context.js';
import type { BuilderTypes } from './builder.js';
import { addField } from './field.js';
import { guardOf, isAllowed, isShown, isVisible, localIdOf, type ModelRef, subjectOf } from './node.js';

type Row = Record<string, unknown>;
type Nested = () => { select?: object } | true;

interface ReadableField<F extends InputFieldMap> {
  type: ModelRef & ObjectRef<BuilderTypes, object>;
  /** the relation of the parent's model: to one, or to many from which arguments choose one */
  relation: string;
  description: string;
  args?: F;
  /** selects one of many */
  where?: (args: InputShapeFromFields<F>) => object;
  /** chooses one of the rows that `where` finds; default: the first */
  pick?: (rows: readonly Row[]) => Row | undefined;
  /** the columns to read of each row besides the query's selection */
  reads?: object;
  /** whether only roles count, and not management permissions about the object */
  byRolesAlone?: true;
}

/** Declares a field that leads to one object of another type. It is null for callers who may not read that object. */
export function readableField<F extends InputFieldMap = Record<never, never>>(
  parent: ModelRef,
  name: string,
  { type, relation, description, args, where, pick = ([first]) => first, reads, byRolesAlone }: ReadableField<F>,
): void {
  const select = (given: InputShapeFromFields<F>, _ctx: Context, nested: Nested) => {
    const inner = nested();
    const selected = { id: true, ...reads, ...(typeof inner === 'object' && inner.select) };
    return { [relation]: { ...(where && { where: where(given) }), select: selected } };
  };
  const resolve = async (row: Row, _args: object, ctx: Context) => {
    const found = row[relation] as Row | Row[] | null;
    const one = Array.isArray(found) ? pick(found) : found;
    return one && (await isReadable(ctx, type.name, one, byRolesAlone)) ? one : null;
  };
  const field = () => {
    const requires = { operation: guardOf(type.name).operation, otherwise: 'NULL', isChecked: true };
    return { type, nullable: true, description, args, requires, select, resolve };
  };
  addField(parent, name, field);
}

/** Whether a row exists for the caller, who may read objects of its type or this one. */
async function isReadable(ctx: Context, typename: string, row: object, byRolesAlone?: true): Promise<boolean> {
  const { realmId, about } = subjectOf(typename, row);
  const permission = guardOf(typename).permissionFor(row);
  if (!(await isAllowed(ctx, realmId, permission, byRolesAlone ? undefined : about))) return false;
  return isShown(ctx, typename, realmId, localIdOf(row));
}

/**
 * Returns the written rows that the caller may read: a caller with a permission to write may lack the permission to
 * view.
 */
export async function readableRows<R extends { id: string }>(
  ctx: Context,
  typenameOf: (row: R) => string,
  rows: readonly R[],
): Promise<R[]> {
  const readable = await Promise.all(
    rows.map((row) => {
      const typename = typenameOf(row);
      return typename === 'Realm' || 'realmId' in row
        ? isReadable(ctx, typename, row)
        : isVisible(ctx, { typename, id: row.id });
    }),
  );
  return rows.filter((_, at) => readable[at]);
}
