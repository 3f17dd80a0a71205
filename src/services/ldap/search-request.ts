import type { Filter } from 'ldapts';

/** What is looked for. */
export interface Search {
  base: string;
  scope: 'base' | 'one' | 'sub';
  filter: Filter;
  attributes: readonly string[];
  /** those of them whose values are bytes */
  binary?: readonly string[];
}
