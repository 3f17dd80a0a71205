import { type GraphQLInputType, getNullableType, isInputObjectType, isListType, isRequiredInputField } from 'graphql';
import { isObject, ownMember } from '../../services/core/json.js';

type Path = readonly string[];

const gone = Symbol('gone');

/** An input without some of its parts. Paths refer to the whole input. */
export interface Pruned<I> {
  input: I;
  /** the path of a part of this input in the whole input; undefined if this input has lost the part */
  original: (path: Path) => string[] | undefined;
  /** whether the whole input has this part */
  isGiven: (path: Path) => boolean;
}

/** An input without the parts at these paths. Undefined if it is not valid without one of them. */
export function pruned<I extends object>(
  input: I,
  type: GraphQLInputType,
  paths: readonly Path[],
): Pruned<I> | undefined {
  const places = new Map<unknown, readonly number[]>();

  const without = (value: unknown, given: GraphQLInputType, below: readonly Path[]): unknown => {
    if (below.length === 0) return value;
    const own = getNullableType(given);
    // a filter with less in it chooses more
    const isFilter = isInputObjectType(own) && own.name.endsWith('Filter');
    if (isFilter || below.some((path) => path.length === 0)) return gone;
    if (Array.isArray(value) && isListType(own)) {
      const kept = value.map((item, at): [number, unknown] => [
        at,
        without(item, own.ofType, under(below, String(at))),
      ]);
      const left = kept.filter(([, item]) => item !== gone);
      // lists of some kinds must not be empty
      if (left.length === 0) return gone;
      const items = left.map(([, item]) => item);
      places.set(
        items,
        left.map(([at]) => at),
      );
      return items;
    }
    if (!isObject(value) || !isInputObjectType(own)) return gone;
    const left = new Map(Object.entries(value));
    for (const [name, field] of Object.entries(own.getFields())) {
      const part = without(value[name], field.type, under(below, name));
      if (part !== gone) {
        if (left.has(name)) left.set(name, part);
        continue;
      }
      if (isRequiredInputField(field) || own.isOneOf) return gone;
      left.delete(name);
    }
    return Object.fromEntries(left);
  };
  const result = without(input, type, paths);
  if (result === gone) return undefined;

  const isGiven = (path: Path): boolean => path.reduce<unknown>(memberOf, input) !== undefined;
  const original = (path: Path): string[] | undefined => {
    const found: string[] = [];
    let at: unknown = result;
    for (const part of path) {
      const known = places.get(at);
      found.push(known ? String(known[Number(part)]) : part);
      at = memberOf(at, part);
    }
    return at === undefined && isGiven(found) ? undefined : found;
  };
  // all parts that the type requires still exist
  return { input: result as I, original, isGiven };
}

/** The member of an object or list; undefined for other values. */
const memberOf = (value: unknown, name: string): unknown =>
  Array.isArray(value) ? value[Number(name)] : ownMember(isObject(value) ? value : {}, name);

/** The paths that begin with a part, without it. */
const under = (paths: readonly Path[], part: string): Path[] =>
  paths.filter(([first]) => first === part).map(([, ...rest]) => rest);
