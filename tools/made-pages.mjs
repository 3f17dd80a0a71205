// The documents of pages that the screens of the console import and that no folder declares: `RealmUsers` is a page of `Realm.users`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, isObjectType, Kind, parse, print } from 'graphql';
import { isSource, valuesOf } from './made-fragments.mjs';

const noFields = { kind: Kind.SELECTION_SET, selections: [] };

/** What a page can be narrowed and ordered by. */
const narrowing = ['search', 'filter', 'orderBy'];

/**
 * The documents that sources of a folder import from `./documents.js` and that its own definitions lack. Their nodes have the ID, the
 * version, those values that these sources name, and what a fragment such as `UserRow` selects, in which flags such as `$viewsLogins`
 * become variables. The first page has also what a fragment such as `RealmUsersContext` selects.
 */
export function madePages(schema, definitions, folder) {
  const declared = new Map(definitions.map((definition) => [definition.name.value, definition]));
  const wanted = new Map();
  for (const name of readdirSync(folder).filter(isSource)) {
    const source = readFileSync(join(folder, name), 'utf8');
    for (const page of importedFrom(source)) {
      if (!declared.has(page)) wanted.set(page, `${wanted.get(page) ?? ''}\n${source}`);
    }
  }
  return [...wanted].sort().flatMap(([name, source]) => {
    const field = connectionNamed(schema, name);
    return field ? parse(textOf(name, field, source, declared)).definitions : [];
  });
}

/** The names that a source imports of the documents of its folder. */
const importedFrom = (source) => [
  ...[...source.matchAll(/import (?!type)\{([^}]*)\} from '\.\/documents\.js'/g)].flatMap(([, names]) =>
    names.split(',').map((name) => name.trim()),
  ),
  ...[...source.matchAll(/\bdocuments\.(\w+)/g)].map(([, name]) => name),
];

/** The type and the field of `RealmUsers`, if it is a list with pages. */
function connectionNamed(schema, name) {
  for (let end = name.length - 1; end > 0; end -= 1) {
    const type = schema.getType(name.slice(0, end));
    const field = isObjectType(type) && type.getFields()[name[end].toLowerCase() + name.slice(end + 1)];
    const connection = field && getNamedType(field.type);
    if (isObjectType(connection) && connection.name.endsWith('Connection')) {
      return { type, field, node: getNamedType(connection.getFields().nodes.type) };
    }
  }
}

function textOf(name, { type, field, node }, source, declared) {
  const given = field.args.filter((arg) => narrowing.includes(arg.name));
  const isOfRealm = type.name === 'Realm';
  const row = declared.get(`${node.name}Row`);
  // what the fragment selects may depend on a variable
  const own = new Set(row?.selectionSet.selections.map((selection) => selection.name?.value));
  const values = valuesOf(node, `id version ${source}`).filter((value) => !own.has(value));
  const selected = `${values.join(' ')} ${row ? `...${row.name.value}` : ''}`;
  const variables = [
    isOfRealm ? '$realm: String!' : '$id: ID!',
    ...given.map((arg) => `$${arg.name}: ${arg.type}`),
    '$first: Int!, $after: String, $isFirst: Boolean!',
    ...[...new Set(print(row ?? noFields).match(/(?<=if: )\$\w+/g))].map((name) => `${name}: Boolean!`),
  ];
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`);
  const page = `${field.name}(${[...passed, 'first: $first', 'after: $after'].join(', ')}) { ...Page nodes { ${selected} } }`;
  const context = `${name}Context`;
  const also = declared.has(context) ? `...${context} @include(if: $isFirst)` : '';
  const found = isOfRealm
    ? `realm(name: $realm) { id ...CanRealm @include(if: $isFirst) ${page} ${also} }`
    : `node(id: $id) { ... on ${type.name} { id ${page} ${also} } }`;
  return `# A page of ${type.name}.${field.name}.\nquery ${name}(${variables.join(' ')}) { ${found} }`;
}
