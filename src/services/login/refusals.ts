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

  constructor(error: string, description = '') {
    super(description);
    this.name = 'ClientRefusal';
    this.error = error;
  }
}
