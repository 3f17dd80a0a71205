import type { Guessed } from './failed-attempts.js';
import type { ArgumentCode, RefusalCode } from './refusal-codes.js';

/** The kind of a refusal. REST and GraphQL translate the kind, never the text. */
export type RefusalKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'invalid'
  | 'unknownField'
  | 'malformed'
  | 'unsupportedMediaType'
  | 'tooLarge'
  | 'conflict'
  | 'stale'
  | 'tooCostly'
  | 'busy';

/** An object that a file refers to but does not contain. The realm that receives the file may have it. */
export interface Missing {
  kind:
    | 'authenticationFlows'
    | 'authenticatorConfig'
    | 'clientRoles'
    | 'clients'
    | 'clientScopes'
    | 'groups'
    | 'identityProviders'
    | 'identityProviderMappers'
    | 'roles'
    | 'settings'
    | 'users';
  /** for client roles: the client */
  clientId?: string;
  /** whether the fault concerns only a new object: if the realm has the object, it has the missing part */
  isItself?: true;
}

/** One fault of an input. */
export interface Fault {
  /** path of the input field, indexes of lists included; undefined if no single field is at fault */
  path?: readonly string[] | undefined;
  message: string;
  /** whether the message states only the required value, without the field */
  isBare?: true;
  code?: RefusalCode | undefined;
  /** default: the kind of the refusal */
  kind?: RefusalKind;
  /** the permission that the caller lacks */
  permission?: string | undefined;
  /** the missing object, if that is the reason */
  missing?: Missing | undefined;
}

export interface RefusalDetails {
  /** path of the input field that is at fault, as the caller wrote it */
  field?: string;
  /** the reason, if programs can distinguish it from others of the same kind */
  code?: RefusalCode;
  /** all faults of the input, if there are more than this refusal states */
  faults?: readonly Fault[];
  /** the missing object, if that is the reason */
  missing?: Missing;
  /** the fault, if the field can be an argument of a read */
  argument?: ArgumentCode;
  /** the permission that the caller lacks for the operation itself, not for an object in the input */
  permission?: string;
  /** overrides the HTTP status of the kind if the contract has another one */
  status?: number;
  /** the member of the contract's body for this refusal: `errorMessage` or `error` (default by kind) */
  member?: 'error' | 'errorMessage';
  /** whether the same operation may succeed in a separate transaction that is not rolled back */
  isOfSharing?: true;
  /** whether the input has values of other types than the contract says: the reference server answers these with a fixed text, too */
  isUnreadable?: boolean;
  /** the secret that was guessed wrongly */
  guessed?: Guessed;
  /** the error in a login event */
  event?: string;
  /** whether answers name each fault with its place besides the message of the contract */
  tellsPlaces?: true;
  /** replaces the whole body, for answers such as OAuth errors with more members; null for an empty body */
  body?: Record<string, unknown> | null;
  /** headers of the answer that state the accepted values, by their names in lower case */
  headers?: Record<string, string>;
}

/** Maximum faults of an input that are reported one by one: a file can have a fault in each of a million entries. */
export const mostFaults = 1000;

/** The first of many faults, and the number of the others. */
function withinLimit(details: RefusalDetails): RefusalDetails {
  const { faults = [] } = details;
  const rest = faults.length - mostFaults;
  if (rest <= 0) return details;
  return { ...details, faults: [...faults.slice(0, mostFaults), { message: `And ${rest.toLocaleString('en')} more` }] };
}

/** A refused operation, with a message that the caller may see. Nothing was changed. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly details: RefusalDetails;

  constructor(kind: RefusalKind, message: string, details: RefusalDetails = {}) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.details = withinLimit(details);
  }
}

/** Everything that is wrong with an input that was refused: at least one fault. */
export const faultsOf = ({ message, details }: Refusal): readonly Fault[] => {
  const { faults, field, code, permission, missing } = details;
  return faults ?? [{ path: field?.split('.'), message, code, permission, missing }];
};

/** A fault at a place of a file; the path is empty for the whole file. */
export interface FaultAt {
  path: readonly string[];
  message: string;
}

/** The faults that answers to a refusal state besides its message; undefined for refusals without faults. */
export const toldFaults = (refusal: Refusal): FaultAt[] | undefined =>
  refusal.details.tellsPlaces && faultsOf(refusal).map(({ path = [], message }) => ({ path, message }));

/** The faults of all these refusals. */
export const allFaults = (refusals: readonly Refusal[]): Fault[] =>
  refusals.flatMap((refusal) => faultsOf(refusal).map((fault) => ({ kind: refusal.kind, ...fault })));

/** The first of these refusals, with the faults of all of them. Undefined if there are none. */
function joined(refusals: readonly Refusal[]): Refusal | undefined {
  const [first] = refusals;
  return first && new Refusal(first.kind, first.message, { ...first.details, faults: allFaults(refusals) });
}

/** Throws the first of these refusals, with the faults of all of them. Does nothing if there are none. */
export function refuseAll(refusals: readonly Refusal[]): void {
  const refusal = joined(refusals);
  if (refusal) throw refusal;
}

/** Refusals of the parts of one input, to be thrown together. */
export class Refusals {
  readonly #found: Refusal[] = [];
  /** the refusal that was thrown with the faults of all: around attempts within others it is not one more */
  #thrown: Refusal | undefined;

  get all(): readonly Refusal[] {
    return this.#found;
  }

  /** Keeps a refusal. Throws all of them when the maximum is exceeded. */
  add(refusal: Refusal): void {
    this.#found.push(refusal);
    if (this.#found.length > mostFaults) this.throwAll();
  }

  /** Returns the result of `run`; undefined if it throws a refusal, which is kept. */
  attempt<R>(run: () => R): R | undefined {
    try {
      return run();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  /** Like `attempt`, for asynchronous work. */
  async attemptLater<R>(run: () => Promise<R>): Promise<R | undefined> {
    try {
      return await run();
    } catch (error) {
      this.#keep(error);
      return undefined;
    }
  }

  #keep(error: unknown): void {
    if (!(error instanceof Refusal) || error === this.#thrown) throw error;
    this.add(error);
  }

  /** Throws the first refusal, with the faults of all. Does nothing if there are none. */
  throwAll(): void {
    this.#thrown = joined(this.#found);
    if (this.#thrown) throw this.#thrown;
  }
}

/** Runs all checks of an input and throws the first refusal among them, with the faults of all. */
export function requireAll(...checks: readonly (() => void)[]): void {
  refuseAll(
    checks.flatMap((check) => {
      try {
        check();
        return [];
      } catch (error) {
        if (error instanceof Refusal) return [error];
        throw error;
      }
    }),
  );
}

/** Refuses every entry of a list that was not found. `refuse` gets the index of the entry. */
export function requireEach(
  given: readonly (string | undefined)[],
  found: readonly string[],
  refuse: (place: string) => Refusal,
): void {
  const known = new Set<string | undefined>(found);
  refuseAll(given.flatMap((one, place) => (known.has(one) ? [] : refuse(String(place)))));
}

/** Refusal of an object that does not exist, or whose existence the caller must not learn. */
export const notFound = (message: string, field?: string): Refusal =>
  new Refusal('notFound', message, field === undefined ? {} : { field });
/** A row that must exist. Throws `notFound` with this message if it does not. */
export function found<R>(row: R | null, message: string): R {
  if (row === null) throw notFound(message);
  return row;
}
/** Refusal of a caller without a valid token. */
export const unauthenticated = (message = 'HTTP 401 Unauthorized'): Refusal => new Refusal('unauthenticated', message);
/** Refusal of a caller who lacks the permission. */
export const forbidden = (message = 'unknown_error', details: RefusalDetails = {}): Refusal =>
  new Refusal('forbidden', message, details);
/** Refusal of input that is wrong in the named field. */
export const invalid = (message: string, field?: string, details: RefusalDetails = {}): Refusal =>
  new Refusal('invalid', message, field === undefined ? details : { ...details, field });
/**
 * Refusal of a write that expects another version than the stored one; `field` is the field with the expected version.
 */
export const stale = (version: unknown, expected: number, field?: 'expectedVersion'): Refusal =>
  new Refusal(
    'stale',
    `The object was changed in the meantime: its version is ${version}, not ${expected}`,
    field && { field },
  );
/** Refusal of a request that may succeed when it is sent again: status 503. */
export const busy = (message: string, details: RefusalDetails = {}): Refusal => new Refusal('busy', message, details);
/** Refusal of a write that conflicts with the stored state. */
export const conflict = (message: string, field?: string, code?: RefusalCode): Refusal =>
  new Refusal('conflict', message, { ...(field !== undefined && { field }), ...(code && { code }) });
