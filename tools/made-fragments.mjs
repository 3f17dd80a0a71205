import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getNamedType, isLeafType, isObjectType, isRequiredArgument, Kind, parse, visit } from 'graphql';

/**
 * The fragments that documents use and that are made of the schema and of what the sources read: `ReadRealmLogin` has the values of the
 * type that `sources` name, such as in `login.sslRequired`, and `CanUser` the abilities that they name, such as in `viewerCan.update`.
 * A value that a document has under a condition, such as a permission, is left to that document.
 */
export function madeFragments(schema, definitions, sources) {
  const names = new Set();
  const conditional = new Set();
  visit(
    { kind: Kind.DOCUMENT, definitions },
    {
      FragmentSpread: ({ name }) => void names.add(name.value),
      Field: ({ name, directives }) => void (directives.length > 0 && conditional.add(name.value)),
    },
  );
  return [...names].flatMap((name) => {
    const [, kind, typeName = ''] = /^(Read|Can)(\w+)$/.exec(name) ?? [];
    const type = schema.getType(typeName);
    if (!isObjectType(type)) return [];
    const selected =
      kind === 'Read'
        ? valuesOf(type, sources)
            .filter((value) => !conditional.has(value))
            .join(' ')
        : `viewerCan { ${abilitiesOf(type, sources)} }`;
    return parse(`fragment ${name} on ${type.name} { ${selected} }`).definitions;
  });
}

/** The names of the values of a type that sources name. */
export function valuesOf(type, sources) {
  const named = new Set(sources.match(/\w+/g));
  return Object.values(type.getFields())
    .filter(({ name, type, args }) => {
      const needsArguments = args.some((arg) => isRequiredArgument(arg));
      return isLeafType(getNamedType(type)) && !needsArguments && named.has(name);
    })
    .map(({ name }) => name);
}

/** The abilities of a type that sources name. */
function abilitiesOf(type, sources) {
  const named = new Set([...sources.matchAll(/\bviewerCan\??\.(\w+)/g)].map(([, name]) => name));
  const known = Object.keys(getNamedType(type.getFields().viewerCan.type).getFields());
  return known
    .filter((name) => named.has(name))
    .map((name) => `${name} { isAllowed }`)
    .join(' ');
}

/** Whether a file of a folder is a source, and not generated. */
export const isSource = (name) => /\.tsx?$/.test(name) && !/^(documents(-types)?|texts)\.ts$/.test(name);

/** What a file of a folder names: a source all of it, and texts the values that they show. */
const namesIn = (name, text) => (name === 'texts.en.json' ? (text.match(/\{\w+\}/g) ?? []).join(' ') : text);

/** The sources of a folder of the console and of the parts that all of them show, as one text. */
export function sourcesOf(folder) {
  const folders = [folder, join(folder, '..', 'parts')];
  return folders
    .flatMap((path) =>
      readdirSync(path)
        .filter((name) => isSource(name) || name === 'texts.en.json')
        .map((name) => namesIn(name, readFileSync(join(path, name), 'utf8'))),
    )
    .join('\n');
}
