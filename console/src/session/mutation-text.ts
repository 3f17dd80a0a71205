import { type Mutations, payloadObjects } from './documents.js';

/** The name of a mutation of the API. */
export type MutationName = keyof Mutations;

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The name of the type of the input of a mutation. */
export const inputTypeOf = (name: MutationName): string => `${capitalized(name)}Input`;

/** The document of a mutation that is sent by its name, and which values of its payload are read. */
export function mutationText(name: MutationName, values: readonly string[] = []): string {
  const fields = [
    ...payloadObjects[name].map((object) => `${object} { id }`),
    ...values,
    'changes { resourceId path before after }',
    'userErrors { code message path }',
  ];
  return `mutation ${capitalized(name)}($input: ${inputTypeOf(name)}!) {\n  ${name}(input: $input) { ${fields.join(' ')} }\n}`;
}
