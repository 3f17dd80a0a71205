import type { FetchPublic } from '../core/fetch-public.js';
import type { Keyring } from '../core/ports.js';
import type { ClientKeys } from '../tokens/types.js';

/**
 * The certificates with which a SAML provider signs, by the address of its metadata, as base64 of the DER form. `isOutdated` is an answer in
 * which the key of a message was missing: the metadata is fetched again then, unless that was done just now. Throws `UpstreamFailure`.
 */
export type PublishedCertificates = (
  url: string,
  options?: { isOutdated: readonly string[] },
) => Promise<readonly string[]>;

/** The parts of the process that requests to identity providers use. */
export interface Upstream {
  readonly fetchPublic: FetchPublic;
  readonly keyring: Keyring;
  readonly publishedKeys: (url: string) => ClientKeys;
  readonly publishedCertificates: PublishedCertificates;
  readonly realm: { id: string; name: string };
  /** scheme, host, and base path of this server */
  readonly baseUrl: string;
  readonly now: () => number;
}

/** A text of somebody else for logs and events, without control characters. */
const shortened = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed();

/** The provider has refused a login, or its answer is not accepted. The reason is for the log and the event, not for pages. */
export class UpstreamFailure extends Error {
  /** error code of the provider (RFC 6749 section 4.1.2.1), if it sent one */
  readonly error: string | undefined;

  constructor(reason: string, error?: string) {
    super(shortened(reason, 300));
    this.name = 'UpstreamFailure';
    this.error = error === undefined ? undefined : shortened(error, 100);
  }
}
