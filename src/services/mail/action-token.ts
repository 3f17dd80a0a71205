import { randomUUID } from 'node:crypto';
import type { Database, Db } from '../../database/db.js';
import { numberOf, textsOf } from '../core/json.js';
import type { Keyring } from '../core/ports.js';
import { storableTime } from '../core/storable-time.js';
import { signServerToken } from '../keys/sign.js';
import { verifiedToken } from '../tokens/signature.js';

/** The kinds of links that are sent by mail. */
export const actionTokenTypes = [
  'verify-email',
  'execute-actions',
  'reset-credentials',
  'idp-verify-account-via-email',
] as const;

export type ActionTokenType = (typeof actionTokenTypes)[number];

/** The action that the link of a mail allows. */
export interface ActionToken {
  type: ActionTokenType;
  id: string;
  userId: string;
  /** the address that the mail was sent to: only this one is verified by it */
  email: string;
  actions: string[];
  clientId: string;
  redirectUri: string | undefined;
  /** the password and address that the user had, see `accountMark` */
  mark: string;
  /** the login that requested it and continues in the same browser */
  tab?: string | undefined;
  /** seconds since 1970 */
  expires: number;
}

interface Issuing {
  keyring: Keyring;
  /** milliseconds since 1970 */
  now(): number;
}

interface Realm {
  id: string;
  name: string;
}

const purpose = 'action token';

/** Signs the token of a link with the key that only the realm has. `lifespan` is in seconds. */
export async function issueActionToken(
  { keyring, now }: Issuing,
  realm: Realm,
  baseUrl: string,
  lifespan: number,
  token: Omit<ActionToken, 'id' | 'expires'>,
): Promise<string> {
  const issuer = `${baseUrl}/realms/${encodeURIComponent(realm.name)}`;
  const at = Math.floor(now() / 1000);
  const id = randomUUID();
  const claims = {
    exp: storableTime(at + lifespan),
    iat: at,
    jti: id,
    nonce: id,
    iss: issuer,
    aud: issuer,
    sub: token.userId,
    azp: token.clientId,
    eml: token.email,
    rqac: token.actions,
    mrk: token.mark,
    ...(token.redirectUri !== undefined && { reduri: token.redirectUri }),
    ...(token.tab !== undefined && { asid: token.tab }),
  };
  return signServerToken({ keyring }, realm, { purpose: token.type, claims });
}

/** The reason why a link is not accepted. */
export type BadLink = 'invalid_code' | 'expired_code';

/** Reads the token of a link. `useActionToken` checks whether it was used. */
export async function readActionToken(
  { keyring, now }: Issuing,
  realm: Realm,
  text: string,
): Promise<ActionToken | BadLink> {
  const verified = await verifiedToken({ keyring }, realm, actionTokenTypes, text);
  if (!verified) return 'invalid_code';
  const { claims, purpose: type } = verified;
  const { jti, sub, eml, azp, reduri, asid, mrk } = claims;
  if (typeof jti !== 'string' || typeof sub !== 'string') return 'invalid_code';
  const expires = numberOf(claims, 'exp', 0);
  if (expires <= Math.floor(now() / 1000)) return 'expired_code';
  return {
    type,
    id: jti,
    userId: sub,
    email: typeof eml === 'string' ? eml : '',
    actions: textsOf(claims.rqac),
    clientId: typeof azp === 'string' ? azp : '',
    redirectUri: typeof reduri === 'string' ? reduri : undefined,
    mark: typeof mrk === 'string' ? mrk : '',
    tab: typeof asid === 'string' ? asid : undefined,
    expires,
  };
}

const rowId = ({ id }: ActionToken): string => `${purpose} ${id}`;

/** Marks a link as used, in the transaction of its action. False if it was used before. */
export async function useActionToken(tx: Db, realm: Realm, token: ActionToken): Promise<boolean> {
  const row = { id: rowId(token), realmId: realm.id, purpose, expiresAt: storableTime(token.expires + 1) };
  return (await tx.insertNew('OneTimeToken', [row])) > 0;
}

/** Whether a link was used. */
export async function isUsed({ database }: { database: Database }, token: ActionToken): Promise<boolean> {
  return (await database.read.oneTimeToken.count({ where: { id: rowId(token), purpose } })) > 0;
}
