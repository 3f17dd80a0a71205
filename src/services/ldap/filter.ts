import { AndFilter, EqualityFilter, type Filter, FilterParser } from 'ldapts';

/**
 * A filter that an administrator wrote (RFC 4515), or nothing where it cannot be read. Filters out of what users type are
 * never text: they are built as values, so that there is nothing to escape.
 */
export function parsedFilter(text: string): Filter | undefined {
  try {
    return FilterParser.parseString(text);
  } catch {
    return undefined;
  }
}

/** An entry whose attribute has this value. */
export const equals = (attribute: string, value: string | Buffer): Filter => new EqualityFilter({ attribute, value });

/** All of the filters that are there. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter {
  const present = filters.filter((filter) => filter !== undefined);
  return present.length === 1 ? (present[0] as Filter) : new AndFilter({ filters: present });
}
