import type { Field, Model } from '../../src/database/model.js';
import { randomNumbers } from '../support/random.js';

type Node = Record<string, unknown>;

/** What random queries are about. */
export interface World {
  /** the models that queries reach; relations to others are left alone */
  models: readonly string[];
  /** values that rows have in a field of a model, and some that none has */
  values(model: string, field: string): readonly unknown[];
  /** relations to one that have a second column, as `Model.field` */
  compound: readonly string[];
  /** whether NULL is the largest value for the database, as it is for the compiler */
  nullsAreLargest: boolean;
  /** whether filters ask for relations that no foreign key states, which Prisma does not know */
  computed?: boolean;
}

/**
 * Where a filter stands. For Prisma, NULL in a row makes the negation of a filter neither true nor false; for the compiler the
 * filter is false and its negation true. So `exact` filters are about columns without NULL.
 */
interface Place {
  /** levels that may follow */
  depth: number;
  negated?: boolean | undefined;
  exact?: boolean | undefined;
}

/** Random arguments of `findMany` and `count`, which are the same for the same seed. */
export class RandomQuery {
  readonly #next: () => number;

  constructor(
    seed: number,
    private readonly world: World,
  ) {
    this.#next = randomNumbers(seed);
  }

  /** The arguments of a `findMany`; the order is total, so that there is one right answer. */
  find(model: Model, depth = 2): Node {
    return {
      ...this.#maybe(0.8, () => ({ where: this.where(model, depth) })),
      ...this.#selection(model, depth),
      ...this.#page(model),
    };
  }

  /** A filter with at most so many levels below it. */
  where(model: Model, depth: number): Node {
    return this.#filter(model, { depth }, 0);
  }

  /** A filter of one or two parts, or fewer where two are about the same field. */
  #filter(model: Model, place: Place, least = 1): Node {
    const parts = least + this.#below(3 - least);
    return Object.assign({}, ...Array.from({ length: parts }, () => this.#part(model, place)));
  }

  #below = (limit: number): number => Math.floor(this.#next() * limit);
  #chance = (share: number): boolean => this.#next() < share;
  #pick = <T>(items: readonly T[]): T => items[this.#below(items.length)] as T;
  #some = <T>(items: readonly T[], share: number): T[] => items.filter(() => this.#chance(share));
  #maybe = <T extends object>(share: number, make: () => T): T | object => (this.#chance(share) ? make() : {});

  #relations = (model: Model): Field[] =>
    [...model.fields.values()].filter(
      ({ relation }) =>
        relation && (this.world.computed || !relation.link) && this.world.models.includes(relation.model.name),
    );

  /** Prisma takes a relation for missing only where all of its columns are NULL, also those that never are. */
  #mayBeMissing = (name: string, model: Model): boolean => {
    const field = model.fields.get(name);
    return field?.required === false && !this.world.compound.includes(`${model.name}.${name}`);
  };

  #plain = (model: Model): Field[] => model.scalars.filter(({ type }) => type !== 'Json');

  #part(model: Model, place: Place): Node {
    const kind = place.depth > 0 ? this.#below(10) : 0;
    if (kind < 5) return this.#scalarPart(model, place);
    if (kind < 8) return this.#relationPart(model, place);
    const joined = this.#pick(['AND', 'OR', 'NOT']);
    const isNegation = joined === 'NOT';
    const below = {
      depth: place.depth - 1,
      negated: place.negated || isNegation,
      exact: place.exact || isNegation,
    };
    // Prisma leaves empty filters out of these; for the compiler they hold for every row, as everywhere
    const filter = () => this.#filter(model, below);
    const filters = () => Array.from({ length: 1 + this.#below(3) }, filter);
    if (joined === 'OR') return { OR: filters() };
    return { [joined]: this.#chance(0.3) ? filter() : filters() };
  }

  #scalarPart(model: Model, { exact }: Place): Node {
    const field = this.#pick(this.#plain(model).filter(({ required }) => required || !exact));
    return { [field.name]: this.#test(model, field) };
  }

  #test(model: Model, field: Field): unknown {
    const value = () => this.#pick(this.world.values(model.name, field.name));
    if (!field.required && this.#chance(0.2)) return this.#pick([null, { equals: null }, { not: null }]);
    if (this.#chance(0.3)) return value();
    const tests: [string, () => unknown][] = [
      ['equals', value],
      ['not', () => (this.#chance(0.3) ? { equals: value() } : value())],
    ];
    if (field.type !== 'Boolean') {
      const list = () => Array.from({ length: this.#below(4) }, value);
      tests.push(['in', list], ['notIn', list], ['lt', value], ['lte', value], ['gt', value], ['gte', value]);
    }
    if (field.type === 'String') {
      const piece = () =>
        String(value())
          .replace(/[%_\\]/g, '')
          .slice(0, 1 + this.#below(5));
      for (const test of ['contains', 'startsWith', 'endsWith']) tests.push([test, piece]);
    }
    const chosen = [this.#pick(tests), ...this.#some(tests, 0.1)];
    return Object.fromEntries(chosen.map(([name, make]) => [name, make()]));
  }

  #relationPart(model: Model, place: Place): Node {
    const relations = this.#relations(model);
    if (relations.length === 0) return this.#scalarPart(model, place);
    const { name, relation } = this.#pick(relations);
    if (!relation) return {};
    const below = (negated = place.negated): Place => ({ depth: place.depth - 1, negated, exact: place.negated });
    if (relation.list) {
      const tests = [this.#pick(['some', 'none', 'every']), ...this.#some(['some', 'none', 'every'], 0.1)];
      const inner = (test: string) => this.#filter(relation.model, below(place.negated || test === 'every'), 0);
      return { [name]: Object.fromEntries(tests.map((test) => [test, inner(test)])) };
    }
    if (this.#mayBeMissing(name, model) && this.#chance(0.3))
      return { [name]: this.#pick([null, { is: null }, { isNot: null }]) };
    // an empty filter means for Prisma that there need be no such row
    const inner = (place: Place) => this.#filter(relation.model, place);
    const test = this.#pick(['is', 'isNot', undefined]);
    if (test === undefined) return { [name]: inner(below()) };
    return { [name]: { [test]: inner(test === 'is' ? below() : { ...below(true), exact: true }) } };
  }

  #selection(model: Model, depth: number): Node {
    const relations = depth > 0 ? this.#some(this.#relations(model), 0.25) : [];
    const chosen = Object.fromEntries(
      relations.map(({ name, relation }): [string, unknown] => {
        if (!relation || this.#chance(0.2)) return [name, true];
        if (!relation.list) return [name, this.#selection(relation.model, depth - 1)];
        // for Prisma the row of a cursor has to be one of the list
        const { cursor: _, ...args } = this.find(relation.model, depth - 1);
        return [name, args];
      }),
    );
    // without an order of its own, the order of a nested list is nobody's promise
    for (const { name, relation } of relations) if (relation?.list && chosen[name] === true) delete chosen[name];
    const lists = this.#relations(model).filter(({ relation }) => relation?.list);
    if (lists.length > 0 && this.#chance(0.3)) chosen._count = { select: this.#counts(lists, depth) };
    const scalars = this.#some(model.scalars, 0.5).map(({ name }) => [name, true]);
    if (scalars.length > 0 && this.#chance(0.5)) return { select: { ...Object.fromEntries(scalars), ...chosen } };
    return Object.keys(chosen).length > 0 ? { include: chosen } : {};
  }

  #counts(lists: Field[], depth: number): Node {
    const chosen = [this.#pick(lists), ...this.#some(lists, 0.3)];
    return Object.fromEntries(
      chosen.map(({ name, relation }) => [
        name,
        relation && depth > 0 && this.#chance(0.5) ? { where: this.where(relation.model, depth - 1) } : true,
      ]),
    );
  }

  #page(model: Model): Node {
    const direction = () => this.#pick(['asc', 'desc']);
    const columns = this.#some(this.#plain(model), 0.15);
    const toOne = this.#relations(model).filter(({ relation, required }) => relation?.here && required);
    const related = this.#some(toOne, 0.1).map(({ name, relation }) => ({
      [name]: { [this.#pick((relation as { model: Model }).model.primaryKey)]: direction() },
    }));
    const placed = () => ({ sort: direction(), nulls: this.#pick(['first', 'last']) });
    const own = columns.map(({ name, required }) => ({
      [name]: required || (this.world.nullsAreLargest && this.#chance(0.5)) ? direction() : placed(),
    }));
    const orderBy = [...related, ...own, ...model.primaryKey.map((name) => ({ [name]: direction() }))];
    const simple = related.length === 0 && columns.every(({ required }) => required);
    const cursor = simple && model.primaryKey.length === 1 && this.#chance(0.2);
    return {
      orderBy,
      ...this.#maybe(0.4, () => ({ take: this.#pick([1, 2, 3, 10, 11, -1, -4]) })),
      ...this.#maybe(0.2, () => ({ skip: this.#pick([0, 1, 3, 20]) })),
      ...(cursor && { cursor: { id: this.#pick(this.world.values(model.name, 'id')) } }),
    };
  }
}
