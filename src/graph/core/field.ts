import { builder } from './builder.js';
import type { ModelRef } from './node.js';

/**
 * Adds a field to a type that is given as a value. Pothos derives the types of a row and of a selection from each single type and
 * relation, of which it then knows nothing; those who declare such fields state the types themselves.
 */
export function addField(parent: ModelRef, name: string, field: () => object): void {
  if (parent.kind === 'Interface')
    builder.prismaInterfaceField(parent as never, name, (t) => t.field(field() as never));
  else builder.prismaObjectField(parent as never, name, (t) => t.field(field() as never));
}
