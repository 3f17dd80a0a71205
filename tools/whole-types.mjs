import { getNamedType, isLeafType, isObjectType, isRequiredArgument, Kind, parse, visit } from 'graphql';

/** A fragment such as `AllRealmLogin` for each type that documents ask for by this name: all values of the type. */
export function wholeTypes(schema, definitions) {
  const names = new Set();
  visit({ kind: Kind.DOCUMENT, definitions }, { FragmentSpread: ({ name }) => void names.add(name.value) });
  return [...names].flatMap((name) => {
    const type = schema.getType(name.replace(/^All/, ''));
    if (!name.startsWith('All') || !isObjectType(type)) return [];
    const values = Object.values(type.getFields()).filter(({ type, args, deprecationReason }) => {
      const needsArguments = args.some((arg) => isRequiredArgument(arg));
      return isLeafType(getNamedType(type)) && !needsArguments && !deprecationReason;
    });
    const text = `fragment ${name} on ${type.name} { ${values.map((field) => field.name).join(' ')} }`;
    return parse(text).definitions;
  });
}
