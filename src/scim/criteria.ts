import type { Criteria } from '../services/user-storage/read/look-up.js';
import type { Filter } from './parse-filter.js';

const fields: Readonly<Record<string, 'username' | 'email' | 'firstName' | 'lastName'>> = {
  username: 'username',
  emails: 'email',
  'emails.value': 'email',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
};

/** The part of a filter that directories can be asked for: comparisons of names that must all hold. */
export function criteriaOf(filter: Filter): Criteria {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(criteriaOf));
  if (filter.kind !== 'compare' || !['eq', 'co', 'sw', 'ew'].includes(filter.operator)) return {};
  const { path, operand } = filter;
  const field =
    fields[
      [path.name, path.sub]
        .filter((part) => part !== undefined)
        .join('.')
        .toLowerCase()
    ];
  return field && typeof operand === 'string' && operand !== '' ? { [field]: operand } : {};
}
