import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

// What RE2 does not know, such as looking ahead, may take for ever: only in a context of its own can V8 be stopped.
const matcher = new Script('expression.test(value)');
// Not the time that a match takes, but one after which there will be none, however busy the machine is.
const patience = 250;

/** Most steps that a match by RE2 may take, each up to 200 ns: the size of the expression times the characters of the text. */
const mostSteps = 500_000;

/** The expressions that were used last, as compiling one takes longer than a match. */
const compiled = new Map<string, (value: string) => boolean | undefined>();
const mostCompiled = 200;

/** Whether a whole text matches an expression; nothing for one that cannot be read, or takes too long for the text. */
export function matches(pattern: string, value: string): boolean | undefined {
  let test = compiled.get(pattern);
  if (!test) {
    test = compile(pattern);
    if (!test) return undefined;
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(pattern, test);
  }
  try {
    return test(value);
  } catch {
    return undefined;
  }
}

function compile(pattern: string): ((value: string) => boolean | undefined) | undefined {
  try {
    // its matches take time in proportion to the text and the size of the expression
    const expression = RE2JS.compile(pattern);
    const longest = mostSteps / expression.programSize();
    return (value) => (value.length > longest ? undefined : expression.matches(value));
  } catch {
    return compileNative(pattern);
  }
}

function compileNative(pattern: string): ((value: string) => boolean) | undefined {
  try {
    const expression = wholePattern(pattern);
    if (!expression) return undefined;
    return (value) => matcher.runInContext(createContext({ expression, value }), { timeout: patience }) === true;
  } catch {
    return undefined;
  }
}

/** A regular expression that has to match a whole text; nothing if it cannot be compiled. */
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
