import { randomBytes } from 'node:crypto';
import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { lockOf } from '../../attack-detection/login.js';
import { members } from '../../core/json.js';
import { inUnitOfWork } from '../../core/unit-of-work.js';
import { findUserById, upToDate } from '../../tokens/parties.js';
import type { TokenUser } from '../../tokens/types.js';
import { storedUsername } from '../../users/usernames.js';
import { type Attempt, attemptFailed, loginFailed, type Page, requireFewFailures } from '../attempt.js';
import { goOnAs, requireSameUser } from '../login-user.js';
import type { Notice } from '../texts.js';
import { answerIn, keysOfUser, type StoredKey } from './key.js';
import { type KeyPolicy, type KeyType, keyPolicy } from './policy.js';

/** The page on which a user logs in with a security key. */
export const keyPage = (attempt: Attempt, type: KeyType, mayPassBy: boolean): Page => ({
  name: 'useKey',
  options: keyOptions(attempt, type),
  mayPassBy,
});

/**
 * The options with which a browser asks for a security key, as JSON. Their challenge is kept with the login. As long as nobody has proved who it is, no
 * keys are named: that would tell which users have some.
 */
export function keyOptions({ realm, browser, kept, user }: Attempt, type: KeyType): string {
  const policy = keyPolicy(realm, type, browser.baseUrl);
  kept.state.challenge = randomBytes(32).toString('base64url');
  const known = user ? keysOfUser(user, type) : [];
  const options = {
    challenge: kept.state.challenge,
    rpId: policy.rpId,
    ...(policy.userVerification && { userVerification: policy.userVerification }),
    ...(policy.timeout !== undefined && { timeout: policy.timeout }),
    allowCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      ...(transports.length > 0 && { transports }),
    })),
  };
  return JSON.stringify(options);
}

/** The user whom a key names by its user handle, and who has not typed another name. */
async function userOfHandle({ tokens, realm, kept }: Attempt, handle: unknown): Promise<TokenUser | undefined> {
  if (typeof handle !== 'string') return undefined;
  const found = await findUserById(
    tokens,
    realm,
    Buffer.from(handle, 'base64url').toString('utf8').replaceAll('\0', ''),
  );
  if (!found) return undefined;
  const { username } = kept.state;
  const isTyped = username === undefined || [found.username, found.email].includes(storedUsername(username));
  return isTyped ? found : undefined;
}

async function usedKey(
  policy: KeyPolicy,
  challenge: string,
  answer: Record<string, unknown>,
  key: StoredKey,
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: policy.origin,
      expectedRPID: policy.rpId,
      requireUserVerification: policy.userVerification === 'required',
      credential: { id: key.credentialId, publicKey: key.publicKey, counter: key.counter },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the answer of a security key. The answer is the same for unknown users, unknown keys, and wrong signatures. */
export async function takeKey(attempt: Attempt, type: KeyType, form: URLSearchParams): Promise<Notice | undefined> {
  const { services, realm, tokens, browser, kept } = attempt;
  const { state } = kept;
  const { challenge } = state;
  delete state.challenge;
  const answer = answerIn(form);
  if (!answer || challenge === undefined) return { key: 'webauthnFailed' };
  const user = attempt.user ?? (await userOfHandle(attempt, members(answer.response).userHandle));
  const name = user?.username ?? state.username ?? '';
  requireFewFailures(attempt, 'user', name);
  const key = user && keysOfUser(user, type).find(({ credentialId }) => credentialId === answer.id);
  const lock = user && (await lockOf(services.database.read, realm, user, services.now()));
  const policy = keyPolicy(realm, type, browser.baseUrl);
  const counter = key && !lock ? await usedKey(policy, challenge, answer, key) : undefined;
  const present = counter === undefined || !user ? undefined : await upToDate(tokens, realm, user);
  if (!present || !key || counter === undefined) {
    attemptFailed(attempt, 'user', name);
    await loginFailed(user ? { ...attempt, user } : attempt, lock ?? 'invalid_user_credentials');
    return { key: 'webauthnFailed' };
  }
  if (!present.enabled) {
    await loginFailed({ ...attempt, user: present }, 'user_disabled');
    return { key: 'accountDisabledMessage' };
  }
  await requireSameUser(attempt, present);
  if (!(await keepCounter(attempt, present, key, counter))) return { key: 'webauthnFailed' };
  goOnAs(attempt, present);
  state.username = present.username;
  return undefined;
}

/** Keeps the counter of a key. False if another login has used the key in the meantime: it may be a copy. */
async function keepCounter(
  { services, realm }: Attempt,
  { id: userId, credentials }: TokenUser,
  key: StoredKey,
  counter: number,
): Promise<boolean> {
  const stored = credentials.find(({ id }) => id === key.id)?.credentialData;
  if (stored === undefined || counter === key.counter) return stored !== undefined;
  const credentialData = JSON.stringify({ ...members(JSON.parse(stored)), counter });
  return inUnitOfWork(services, async ({ tx, changed }) => {
    const where = { id: key.id, userId, credentialData: stored };
    const { count } = await tx.credential.updateMany({ where, data: { credentialData } });
    await changed({ realmId: realm.id, operation: 'user.keyUsed', touches: [`user:${userId}`] });
    return count > 0;
  });
}
