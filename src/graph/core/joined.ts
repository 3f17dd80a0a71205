import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { BuilderTypes } from './builder.js';
import { addField } from './field.js';
import type { ModelRef } from './node.js';

type Row = Record<string, unknown>;

interface JoinedField {
  type: ObjectRef<BuilderTypes, object> | InterfaceRef<BuilderTypes, object>;
  description: string;
  /** the relation of the parent's model to the rows of a join table */
  relation: string;
  /** the relation to one that leads from these to the objects */
  through: string;
}

/** Declares a list of what lies behind a join table, without pages and ordered by name. For lists that are short. */
export function joinedField(
  parent: ModelRef,
  name: string,
  { type, description, relation, through }: JoinedField,
): void {
  const field = {
    type: [type],
    description,
    select: (_args: object, _ctx: object, nested: (selection: true) => unknown) => ({
      [relation]: { select: { [through]: nested(true) }, orderBy: { [through]: { name: 'asc' } } },
    }),
    resolve: (row: Row) => (row[relation] as Row[]).map((join) => join[through]),
  };
  addField(parent, name, () => field);
}
