/** An error of a request, as the server sends it. */
export interface ServerError {
  message: string;
  /** Path of the field in the data. */
  path?: readonly (string | number)[];
  extensions?: { code?: string } & Record<string, unknown>;
}

/** What the server answers to a request. */
export interface ServerAnswer {
  data?: unknown;
  errors?: readonly ServerError[];
}

/**
 * Thrown if the answer of the server has errors, or is not an answer of GraphQL. Errors in the input of a mutation are not
 * thrown: they are `userErrors` in its data.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** HTTP status of the answer. */
  readonly status: number;
  /** All errors, in the order in which the server sent them. */
  readonly errors: readonly ServerError[];
  /** Data of the fields without an error. Null if there are none. */
  readonly data: unknown;

  constructor(status: number, { data = null, errors = [] }: ServerAnswer) {
    super(errors.map(({ message }) => message).join('; ') || `The server answered with the HTTP status ${status}`);
    this.status = status;
    this.errors = errors;
    this.data = data;
  }

  /** Code of the first error, e.g. `FORBIDDEN`, `UNAUTHENTICATED`, `BAD_ID`, or `BUSY`. */
  get code(): string | undefined {
    return this.errors[0]?.extensions?.code;
  }

  /** Path of the field of the first error. */
  get path(): readonly (string | number)[] | undefined {
    return this.errors[0]?.path;
  }
}

/** Thrown if a subscription loses its connection and cannot be continued. `cause` is the error of the connection. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}
