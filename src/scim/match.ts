import { isObject, members } from '../services/core/json.js';
import type { Comparison, Filter, Operand } from './parse-filter.js';
import type { AttributePath } from './paths.js';

/** The value of an attribute of an entry, whatever the case of its name. An entry that is a text has it as `value`. */
function valueAt(entry: unknown, { name, sub }: AttributePath): unknown {
  const own = memberOf(isObject(entry) ? entry : { value: entry }, name);
  return sub === undefined ? own : memberOf(members(own), sub);
}

function memberOf(object: Record<string, unknown>, name: string): unknown {
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

const folded = (value: unknown): string => String(value).toLowerCase();

/** Compares a value with that of a filter. The case of letters does not matter; a boolean may be written as a text. */
function compares(operator: Comparison, value: unknown, operand: Operand): boolean {
  if (operator === 'ne') return !compares('eq', value, operand);
  if (operator === 'eq')
    return value === undefined || operand === null ? (value ?? null) === operand : folded(value) === folded(operand);
  if (value === undefined || operand === null) return false;
  const [one, other] = [folded(value), folded(operand)];
  switch (operator) {
    case 'co':
      return one.includes(other);
    case 'sw':
      return one.startsWith(other);
    case 'ew':
      return one.endsWith(other);
    case 'gt':
      return one > other;
    case 'ge':
      return one >= other;
    case 'lt':
      return one < other;
    default:
      return one <= other;
  }
}

/** Whether an entry of a multi-valued attribute matches the filter of a path. */
export function matches(filter: Filter, entry: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, entry));
    case 'or':
      return filter.parts.some((part) => matches(part, entry));
    case 'not':
      return !matches(filter.part, entry);
    case 'present':
      return valueAt(entry, filter.path) !== undefined;
    case 'compare':
      return compares(filter.operator, valueAt(entry, filter.path), filter.operand);
    default: {
      const inner = valueAt(entry, filter.path);
      return (Array.isArray(inner) ? inner : [inner]).some((one) => matches(filter.filter, one));
    }
  }
}

/** The entry that a filter of equalities describes: `type eq "work"` gives `{ type: 'work' }`. Undefined for other filters. */
export function entryFor(filter: Filter): Record<string, Operand> | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq' && filter.path.sub === undefined)
    return { [filter.path.name]: filter.operand };
  if (filter.kind !== 'and') return undefined;
  const parts = filter.parts.map(entryFor);
  return parts.every((part) => part !== undefined) ? Object.assign({}, ...parts) : undefined;
}
