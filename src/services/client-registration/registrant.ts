import type { Caller } from '../core/caller.js';
import type { Services } from '../core/context.js';
import { numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { verifiedToken } from '../tokens/signature.js';
import type { Bearer, BearerVerifier } from '../tokens/verify.js';
import { unauthorized } from './faults.js';
import type { PolicySet } from './registration-token.js';

/** By what a request for registration is let in. */
export interface Registrant {
  kind: 'anonymous' | 'initial' | 'registration' | 'bearer' | 'client';
  /** which of the realm's policies it is held to */
  policies: PolicySet;
  /** `jti` of an initial or registration access token */
  tokenId: string;
}

/** Who asks for a registration, with the caller that this makes of the sender. */
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
 * Who sends a request by its Authorization header: the bearer of an access token, of an initial or registration access
 * token of the realm, or nobody. Refuses (401) a token that is not, or no longer, good.
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
