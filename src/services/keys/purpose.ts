import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

interface Purpose {
  /**
   * value of the claim `typ` of these tokens; undefined for notices for adapters, user info, answers, and permission
   * tickets
   */
  readonly type: string | undefined;
  /** claim with the URL of the realm that issued the token; default: `iss` */
  readonly issuerClaim?: 'iss' | 'aud';
  /** the verifiers of these tokens: only this server, or everybody with the public keys of the realm */
  readonly readBy: 'server' | 'everybody';
}

/** The purposes of the tokens that a realm signs. A token is accepted only for its own purpose. */
export const purposes = {
  access: { type: 'Bearer', readBy: 'everybody' },
  id: { type: 'ID', readBy: 'everybody' },
  logout: { type: 'Logout', readBy: 'everybody' },
  userInfo: { type: undefined, readBy: 'everybody' },
  authorizationResponse: { type: undefined, readBy: 'everybody' },
  adapterAction: { type: undefined, readBy: 'everybody' },
  docker: { type: undefined, readBy: 'everybody' },
  refresh: { type: 'Refresh', readBy: 'server' },
  offline: { type: 'Offline', readBy: 'server' },
  identity: { type: 'Serialized-ID', readBy: 'server' },
  'verify-email': { type: 'verify-email', readBy: 'server' },
  'execute-actions': { type: 'execute-actions', readBy: 'server' },
  'reset-credentials': { type: 'reset-credentials', readBy: 'server' },
  'idp-verify-account-via-email': { type: 'idp-verify-account-via-email', readBy: 'server' },
  initialAccess: { type: 'InitialAccessToken', readBy: 'server' },
  registrationAccess: { type: 'RegistrationAccessToken', readBy: 'server' },
  dpopNonce: { type: 'DPoP-Nonce', readBy: 'server' },
  permissionTicket: { type: undefined, issuerClaim: 'aud', readBy: 'server' },
} as const satisfies Record<string, Purpose>;

/**
 * The claim with the row ID of the client that a token was issued to: another client may get the clientId of a deleted
 * one.
 */
export const clientClaim = 'azp_id';

/** The purpose of a token. */
export type PurposeName = keyof typeof purposes;

/** The purposes whose tokens only this server verifies. */
export type ServerPurpose = {
  [Name in PurposeName]: (typeof purposes)[Name]['readBy'] extends 'server' ? Name : never;
}[PurposeName];

/** The purposes whose tokens clients and resource servers verify. */
export type PublicPurpose = Exclude<PurposeName, ServerPurpose>;

/** The algorithm of tokens that only this server verifies, RFC 7518 section 3.2. */
export const serverAlgorithm = 'HS256';

/** Whether only this server verifies tokens of this purpose. */
export const isServerPurpose = (purpose: PurposeName): purpose is ServerPurpose =>
  purposes[purpose].readBy === 'server';

/** The claim of tokens of this purpose with the URL of their realm. */
export const issuerClaim = (purpose: PurposeName): 'iss' | 'aud' => {
  const { issuerClaim: named = 'iss' }: Purpose = purposes[purpose];
  return named;
};

const derived = new WeakMap<KeyObject, Map<ServerPurpose, KeyObject>>();

/**
 * The key of one purpose, derived from the HMAC secret of the realm (HKDF, RFC 5869). Tokens of another purpose do not
 * verify under it. Neither do tokens that a client has signed with the secret itself.
 */
export function purposeKey(secret: KeyObject, purpose: ServerPurpose): KeyObject {
  const known = derived.get(secret) ?? new Map<ServerPurpose, KeyObject>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? createSecretKey(Buffer.from(derivedBytes(secret, purpose)));
  known.set(purpose, key);
  return key;
}

const derivedBytes = (secret: KeyObject, purpose: ServerPurpose): ArrayBuffer =>
  hkdfSync('sha256', secret, '', `token ${purpose}`, 32);
