import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { randomNumbers } from '../support/random.js';
import { documents, FuzzFile, goodTimes, hostileNumbers, hostileTexts, hostileValues } from './values.js';

/** A GraphQL request. */
export interface Request {
  query: string;
  variables: Record<string, unknown>;
}

/** Parts of every page, which make nothing deeper. */
const wrappers = new Set(['edges', 'node', 'pageInfo', 'userErrors']);

/** Random requests that the schema allows, with values that it may not. What answers name is used in later requests. */
export class Generator {
  readonly #schema: GraphQLSchema;
  readonly #seed: number;
  /** decides what a request looks like */
  #random: () => number = () => 0;
  /** decides on its values, for which what was learnt matters */
  #draw: () => number = () => 0;
  readonly #realm: string;
  readonly #spared: ReadonlySet<string>;
  /** node ids by type */
  readonly #ids = new Map<string, string[]>();
  /** texts by the name of their field */
  readonly #texts = new Map<string, string[]>();
  #variables: { type: string; value: unknown }[] = [];
  #root = '';
  #fields = 0;

  /** `realm` is the name of the realm that most queries are about; mutations keep off what has one of the ids `spared`. */
  constructor(schema: GraphQLSchema, seed: number, realm: string, spared: ReadonlySet<string>) {
    this.#spared = spared;
    this.#schema = schema;
    this.#realm = realm;
    this.#seed = seed;
  }

  /** What the requests from here on look like depends on the seed and on this number alone, not on earlier answers. */
  begin(n: number): void {
    this.#random = randomNumbers(this.#seed * 1_000_003 + n);
    this.#draw = randomNumbers(this.#seed * 1_000_003 + n + 500_000_000);
  }

  /** Notes the ids and names of an answer. */
  learn(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.learn(item);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const { __typename: type, id } = value as Record<string, unknown>;
    if (this.#spared.has(id as string)) return;
    if (typeof type === 'string' && typeof id === 'string') note(this.#ids, type, id);
    for (const [name, item] of Object.entries(value)) {
      if (typeof item === 'string') note(this.#texts, name, item);
      else this.learn(item);
    }
  }

  /** A query with some root fields. */
  query(depth = 4): Request {
    const { Query } = this.#schema.getTypeMap();
    const fields = Object.values((Query as GraphQLObjectType).getFields());
    return this.#request('query', [this.#chance(0.7) ? this.#named(fields, 'realm') : this.#pick(fields)], depth);
  }

  /** One mutation. */
  mutation(field: GraphQLField<unknown, unknown>): Request {
    return this.#request('mutation', [field], 2);
  }

  /** One subscription. */
  subscription(field: GraphQLField<unknown, unknown>): Request {
    return this.#request('subscription', [field], 3);
  }

  #named(fields: GraphQLField<unknown, unknown>[], name: string): GraphQLField<unknown, unknown> {
    return fields.find((field) => field.name === name) ?? this.#pick(fields);
  }

  #request(kind: string, fields: GraphQLField<unknown, unknown>[], depth: number): Request {
    this.#variables = [];
    this.#fields = 0;
    const selected = fields.map((field, n) => {
      this.#root = field.name;
      return `r${n}: ${this.#field(field, depth)}`;
    });
    const declared = this.#variables.map(({ type }, n) => `$v${n}: ${type}`).join(', ');
    const directive = kind === 'mutation' && this.#chance(0.05) ? ' @dryRun' : '';
    return {
      query: `${kind} Fuzz${declared && `(${declared})`}${directive} { ${selected.join(' ')} }`,
      variables: Object.fromEntries(this.#variables.map(({ value }, n) => [`v${n}`, value])),
    };
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    this.#fields += 1;
    const given = field.args.filter((arg) => isRequiredArgument(arg) || this.#chance(0.25));
    const args = given.map((arg) => {
      this.#variables.push({ type: String(arg.type), value: this.#value(arg.type, arg.name) });
      return `${arg.name}: $v${this.#variables.length - 1}`;
    });
    return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${this.#selection(field.type, depth)}`;
  }

  #selection(output: GraphQLOutputType, depth: number): string {
    const type = getNamedType(output);
    if (isLeafType(type)) return '';
    const parts = ['__typename'];
    if (isAbstractType(type)) {
      const fragments = this.#schema.getPossibleTypes(type).filter(() => this.#chance(0.2));
      parts.push(...fragments.map((possible) => `... on ${possible.name} ${this.#members(possible, depth)}`));
    } else if (isObjectType(type)) parts.push(this.#members(type, depth).slice(1, -1));
    return ` { ${parts.join(' ')} }`;
  }

  #members(type: GraphQLObjectType, depth: number): string {
    const parts: string[] = ['__typename'];
    for (const field of Object.values(type.getFields())) {
      const leaf = isLeafType(getNamedType(field.type));
      const wraps = wrappers.has(field.name);
      if (this.#fields > 60 || (!leaf && !wraps && depth <= 1)) continue;
      const wanted = wraps ? 0.9 : leaf ? 0.5 : Math.min(0.3, 3 / Object.keys(type.getFields()).length);
      if (field.name !== 'id' && !this.#chance(wanted)) continue;
      // an alias of its own for each field, as fields of one name in several fragments may differ in type
      const alias = field.name === 'id' ? '' : `${field.name}_${type.name}: `;
      parts.push(alias + this.#field(field, wraps || leaf ? depth : depth - 1));
    }
    return `{ ${parts.join(' ')} }`;
  }

  #value(type: GraphQLInputType, name: string, level = 0): unknown {
    if (isNonNullType(type)) return this.#value(type.ofType, name, level);
    if (isListType(type)) {
      const length = level > 3 ? 0 : Math.floor(this.#random() * 3);
      return Array.from({ length }, () => this.#value(type.ofType, name, level));
    }
    if (isInputObjectType(type)) {
      const all = Object.values(type.getFields());
      if (type.isOneOf) {
        const field = this.#pick(all);
        return { [field.name]: this.#value(field.type, field.name, level + 1) };
      }
      const share = level > 3 ? 0 : this.#random();
      const given = all.filter((field) => isNonNullType(field.type) || this.#chance(share));
      return Object.fromEntries(
        given.map((field) => [
          field.name,
          !isNonNullType(field.type) && this.#chance(0.05) ? null : this.#value(field.type, field.name, level + 1),
        ]),
      );
    }
    if (isEnumType(type)) return this.#pick(type.getValues()).name;
    return this.#scalar(type, name);
  }

  #scalar(type: GraphQLNamedType, name: string): unknown {
    switch (type.name) {
      case 'Boolean':
        return this.#likely(0.5);
      case 'Int':
        return this.#likely(0.8) ? Math.floor(this.#draw() * 20) : this.#any(hostileNumbers);
      case 'Float':
        return this.#any([...hostileNumbers, 1e308, -0.1]);
      case 'DateTime':
        return this.#any(this.#likely(0.95) ? goodTimes : hostileTexts);
      case 'JSON':
        return this.#any(hostileValues);
      case 'Upload':
        return new FuzzFile(this.#any(this.#likely(0.7) ? documents : hostileTexts));
      case 'ID':
        return this.#id(name);
      default:
        return this.#text(name);
    }
  }

  #id(name: string): string {
    if (this.#likely(0.08)) return this.#any(hostileTexts);
    const fits = (type: string) => {
      const wanted = name === 'id' ? this.#root.toLowerCase() : name.replace(/Ids?$|s$/, '').toLowerCase();
      return wanted.startsWith(type.toLowerCase()) || type.toLowerCase().endsWith(wanted);
    };
    const fitting = [...this.#ids].filter(([type]) => fits(type));
    const from = fitting.length > 0 && this.#likely(0.9) ? fitting : [...this.#ids];
    return from.length > 0 ? this.#any(this.#any(from)[1]) : 'none';
  }

  #text(name: string): string {
    if (this.#root === 'realm' && this.#variables.length === 0 && this.#likely(0.95)) return this.#realm;
    const known = this.#texts.get(name);
    const draw = this.#draw();
    if (known && draw < 0.6) return this.#any(known);
    if (draw < 0.75) return `${name}-${Math.floor(this.#draw() * 50)}`;
    if (draw < 0.85 && this.#texts.size > 0) return this.#any(this.#any([...this.#texts.values()]));
    return this.#any(hostileTexts);
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #likely(share: number): boolean {
    return this.#draw() < share;
  }

  #any<T>(items: readonly T[]): T {
    return items[Math.floor(this.#draw() * items.length)] as T;
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }
}

/** Notes a value under a name; no more of them than are worth trying, the last ones. */
function note(known: Map<string, string[]>, name: string, value: string): void {
  const list = known.get(name) ?? [];
  if (list.includes(value)) return;
  // fields have aliases with their type behind their name
  known.set(name, [...list, value].slice(-30));
  const plain = name.replace(/_[A-Z]\w*$/, '');
  if (plain !== name) note(known, plain, value);
}
