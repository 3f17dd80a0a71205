/** Names of OpenSSL for a certificate of an unknown authority. */
const codes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether the code of an error states that the authority of a certificate is unknown. */
export const isUnknownAuthority = (code: unknown): boolean => codes.has(String(code));
