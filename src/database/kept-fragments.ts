import type { Statement } from './statement.js';

/** The text and values that a fragment appended to a statement, and the result of writing it. */
interface Fragment {
  text: string;
  values: unknown[];
  aliases: number;
  /** number of lookups per row, and their tables */
  lookups: number;
  lookedUp: readonly string[];
  result: unknown;
}

const once = new WeakSet<object>();
const fragments = new WeakMap<object, Map<string, Fragment>>();

/**
 * Appends the fragment that `write` writes for an immutable object. From the third use of the same object on, its text
 * is taken from memory. `place` names everything else that the text depends on, besides the dialect and the aliases in
 * use.
 */
export function keptFragment<R>(out: Statement, object: object, place: string, write: () => R): R {
  if (!once.has(object)) {
    once.add(object);
    return write();
  }
  const key = `${out.dialect} ${out.aliases} ${place}`;
  const known = fragments.get(object)?.get(key);
  if (known) {
    out.text += known.text;
    out.values.push(...known.values);
    out.aliases = known.aliases;
    out.lookups += known.lookups * out.rows;
    for (const table of known.lookedUp) out.lookedUp.add(table);
    // the key names everything that the result depends on, so the type is the same
    return known.result as R;
  }
  const { patterns, once: isPlanned, lookups } = out;
  const [length, count] = [out.text.length, out.values.length];
  const result = write();
  // a fragment that is planned for its values, or that searches texts, is never cached
  if (out.once === isPlanned && out.patterns === patterns && out.searches.size === 0) {
    const fragment = {
      text: out.text.slice(length),
      values: out.values.slice(count),
      aliases: out.aliases,
      lookups: (out.lookups - lookups) / out.rows,
      lookedUp: out.lookups > lookups ? [...out.lookedUp] : [],
      result,
    };
    const ofObject = fragments.get(object) ?? new Map<string, Fragment>();
    fragments.set(object, ofObject.set(key, fragment));
  }
  return result;
}
