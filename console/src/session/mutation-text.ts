import { type Mutations, payloadObjects } from './documents.js';

/** The document of a mutation that is sent by its name, and which values of its payload are read. */
export function mutationText(name: keyof Mutations, values: readonly string[] = []): string {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const fields = [
    ...payloadObjects[name].map((object) => `${object} { id }`),
    ...values,
    'changes { resourceId path before after }',
    'userErrors { code message path }',
  ];
  return `mutation ${type}($input: ${type}Input!) {\n  ${name}(input: $input) { ${fields.join(' ')} }\n}`;
}
