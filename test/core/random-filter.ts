import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType, isEnumType, isLeafType } from 'graphql';
import { randomNumbers } from '../support/random.js';

export type Node = Readonly<Record<string, unknown>>;
type Tests = Readonly<Record<string, unknown>>;

/** A filter, and whether a node matches it. */
export interface Tree {
  filter: object;
  matches: (node: Node) => boolean;
}

const texts: Readonly<Record<string, (text: string, operand: string) => boolean>> = {
  equals: (text, operand) => text === operand,
  contains: (text, operand) => text.includes(operand),
  startsWith: (text, operand) => text.startsWith(operand),
  endsWith: (text, operand) => text.endsWith(operand),
};

/** Whether a text, or null, passes all tests of a text filter. */
function passesText(text: string | null, tests: Tests, fold: (text: string) => string): boolean {
  const folded = text === null ? null : fold(text);
  return Object.entries(tests).every(([test, operand]) => {
    if (test === 'isNull') return (text === null) === operand;
    if (test === 'not') return folded !== fold(operand as string);
    if (folded === null) return false;
    if (test === 'in') return (operand as string[]).some((one) => fold(one) === folded);
    return texts[test]?.(folded, fold(operand as string)) ?? false;
  });
}

function passesTime(time: string | null, tests: Tests): boolean {
  if (time === null) return Object.keys(tests).length === 0;
  const at = Date.parse(time);
  return Object.entries(tests).every(([test, operand]) => {
    const other = Date.parse(operand as string);
    return test === 'before' ? at < other : at >= other;
  });
}

/** The conditions of a filter type that test the field of the same name of the nodes: the field is enough to evaluate them. */
export function comparableConditions(type: GraphQLInputObjectType, node: GraphQLObjectType): string[] {
  const fields = node.getFields();
  return Object.values(type.getFields()).flatMap(({ name, type: condition }) => {
    const field = fields[name];
    if (!field || field.args.length > 0 || !isLeafType(getNamedType(field.type))) return [];
    const [given, own] = [getNamedType(condition).name, getNamedType(field.type)];
    const isComparable =
      (/^(Nullable)?StringFilter$/.test(given) && own.name === 'String') ||
      (given === 'DateTimeFilter' && own.name === 'DateTime') ||
      (given === 'Boolean' && own.name === 'Boolean') ||
      (isEnumType(own) && given === own.name && String(condition) === given);
    return isComparable ? [name] : [];
  });
}

/** Random filters over a list of nodes, each with its plain evaluation. The same seed gives the same filters. */
export class RandomFilters {
  readonly #next: () => number;
  readonly #names: readonly string[];

  constructor(
    seed: number,
    private readonly type: GraphQLInputObjectType,
    node: GraphQLObjectType,
    private readonly nodes: readonly Node[],
  ) {
    this.#next = randomNumbers(seed);
    this.#names = comparableConditions(type, node);
  }

  #below = (limit: number): number => Math.floor(this.#next() * limit);
  #pick = <T>(items: readonly T[]): T => items[this.#below(items.length)] as T;

  /** A filter with at most so many levels below it. */
  tree(depth = 3): Tree {
    const parts = Array.from({ length: this.#pick([0, 1, 1, 1, 2]) }, () => this.#condition());
    if (depth > 0) parts.push(...Array.from({ length: this.#below(3) }, () => this.#joined(depth - 1)));
    // of two parts of the same name, the filter has the last one
    const byName = new Map(parts.map((part) => [Object.keys(part.filter)[0], part]));
    const chosen = [...byName.values()];
    return {
      filter: Object.assign({}, ...chosen.map(({ filter }) => filter)),
      matches: (node) => chosen.every(({ matches }) => matches(node)),
    };
  }

  #joined(depth: number): Tree {
    const name = this.#pick(['and', 'or', 'not', 'not']);
    const trees = Array.from({ length: name === 'not' ? 1 : this.#below(4) }, () => this.tree(depth));
    const filters = trees.map(({ filter }) => filter);
    if (name === 'not') return { filter: { not: filters[0] }, matches: (node) => !trees[0]?.matches(node) };
    return {
      filter: { [name]: filters },
      matches: (node) => trees[name === 'and' ? 'every' : 'some'](({ matches }) => matches(node)),
    };
  }

  #condition(): Tree {
    const name = this.#pick(this.#names);
    const condition = this.type.getFields()[name];
    const kind = getNamedType(condition?.type)?.name ?? '';
    const values = this.nodes.map((node) => node[name]).filter((value) => value !== null);
    if (kind.endsWith('StringFilter')) {
      const tests = this.#textTests(values as string[], kind.startsWith('Nullable'));
      const isFolded = condition?.description?.includes('Case-insensitive') === true;
      const fold = (text: string) => (isFolded ? text.toLowerCase() : text);
      return { filter: { [name]: tests }, matches: (node) => passesText(node[name] as string | null, tests, fold) };
    }
    if (kind === 'DateTimeFilter') {
      const time = () => this.#pick([...(values as string[]), '2001-02-03T04:05:06.000Z']);
      const tests = this.#some({ before: time, atOrAfter: time });
      return { filter: { [name]: tests }, matches: (node) => passesTime(node[name] as string | null, tests) };
    }
    const value = this.#pick(kind === 'Boolean' ? [true, false] : values.length > 0 ? values : [undefined]);
    return { filter: { [name]: value }, matches: (node) => value === undefined || node[name] === value };
  }

  #textTests(values: readonly string[], isNullable: boolean): Tests {
    const value = () => this.#pick([...values, 'none']);
    const piece = () => value().slice(this.#below(2), 2 + this.#below(4));
    const list = () => Array.from({ length: this.#below(4) }, value);
    const isNull = () => this.#pick([true, false]);
    return this.#some({
      ...{ equals: value, not: value, in: list, contains: piece, startsWith: piece, endsWith: piece },
      ...(isNullable && { isNull }),
    });
  }

  /** Usually one of the tests, sometimes none or two. */
  #some(tests: Readonly<Record<string, () => unknown>>): Tests {
    const names = Array.from({ length: this.#pick([0, 1, 1, 1, 1, 1, 2]) }, () => this.#pick(Object.keys(tests)));
    return Object.fromEntries(names.map((name) => [name, tests[name]?.()]));
  }
}
