import { AndFilter, EqualityFilter, type Filter, FilterParser } from 'ldapts';

/**
 * A filter that an administrator wrote (RFC 4515); undefined if it cannot be read. Filters from user input are never
 * text: they are built as values, so nothing needs escaping.
 */
export function parsedFilter(text: string): Filter | undefined {
  try {
    return FilterParser.parseString(text);
  } catch {
    return undefined;
  }
}

/** A filter for entries whose attribute has this value. */
export const equals = (attribute: string, value: string | Buffer): Filter => new EqualityFilter({ attribute, value });

/** All of the filters that are defined. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter {
  const present = filters.filter((filter) => filter !== undefined);
  return present.length === 1 ? (present[0] as Filter) : new AndFilter({ filters: present });
}
