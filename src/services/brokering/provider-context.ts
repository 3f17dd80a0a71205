import type { FetchPublic } from '../core/fetch-public.js';
import type { Keyring } from '../core/ports.js';
import type { ClientKeys } from '../tokens/types.js';

/** Where a SAML provider is described: an address, and its entity ID there; undefined if the metadata has to describe one provider only. */
export interface MetadataSource {
  url: string;
  entityId: string | undefined;
}

/** The description of a SAML provider in its metadata. */
export interface PublishedProvider {
  entityId: string;
  /** with which it signs, as base64 of the DER form */
  certificates: readonly string[];
  /** seconds since 1970; undefined for no end */
  validUntil: number | undefined;
}

/**
 * Reads the description of a SAML provider from its metadata. `outdated` is a description without the key of a message: the
 * metadata is fetched again then, unless that was done just now. Throws `UpstreamFailure`.
 */
export type PublishedMetadata = (
  source: MetadataSource,
  options?: { outdated: PublishedProvider },
) => Promise<PublishedProvider>;

/** The parts of the process that requests to identity providers use. */
export interface Upstream {
  readonly fetchPublic: FetchPublic;
  readonly keyring: Keyring;
  readonly publishedKeys: (url: string) => ClientKeys;
  readonly publishedMetadata: PublishedMetadata;
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
