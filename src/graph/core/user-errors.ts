import { databaseRefusal } from '../../services/core/database-refusal.js';
import { type Fault, faultsOf, Refusal, type RefusalKind } from '../../services/core/refusal.js';
import { type RefusalCode, refusalCodes } from '../../services/core/refusal-codes.js';
import { builder } from './builder.js';
import { type FieldOf, inputPath, renamedPath } from './input-path.js';

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

/** Codes that any mutation can return, with their descriptions. */
export const generalCodes = {
  FORBIDDEN: 'The caller lacks the required permission.',
  NOT_FOUND: 'An object that the input names does not exist.',
  INVALID: 'The input is invalid. `path` leads to the field at fault.',
  CONFLICT: 'The change conflicts with existing data.',
  STALE: 'The object was changed in the meantime: `expectedVersion` is not its current version.',
  TOO_LARGE: 'The input is too large.',
  TOO_COSTLY: 'The mutation would exceed the limits of one request.',
  BUSY: 'Too many concurrent writes. Retry the same request later.',
  ABORTED: 'Another root field of the `@atomic` mutation failed, so this one was not run or was rolled back.',
} as const;

type Code = keyof typeof generalCodes | RefusalCode;

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'Reason why a mutation was refused. docs/graphql-errors.md lists the codes of each mutation.',
  values: Object.fromEntries(
    Object.entries({ ...generalCodes, ...refusalCodes }).map(([code, description]) => [code, { description }]),
  ) as Record<Code, { description: string }>,
});

export interface UserErrorValue {
  code: typeof UserErrorCode.$inferType;
  path: readonly string[] | null;
  message: string;
}

export const UserError = builder.objectRef<UserErrorValue>('UserError').implement({
  description: 'An error that the caller can fix.',
  fields: (t) => ({
    code: t.field({
      type: UserErrorCode,
      description: 'Reason of the error, for programs.',
      resolve: ({ code }) => code,
    }),
    path: t.stringList({
      nullable: true,
      description:
        'Path of the input field at fault within `input`, with indexes of lists, e.g. `["users", "2", "email"]`. Null if no single field is at fault.',
      resolve: ({ path }) => path && [...path],
    }),
    message: t.exposeString('message', {
      description: 'Error message in English, to show to a user. Programs use `code`.',
    }),
    documentation: t.string({
      description: 'URL of the explanation of `code` in the documentation of this server.',
      resolve: ({ code }, _args, { baseUrl }) => {
        const server = baseUrl.replace(/\/auth$/, '');
        return `${server}/docs/graphql-errors.md#${code.toLowerCase()}`;
      },
    }),
  }),
});

/** Codes that any mutation can have besides the kinds of refusals. */
export const sharedCodes = ['BAD_ID', 'IDEMPOTENCY_KEY_REUSED', 'MANAGED'] as const satisfies RefusalCode[];

/** The codes that an operation declares, besides the codes that any mutation can have. */
export const declaredCodes = ({
  refuses = [],
  takesRights,
}: {
  refuses?: readonly RefusalCode[];
  takesRights?: unknown;
}): readonly RefusalCode[] => [...refuses, ...(takesRights ? (['LAST_ADMIN'] as const) : [])];

/** How faults of an operation are converted to errors of a mutation. */
interface Naming {
  fieldOf: FieldOf;
  /** the codes that the mutation can have; for others, the error has the code of their kind */
  refuses: readonly RefusalCode[];
}

/**
 * The GraphQL name of a field that a message names: the field at fault, a part of its path, or a field of the same
 * object.
 */
function nameHere(name: string, path: readonly string[], input: unknown, fieldOf: FieldOf): string {
  const parts = name.split('.');
  for (let end = path.length; end >= 0; end -= 1) {
    const place = path.slice(0, end);
    const wire = [...place, ...parts];
    const kept = [...renamedPath(place, fieldOf), ...parts];
    const isRenamed = renamedPath(wire, fieldOf).join('.') !== kept.join('.');
    if (!isRenamed && wire.join('.') !== path.join('.')) continue;
    const above = inputPath(place, input, fieldOf);
    const here = inputPath(wire, input, fieldOf);
    if (here.length > above.length && above.every((part, at) => part === here[at])) {
      return here.slice(above.length).join('.');
    }
  }
  return name;
}

/**
 * The message for a missing permission. Permissions can depend on the objects that an input names; these are not
 * permissions of the operation.
 */
const missing = (permission: string | undefined): string =>
  `Permission ${permission ? `\`${permission}\`` : 'for this operation'} is required`;

/** The user errors of faults in an input. */
export function errorsOf(faults: readonly Fault[], input: unknown, { fieldOf, refuses }: Naming): UserErrorValue[] {
  const errors = faults.map(({ path: wirePath, code, kind = 'invalid', message: given, isBare, permission }) => {
    const message = kind === 'forbidden' ? missing(permission) : given;
    const path = wirePath && inputPath(wirePath, input, fieldOf);
    const field = path?.join('.') ?? '';
    const sentence = message.replaceAll(
      /`([^`]+)`/g,
      (_, name) => `\`${nameHere(name, wirePath ?? [], input, fieldOf)}\``,
    );
    return {
      code: code && refuses.includes(code) ? code : codeOf(kind === 'unauthenticated' ? 'forbidden' : kind),
      path: path && path.length > 0 ? path : null,
      message: isBare && field !== '' ? `${field}: ${message}` : sentence,
    };
  });
  // a fault that many objects share is reported once
  return [...new Map(errors.map((error) => [JSON.stringify(error), error])).values()];
}

/** The user errors of a refusal; any other error is thrown again. */
export function userErrorsOf(error: unknown, input: unknown, naming: Naming): UserErrorValue[] {
  const known = databaseRefusal(error);
  if (!(known instanceof Refusal) || known.kind === 'unauthenticated') throw error;
  const { kind } = known;
  const faults = faultsOf(known).map((fault) => ({ kind, ...fault }));
  return errorsOf(faults, input, naming);
}
