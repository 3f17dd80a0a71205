import type { Caller } from '../core/caller.js';
import type { Services } from '../core/context.js';
import { numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { verifiedToken } from '../tokens/signature.js';
import type { Bearer, BearerVerifier } from '../tokens/verify.js';
import { unauthorized } from './faults.js';
import type { PolicySet } from './registration-token.js';

/** The authentication of a registration request. */
export interface Registrant {
  kind: 'anonymous' | 'initial' | 'registration' | 'bearer' | 'client';
  /** the policies of the realm that apply */
  policies: PolicySet;
  /** `jti` of an initial or registration access token */
  tokenId: string;
}

/** The sender of a registration request: its authentication and the caller for permissions. */
export interface Entrant {
  by: Registrant;
  caller: Caller;
}

/** The purposes of the tokens with which clients are registered. */
const accepted = ['initialAccess', 'registrationAccess', 'access'] as const;

const undecodable = (): Refusal => unauthorized('Failed decode token');

const nobody = (realm: RealmRecord, registration: NonNullable<Caller['registration']>): Caller => ({
  userId: '',
  realmId: realm.id,
  realmName: realm.name,
  clientId: '',
  tokenRoles: {},
  realmRoles: [],
  registration,
});

/**
 * Finds the sender of a request by its Authorization header: the bearer of an access token, of an initial or
 * registration access token of the realm, or nobody. Refuses (401) an invalid or expired token.
 */
export async function entrantOf(
  { keyring, now }: Pick<Services, 'keyring' | 'now'>,
  verifier: BearerVerifier,
  callerOf: (bearer: Bearer) => Caller,
  realm: RealmRecord,
  authorization: string | undefined,
): Promise<Entrant> {
  const anonymous = { kind: 'anonymous', policies: 'anonymous', tokenId: '' } as const;
  const token = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) return { by: anonymous, caller: nobody(realm, 'ByAnonymous') };
  const verified = await verifiedToken({ keyring }, realm, accepted, token);
  if (!verified) throw undecodable();
  const { claims, purpose } = verified;
  const expires = numberOf(claims, 'exp', 0);
  if (expires > 0 && expires * 1000 <= now()) throw undecodable();
  const tokenId = typeof claims.jti === 'string' ? claims.jti : '';
  switch (purpose) {
    case 'initialAccess': {
      const by = { kind: 'initial', policies: 'authenticated', tokenId } as const;
      return { by, caller: nobody(realm, 'ByInitialAccessToken') };
    }
    case 'registrationAccess': {
      const policies = claims.registration_auth === 'anonymous' ? 'anonymous' : 'authenticated';
      return { by: { kind: 'registration', policies, tokenId }, caller: nobody(realm, 'ByRegistrationAccessToken') };
    }
    case 'access':
      return {
        by: { kind: 'bearer', policies: 'authenticated', tokenId },
        caller: callerOf(await bearerOf(verifier, realm, token)),
      };
  }
}

async function bearerOf(verifier: BearerVerifier, realm: RealmRecord, token: string): Promise<Bearer> {
  try {
    const bearer = await verifier.verifyBearer(token);
    if (bearer.realmId === realm.id) return bearer;
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'unauthenticated') throw error;
  }
  throw undecodable();
}
