import { limit } from '../../config/limits.js';

const ofRequest = (what: string, most: number, unit: string): number =>
  limit('GraphQL', what, most, unit, '`TOO_COSTLY`, before execution');

/** How much one request may ask for. Announced with the cost of each request in `extensions.cost`. */
export const limits = {
  /** fields that may be computed, lists counted with their page size */
  requested: ofRequest(
    'Cost of a request, in `extensions.cost`',
    100_000,
    'fields, lists counted with their page size',
  ),
  depth: ofRequest('Depth of a request', 15, 'levels'),
  /** fields and aliases of all levels together */
  breadth: ofRequest('Breadth of a request', 500, 'fields and aliases on all levels together'),
  /** lexical tokens of the document */
  tokens: limit('GraphQL', 'Lexical tokens of a document', 5000, 'tokens', '`TOO_COSTLY`, before validation'),
} as const;

export const defaultPageSize = 20;
export const maxPageSize = limit(
  'Searches and pages',
  'Objects of a list in one page of GraphQL',
  500,
  'objects',
  '`LIMIT`',
);

/** The cost of a field that is worked out for each object apart: a list of more than a few is refused. */
export const apart = { field: 4000, multiplier: 1 } as const;
