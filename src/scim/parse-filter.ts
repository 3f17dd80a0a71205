import { limit } from '../config/limits.js';
import { type AttributePath, attributePath } from './paths.js';
import { invalidFilter, invalidPath, type ScimRefusal } from './refusals.js';

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
/** An operator with a value. */
export type Comparison = (typeof comparisons)[number];
export type Operand = string | number | boolean | null;

/** A filter of RFC 7644 section 3.4.2.2. */
export type Filter =
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: AttributePath }
  | { kind: 'compare'; path: AttributePath; operator: Comparison; operand: Operand }
  | { kind: 'within'; path: AttributePath; filter: Filter };

/** A path of a PATCH operation: `emails[type eq "work"].value`. */
export interface TargetPath extends AttributePath {
  filter: Filter | undefined;
}

const longest = limit('SCIM', 'Filter, or path of a PATCH operation', 4000, 'characters');
const mostLevels = limit('SCIM', 'Groups and value filters within each other in a filter', 20, 'levels');
const mostTests = limit('SCIM', 'Comparisons of a filter', 200, 'comparisons');
// each is made for every value of the attribute
const mostPathTests = limit('SCIM', 'Comparisons of a path in a PATCH operation', 20, 'comparisons');

/** A text in quotes, a bracket, or a word. Each alternative starts with another character, so that matching takes linear time. */
const token = /\s*(?:("(?:[^"\\]|\\[\s\S])*")|([()[\]])|([^\s()[\]"]+))/y;

type Refuse = (message: string) => ScimRefusal;

class Tokens {
  readonly #text: string;
  readonly refuse: Refuse;
  readonly mostTests: number;
  #at = 0;
  #next: string | undefined;
  levels = 0;
  tests = 0;

  constructor(text: string, refuse: Refuse, mostTests: number) {
    this.refuse = refuse;
    this.mostTests = mostTests;
    if (text.length > longest) throw refuse(`A filter or path must be at most ${longest} characters`);
    this.#text = text.trimEnd();
    this.#advance();
  }

  #advance(): void {
    if (this.#at >= this.#text.length) {
      this.#next = undefined;
      return;
    }
    token.lastIndex = this.#at;
    const [whole, quoted, bracket, word] = token.exec(this.#text) ?? [];
    if (whole === undefined) throw this.refuse(`Character ${this.#at + 1} starts a text that is not closed`);
    this.#at += whole.length;
    this.#next = quoted ?? bracket ?? word;
  }

  get next(): string | undefined {
    return this.#next;
  }

  /** The next token, which must be there. */
  take(expected: string): string {
    const taken = this.#next;
    if (taken === undefined) throw this.refuse(`The filter ends where ${expected} is expected`);
    this.#advance();
    return taken;
  }

  /** Whether the next token is this keyword, in any case; it is taken then. */
  accept(keyword: string): boolean {
    if (this.#next?.toLowerCase() !== keyword) return false;
    this.#advance();
    return true;
  }

  require(keyword: string): void {
    if (!this.accept(keyword)) throw this.refuse(`"${keyword}" is expected instead of ${this.#shown()}`);
  }

  requireEnd(): void {
    if (this.#next !== undefined) throw this.refuse(`${this.#shown()} is not expected here`);
  }

  #shown(): string {
    return this.#next === undefined ? 'the end' : `"${this.#next.slice(0, 100)}"`;
  }

  /** Runs a part that is one level deeper. */
  deeper<R>(part: () => R): R {
    this.levels += 1;
    if (this.levels > mostLevels) throw this.refuse(`A filter must have at most ${mostLevels} levels`);
    const result = part();
    this.levels -= 1;
    return result;
  }
}

const isWord = (token: string): boolean => !/^["()[\]]/.test(token);

function pathIn(tokens: Tokens): AttributePath {
  const text = tokens.take('an attribute');
  if (!isWord(text)) throw tokens.refuse(`An attribute is expected instead of ${text.slice(0, 100)}`);
  return attributePath(text);
}

function operandIn(tokens: Tokens): Operand {
  const text = tokens.take('a value');
  try {
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text);
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Operand;
  } catch {
    // reported below
  }
  throw tokens.refuse(`${text.slice(0, 100)} is not a value: texts are written in double quotes`);
}

function testIn(tokens: Tokens): Filter {
  tokens.tests += 1;
  const { mostTests: most } = tokens;
  if (tokens.tests > most) throw tokens.refuse(`A filter must have at most ${most} comparisons here`);
  const path = pathIn(tokens);
  if (tokens.accept('[')) return { kind: 'within', path, filter: valueFilterIn(tokens) };
  const name = tokens.take('an operator').toLowerCase();
  if (name === 'pr') return { kind: 'present', path };
  const operator = comparisons.find((one) => one === name);
  if (!operator) throw tokens.refuse(`"${name.slice(0, 100)}" is not an operator`);
  return { kind: 'compare', path, operator, operand: operandIn(tokens) };
}

/** The filter up to the closing bracket. */
function valueFilterIn(tokens: Tokens): Filter {
  const filter = tokens.deeper(() => orIn(tokens));
  tokens.require(']');
  return filter;
}

function unaryIn(tokens: Tokens): Filter {
  const isNegated = tokens.accept('not');
  if (!isNegated && tokens.next !== '(') return testIn(tokens);
  tokens.require('(');
  const part = tokens.deeper(() => orIn(tokens));
  tokens.require(')');
  return isNegated ? { kind: 'not', part } : part;
}

function chainIn(tokens: Tokens, kind: 'and' | 'or', partIn: (tokens: Tokens) => Filter): Filter {
  const first = partIn(tokens);
  const parts = [first];
  while (tokens.accept(kind)) parts.push(partIn(tokens));
  return parts.length === 1 ? first : { kind, parts };
}

/** `and` binds more tightly than `or`. */
const orIn = (tokens: Tokens): Filter => chainIn(tokens, 'or', (or) => chainIn(or, 'and', unaryIn));

/** Parses a filter. Throws `invalidFilter`. */
export function parseFilter(text: string): Filter {
  const tokens = new Tokens(text, invalidFilter, mostTests);
  const filter = orIn(tokens);
  tokens.requireEnd();
  return filter;
}

/** Parses the path of a PATCH operation. Throws `invalidPath`. */
export function parsePath(text: string): TargetPath {
  const tokens = new Tokens(text, invalidPath, mostPathTests);
  const path = pathIn(tokens);
  const filter = tokens.accept('[') ? valueFilterIn(tokens) : undefined;
  const rest = filter ? tokens.next : undefined;
  if (rest !== undefined) tokens.take('a sub-attribute');
  tokens.requireEnd();
  if (rest !== undefined && !/^\.[A-Za-z$][\w$-]*$/.test(rest)) throw invalidPath(`"${rest}" is not a sub-attribute`);
  return { ...path, ...(rest !== undefined && { sub: rest.slice(1), text }), filter };
}

/** Whether a filter tests an attribute of this name, in lower case. */
export function mentions(filter: Filter, name: string): boolean {
  if ('parts' in filter) return filter.parts.some((part) => mentions(part, name));
  if (filter.kind === 'not') return mentions(filter.part, name);
  return filter.path.name.toLowerCase() === name;
}
