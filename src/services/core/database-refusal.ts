import { databaseFault, FilterTooLarge } from '../../database/errors.js';
import { ownMember } from './json.js';
import { busy, conflict, invalid, Refusal } from './refusal.js';
import type { RefusalCode } from './refusal-codes.js';

/** Field and code of a conflict in a unique column. For any other column, a name is taken. */
const takenColumns: Readonly<Record<string, readonly [field: string, code: RefusalCode]>> = {
  id: ['id', 'ID_TAKEN'],
  username: ['username', 'USERNAME_TAKEN'],
  uniqueEmail: ['email', 'EMAIL_TAKEN'],
};

/** Refusal of a write for which this unique column has a value already. */
function taken(message: string, column: string | undefined, list: string | undefined): Refusal {
  const [field, code] = ownMember(takenColumns, column ?? '') ?? [column, 'NAME_TAKEN'];
  return conflict(message, list ?? field, code);
}

/**
 * Translates an error of the database into a refusal. Any other error is returned as it is and ends as a 500.
 * `conflictOf` names the conflict for a violated unique key. `list` is the field at fault if the conflict cannot be
 * attributed to one of many objects.
 */
export function databaseRefusal(
  error: unknown,
  conflictOf?: () => string | Refusal | undefined,
  list?: string,
): unknown {
  if (error instanceof FilterTooLarge) return invalid(error.message);
  const fault = databaseFault(error);
  switch (fault?.kind) {
    case 'duplicate': {
      const refusal = conflictOf?.() ?? 'Already exists';
      return typeof refusal === 'string' ? taken(refusal, fault.columns.at(-1), list) : refusal;
    }
    case 'missingReference':
      return new Refusal('conflict', 'An object that this refers to was deleted in the meantime');
    case 'tooLong':
      return invalid('A value is too long');
    case 'unstorable':
      return invalid('A text contains characters that cannot be stored');
    case 'retry':
      return busy('Too many concurrent writes; retry later');
    case 'full':
      return busy('The disk of the database is full; nothing was changed');
    case 'late':
      return busy('The database took too long to answer; ask for less, or retry later');
    case 'unavailable':
      return busy('The database cannot be reached; retry later');
    default:
      return error;
  }
}
