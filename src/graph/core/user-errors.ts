import { databaseRefusal } from '../../services/core/database-refusal.js';
import { Refusal, type RefusalKind } from '../../services/core/refusal.js';
import { builder } from './builder.js';

const codes = {
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  notFound: 'NOT_FOUND',
  invalid: 'INVALID',
  unknownField: 'INVALID',
  malformed: 'INVALID',
  unsupportedMediaType: 'INVALID',
  tooLarge: 'TOO_LARGE',
  conflict: 'CONFLICT',
  stale: 'STALE',
  tooCostly: 'TOO_COSTLY',
  busy: 'BUSY',
} as const satisfies Record<RefusalKind, string>;

/** Code of a refusal, in user errors and in `extensions.code` of top-level errors. */
export const codeOf = <K extends RefusalKind>(kind: K): (typeof codes)[K] => codes[kind];

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'Reason why a mutation was refused.',
  values: {
    FORBIDDEN: { description: 'The caller lacks the required permission.' },
    NOT_FOUND: { description: 'An object that the input names does not exist.' },
    INVALID: { description: 'The input is invalid. `field` names the field at fault.' },
    CONFLICT: { description: 'The change conflicts with existing data, such as a name already in use.' },
    STALE: { description: 'The object was changed in the meantime: `expectedVersion` is not its current version.' },
    TOO_LARGE: { description: 'The input is too large.' },
    TOO_COSTLY: { description: 'The mutation would exceed the limits of one request.' },
    BUSY: { description: 'Too many concurrent writes. Retry the same request later.' },
    ABORTED: {
      description: 'Another root field of the `@atomic` mutation failed, so this one was not run or was rolled back.',
    },
  },
});

export interface UserErrorValue {
  code: typeof UserErrorCode.$inferType;
  field: string | null;
  message: string;
}

export const UserError = builder.objectRef<UserErrorValue>('UserError').implement({
  description: 'An error that the caller can fix. Nothing was changed.',
  fields: (t) => ({
    code: t.field({
      type: UserErrorCode,
      description: 'Reason of the error, for programs.',
      resolve: ({ code }) => code,
    }),
    field: t.exposeString('field', {
      nullable: true,
      description: 'Path of the input field at fault. Null if no single field is at fault.',
    }),
    message: t.exposeString('message', {
      description: 'Error message in English, to show to a user. Programs use `code`.',
    }),
  }),
});

/** The user error of a refusal; anything else is thrown on. */
export function userErrorOf(error: unknown, fieldOf = (field: string) => field): UserErrorValue {
  const known = databaseRefusal(error);
  if (!(known instanceof Refusal) || known.kind === 'unauthenticated') throw error;
  const message = known.kind === 'forbidden' ? 'Permission for this operation is required' : known.message;
  const { field } = known.details;
  return { code: codeOf(known.kind), field: field === undefined ? null : fieldOf(field), message };
}
