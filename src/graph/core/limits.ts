/** How much one request may ask for. Announced with the cost of each request in `extensions.cost`. */
export const limits = {
  /** fields that may be computed, lists counted with their page size */
  requested: 100_000,
  depth: 15,
  /** fields and aliases on all levels together */
  breadth: 500,
  /** lexical tokens of the document */
  tokens: 5000,
} as const;

export const defaultPageSize = 20;
export const maxPageSize = 500;

/** The cost of a field that is worked out for each object apart: a list of more than a few is refused. */
export const apart = { field: 4000, multiplier: 1 } as const;
