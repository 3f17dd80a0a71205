import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { lockRows } from '../../database/locks.js';
import { members, numberOf, textsOf } from '../core/json.js';
import { placeOfCredential } from '../core/sealed-columns.js';
import { inUnitOfWork } from '../core/unit-of-work.js';
import type { TokenUser } from '../tokens/types.js';
import type { ActionName } from './action-names.js';
import type { Attempt, Page } from './attempt.js';
import { recoveryCodes } from './flow-steps.js';
import { setUpCredential } from './perform-action.js';
import type { Notice } from './texts.js';

const action: ActionName = 'CONFIGURE_RECOVERY_AUTHN_CODES';
/** Letters and digits that are not mistaken for each other. */
const letters = 'ABCDEFGHIJKLMNPQRSTUVWXYZ123456789';
const count = 12;
/** 61 bits of a code: the hash needs no salt and no work */
const length = 12;
const mostLength = 100;

/** A code that was not used yet, as credentials store it. */
interface StoredCode {
  number: number;
  /** base64 */
  encodedHashedValue: string;
}

const newCode = (): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
const hashOf = (code: string): string => createHash('sha512').update(code).digest('base64');
const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The page with new codes. They are kept with the login until the user has confirmed them. */
export function newCodesPage({ kept: { state } }: Attempt): Page {
  state.newCodes ??= Array.from({ length: count }, newCode);
  return { name: 'newCodes', codes: state.newCodes };
}

/** Takes the confirmation that the user has kept the new codes. They replace those from before. */
export async function takeNewCodes(
  attempt: Attempt,
  user: TokenUser,
  form: URLSearchParams,
): Promise<Notice | undefined> {
  const { state } = attempt.kept;
  const { newCodes: codes } = state;
  if (codes === undefined) return { key: 'pageExpired' };
  if (form.get('saved') !== 'on') return { key: 'recoveryCodesNotSaved', field: 'saved' };
  const stored = codes.map((code, index): StoredCode => ({ number: index + 1, encodedHashedValue: hashOf(code) }));
  const credentialData = dataOf(codes.length, codes.length);
  const secretData = JSON.stringify({ codes: stored });
  const set = { type: recoveryCodes, credentialData, secretData, isOnly: true };
  const notice = await setUpCredential(attempt, user, action, 'CUSTOM_REQUIRED_ACTION', set);
  if (!notice) delete state.newCodes;
  return notice;
}

/** Public data of the credential, in the form that databases of newer versions of Keycloak have. */
const dataOf = (remaining: number, total: number): string =>
  JSON.stringify({ hashIterations: null, algorithm: 'RS512', remaining, total });

interface KeptCodes {
  id: string;
  credentialData: string;
  codes: StoredCode[];
}

/** The codes that a user has left. */
function codesOf({ services: { sealer } }: Attempt, { id: userId, credentials }: TokenUser): KeptCodes | undefined {
  const kept = credentials.find(({ type }) => type === recoveryCodes);
  if (!kept) return undefined;
  const { id, credentialData } = kept;
  const secret = members(JSON.parse(sealer.open(kept.secretData, placeOfCredential({ id, userId }))));
  const codes = (Array.isArray(secret.codes) ? secret.codes : []).map(members).map((code) => ({
    number: numberOf(code, 'number', 0),
    encodedHashedValue: String(code.encodedHashedValue),
  }));
  return { id, credentialData, codes };
}

/** The page that asks for the next code of the user. */
export function codePage(attempt: Attempt, mayPassBy: boolean): Page {
  const next = attempt.user && codesOf(attempt, attempt.user)?.codes[0];
  return { name: 'recoveryCode', number: next?.number ?? 1, mayPassBy };
}

/**
 * Whether a text is the next code of the user. It is used up by that, also for another login at the same moment. After the last one the
 * user has to set up new ones.
 */
export async function spendCode(attempt: Attempt, user: TokenUser, text: string): Promise<boolean> {
  const kept = codesOf(attempt, user);
  const [next, ...rest] = kept?.codes ?? [];
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  if (!kept || !next || code.length > mostLength || !isSame(hashOf(code), next.encodedHashedValue)) return false;
  const { services, realm } = attempt;
  const { id, credentialData } = kept;
  const userId = user.id;
  const data = members(JSON.parse(credentialData));
  const total = numberOf(data, 'total', numberOf(data, 'totalCodes', count));
  const secretData = services.sealer.seal(JSON.stringify({ codes: rest }), placeOfCredential({ id, userId }));
  return inUnitOfWork(services, async ({ tx, changed }) => {
    await lockRows(tx, 'User', [userId]);
    const where = { id, userId, credentialData };
    const { count } =
      rest.length === 0
        ? await tx.credential.deleteMany({ where })
        : await tx.credential.updateMany({ where, data: { credentialData: dataOf(rest.length, total), secretData } });
    if (count > 0 && rest.length === 0) {
      const present = await tx.user.findFirst({ where: { id: userId }, select: { requiredActions: true } });
      const requiredActions = [...new Set([...textsOf(present?.requiredActions), action])];
      await tx.user.updateMany({ where: { id: userId }, data: { requiredActions, version: { increment: 1 } } });
      attempt.user = { ...user, requiredActions };
    }
    await changed({ realmId: realm.id, operation: 'user.recoveryCodeUsed', touches: [`user:${userId}`] });
    return count > 0;
  });
}
