import { randomBytes } from 'node:crypto';
import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { TokenUser } from '../../tokens/types.js';
import type { Attempt, Page } from '../attempt.js';
import { answerIn, keysOfUser, transportsIn } from './key.js';
import { type KeyType, keyPolicy } from './policy.js';

/** The page on which a user registers a security key. Its challenge is kept with the login. */
export function registrationPage({ realm, browser, kept }: Attempt, user: TokenUser, type: KeyType): Page {
  const policy = keyPolicy(realm, type, browser.baseUrl);
  kept.state.challenge = randomBytes(32).toString('base64url');
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const selection = {
    ...(policy.attachment && { authenticatorAttachment: policy.attachment }),
    ...(policy.residentKey && {
      residentKey: policy.residentKey,
      requireResidentKey: policy.residentKey === 'required',
    }),
    ...(policy.userVerification && { userVerification: policy.userVerification }),
  };
  const options = {
    challenge: kept.state.challenge,
    rp: { id: policy.rpId, name: policy.rpName },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.username,
      displayName: fullName || user.username,
    },
    pubKeyCredParams: policy.algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: selection,
    ...(policy.timeout !== undefined && { timeout: policy.timeout }),
    ...(policy.attestation && { attestation: policy.attestation }),
    excludeCredentials: policy.avoidsSame
      ? keysOfUser(user, type).map(({ credentialId }) => ({ type: 'public-key', id: credentialId }))
      : [],
  };
  return { name: 'registerKey', options: JSON.stringify(options), isPasswordless: type === 'webauthn-passwordless' };
}

/**
 * The public data of the key that a user has registered, as credentials store it; undefined if the answer of the browser does
 * not belong to this login, or the key is not one that the policy allows.
 */
export async function registeredKey(
  { realm, browser, kept }: Attempt,
  type: KeyType,
  form: URLSearchParams,
): Promise<string | undefined> {
  const { challenge } = kept.state;
  const answer = answerIn(form);
  delete kept.state.challenge;
  if (!answer || challenge === undefined) return undefined;
  const policy = keyPolicy(realm, type, browser.baseUrl);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: policy.origin,
      expectedRPID: policy.rpId,
      requireUserVerification: policy.userVerification === 'required',
      supportedAlgorithmIDs: policy.algorithms,
    });
    if (!verified) return undefined;
    const { aaguid, credential, fmt } = registrationInfo;
    if (policy.aaguids.length > 0 && !policy.aaguids.includes(aaguid.toLowerCase())) return undefined;
    if (policy.attestation === 'direct' && fmt === 'none') return undefined;
    return JSON.stringify({
      aaguid,
      credentialId: credential.id,
      counter: credential.counter,
      credentialPublicKey: Buffer.from(credential.publicKey).toString('base64url'),
      attestationStatementFormat: fmt,
      transports: transportsIn(credential.transports),
    });
  } catch {
    return undefined;
  }
}
