import type { RefusalCode } from '../../../src/services/core/refusal-codes.js';
import { realm } from '../world.js';

/** The id of an object of the world by its name. */
export type Id = (name: string) => string;

/** The input that provokes a code. */
export type Recipe = (id: Id) => object;

/** The realm of the world. */
export const here = (id: Id) => ({ realm: id(`Realm ${realm}`) });

/** One id two times. */
export const twice = (id: Id, name: string) => [id(name), id(name)];

/** How codes of mutations are provoked, by the mutations. */
export type Recipes = Readonly<Record<string, Partial<Record<RefusalCode, Recipe>>>>;
