/**
 * An address of the service without the prefix `/auth`. The same endpoint can be reached with and without it (`ADDRESS_PREFIX`), so
 * proofs and assertions may name either.
 */
export const withoutPrefix = (address: string): string =>
  address.replace(/^(https?:\/\/[^/]+)\/auth(?=\/(?:realms|admin)\/)/, '$1');
