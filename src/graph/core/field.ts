import { builder } from './builder.js';
import type { ModelRef } from './node.js';

/**
 * Adds a field to a type that is given as a value. Pothos derives the types of a row and of a selection from each
 * single type and relation. For a type variable it cannot, so the declaration of such a field states the types itself.
 */
export function addField(parent: ModelRef, name: string, field: () => object): void {
  if (parent.kind === 'Interface')
    builder.prismaInterfaceField(parent as never, name, (t) => t.field(field() as never));
  else builder.prismaObjectField(parent as never, name, (t) => t.field(field() as never));
}
