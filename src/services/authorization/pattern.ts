import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

// What RE2 does not know, such as looking ahead, may take for ever: only in a context of its own can V8 be stopped.
const matcher = new Script('expression.test(value)');
// Not the time that a match takes, but one after which there will be none, however busy the machine is.
const patience = 500;

/** The expressions that were used last, as compiling one takes longer than a match. */
const compiled = new Map<string, (value: string) => boolean>();
const mostCompiled = 200;

/** Whether a whole text matches an expression; nothing for one that cannot be read, or does not come to an end. */
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

function compile(pattern: string): ((value: string) => boolean) | undefined {
  try {
    // its matches take time in proportion to the text, whatever the expression
    const expression = RE2JS.compile(pattern);
    return (value) => expression.matches(value);
  } catch {
    return compileNative(pattern);
  }
}

function compileNative(pattern: string): ((value: string) => boolean) | undefined {
  try {
    const expression = new RegExp(`^(?:${pattern})$`);
    return (value) => matcher.runInContext(createContext({ expression, value }), { timeout: patience }) === true;
  } catch {
    return undefined;
  }
}
