import type { MessageKey } from './messages-en.js';

/** A login that cannot go on, told to the user on a page: the client is not known well enough to be told. */
export class PageRefusal extends Error {
  readonly status: number;
  readonly key: MessageKey;
  readonly parameters: readonly string[];

  constructor(status: number, key: MessageKey, ...parameters: string[]) {
    super(key);
    this.name = 'PageRefusal';
    this.status = status;
    this.key = key;
    this.parameters = parameters;
  }
}

/** An error that the client is told of through the browser, RFC 6749 section 4.1.2.1. */
export class ClientRefusal extends Error {
  readonly error: string;
  /** the parameters of a request that the client has signed, although it was refused */
  readonly signed: URLSearchParams | undefined;

  constructor(error: string, description = '', signed?: URLSearchParams) {
    super(description);
    this.name = 'ClientRefusal';
    this.error = error;
    this.signed = signed;
  }
}

/** Error of a login that cannot have, or has not reached, the level that the client asks for (OpenID Connect Core Unmet Authentication Requirements 1.0). */
export const unmetLevel = 'unmet_authentication_requirements';

/** The refusal of a login that cannot have, or has not reached, the level that the client asks for. */
export const levelNotReached = (): ClientRefusal => new ClientRefusal(unmetLevel, 'The requested acr is not supported');
