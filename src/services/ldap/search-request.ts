import type { Filter } from 'ldapts';

/** A search in a directory. */
export interface Search {
  base: string;
  scope: 'base' | 'one' | 'sub';
  filter: Filter;
  attributes: readonly string[];
  /** attributes whose values are bytes */
  binary?: readonly string[];
}
