import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';
import { limit } from '../../config/limits.js';

// Expressions that RE2 does not support, such as lookaheads, may never end. V8 can stop them only in a separate
// context.
const matcher = new Script('expression.test(value)');
// Milliseconds after which a match is given up. It is not a measure of the usual time, but long enough on a busy
// machine.
const patience = 250;

/** Maximum steps of a match by RE2, each up to 200 ns: the size of the expression times the characters of the text. */
const mostSteps = 500_000;

/** Maximum steps of an expression, which limits its compilation to tens of milliseconds. */
const mostSize = limit(
  'Texts, lists, and maps',
  'Regular expression, after repetitions are written out',
  2000,
  'steps',
  'it is not evaluated',
);

/** The most recently used expressions, because compiling takes longer than a match. */
const compiled = new Map<string, (value: string) => boolean | undefined>();
const mostCompiled = 200;

/**
 * Whether a whole text matches an expression; undefined if the expression is invalid, or takes too long for the text.
 */
export function matches(pattern: string, value: string): boolean | undefined {
  let test = compiled.get(pattern);
  if (!test) {
    test = compile(pattern) ?? unreadable;
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(pattern, test);
  }
  return test(value);
}

/**
 * The text of the first group at the first match of an expression, in a list. It is the whole match for an expression
 * without groups. Undefined if there is no match. Also undefined if the expression cannot be read in linear time, or
 * takes too long for the text.
 */
export function firstGroup(pattern: string, value: string): string[] | undefined {
  if (expandedSize(pattern) > mostSize) return undefined;
  try {
    const expression = RE2JS.compile(pattern);
    if (value.length > mostSteps / expression.programSize()) return undefined;
    const matcher = expression.matcher(value);
    if (!matcher.find()) return undefined;
    const group = matcher.group(expression.groupCount() > 0 ? 1 : 0);
    return group === null ? undefined : [group];
  } catch {
    return undefined;
  }
}

const unreadable = (): undefined => undefined;

function compile(pattern: string): ((value: string) => boolean | undefined) | undefined {
  if (expandedSize(pattern) > mostSize) return undefined;
  try {
    // a match takes time in proportion to the text and the size of the expression
    const expression = RE2JS.compile(pattern);
    const longest = mostSteps / expression.programSize();
    return (value) => (value.length > longest ? undefined : expression.matches(value));
  } catch {
    return compileNative(pattern);
  }
}

/**
 * The parts of a pattern outside of groups: an escaped character, a class, a repetition with its counts, or any
 * character.
 */
const parts = /\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gs;

/** Estimated number of steps of a pattern after its counted repetitions are written out, as RE2 does. */
function expandedSize(pattern: string): number {
  const groups = [0];
  let last = 0;
  for (const [part, least, most] of pattern.matchAll(parts)) {
    if (part === '(') {
      groups.push(0);
      continue;
    }
    let added = 1;
    if (least !== undefined) added = last * (Math.max(Number(least), Number(most) || 0, 1) - 1);
    else if (part === ')' && groups.length > 1) added = groups.pop() ?? 0;
    // the size of the part that a following repetition repeats
    last = least === undefined ? added : last + added;
    groups.push((groups.pop() ?? 0) + added);
  }
  return groups.reduce((sum, size) => sum + size, 0);
}

/** Expressions with texts that did not end in time: a repeated request need not wait again. */
const endless = new Set<string>();
const mostEndless = 1000;

function compileNative(pattern: string): ((value: string) => boolean | undefined) | undefined {
  const expression = wholePattern(pattern);
  if (!expression) return undefined;
  return (value) => {
    const key = `${pattern}\0${value}`;
    if (endless.has(key)) return undefined;
    try {
      return matcher.runInContext(createContext({ expression, value }), { timeout: patience }) === true;
    } catch {
      if (endless.size >= mostEndless) endless.clear();
      endless.add(key);
      return undefined;
    }
  };
}

/** A regular expression that must match a whole text; undefined if it cannot be compiled. */
export function wholePattern(source: string): RegExp | undefined {
  if (source === '') return undefined;
  // the reference's dialect allows flags in front
  const flags = /^\(\?([is]+)\)/.exec(source);
  const body = flags ? source.slice(flags[0].length) : source;
  for (const mode of ['u', '']) {
    try {
      return new RegExp(`^(?:${body})$`, [...new Set(mode + (flags?.[1] ?? ''))].join(''));
    } catch {
      // a pattern that is not valid in Unicode mode may be valid without
    }
  }
  return undefined;
}
