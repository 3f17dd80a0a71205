// The mutations that screens of the console send by their names, without a document.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, isLeafType, parse } from 'graphql';

/** Fields that every payload has. The console asks for the first two, and those of a dry run. */
const common = ['userErrors', 'changes', 'adminEvents', 'isReplayed'];

/** The names of mutations that are texts in the sources of a folder, such as in `mutate('groupCreate', …)`. */
export function namedMutations(schema, folder) {
  const known = schema.getMutationType().getFields();
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/documents(-types)?\.ts$/.test(name),
  );
  const texts = sources.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/(['"])(\w+)\1/g)]);
  return [...new Set(texts.map(([, , text]) => text))].filter((text) => Object.hasOwn(known, text)).sort();
}

/** The fields of a payload by what is asked of them: the objects, by whose IDs they are known, and the values. */
function fieldsOf(schema, name) {
  const payload = getNamedType(schema.getMutationType().getFields()[name].type);
  const own = Object.values(payload.getFields()).filter((field) => !common.includes(field.name));
  const typeOf = (field) => getNamedType(field.type);
  const isNode = (type) => !isLeafType(type) && 'id' in type.getFields();
  return {
    objects: own.filter((field) => isNode(typeOf(field))).map((field) => field.name),
    values: own.filter((field) => isLeafType(typeOf(field))).map((field) => field.name),
  };
}

const capitalised = (name) => name[0].toUpperCase() + name.slice(1);

/** A document with all mutations, from which their types follow. */
export function documentOfMutations(schema, names) {
  const operations = names.map((name) => {
    const { objects, values } = fieldsOf(schema, name);
    const selected = [...objects.map((field) => `${field} { id }`), ...values].join(' ');
    return `mutation ${capitalised(name)}($input: ${capitalised(name)}Input!) { ${name}(input: $input) { ${selected} ...Result } }`;
  });
  return parse(operations.join('\n'));
}

/** The declaration of the objects in the payload of each mutation. */
export function payloadObjectsOf(schema, names) {
  const objects = names.map((name) => {
    const fields = fieldsOf(schema, name).objects.map((field) => `'${field}'`);
    return `  ${name}: [${fields.join(', ')}],`;
  });
  return `/** The objects in the payload of each mutation. */
export const payloadObjects = {
${objects.join('\n')}
} as const;`;
}

/** The declaration of the types of inputs and payloads. */
export function typesOfMutations(names) {
  const types = names.map((name) => {
    const type = capitalised(name);
    return `  ${name}: { input: ${type}MutationVariables['input']; payload: ${type}Mutation['${name}'] };`;
  });
  return `/** The mutations that are sent by their names. */
export type Mutations = {
${types.join('\n')}
};`;
}
