import { randomUUID } from 'node:crypto';
import { members, numberOf } from '../core/json.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { algorithmAmong } from '../keys/jws.js';
import { encryptedFor, isEncrypted } from '../tokens/client-encryption.js';
import { signForClient } from '../tokens/client-signature.js';
import { issuerOf, seconds } from '../tokens/context.js';
import type { TokenClient } from '../tokens/types.js';
import type { Browser, LoginSite } from './attempt.js';
import { outOfBand } from './redirect-uri.js';
import { PageRefusal } from './refusals.js';
import type { AnswerAddress } from './request.js';

/**
 * Whether responses to a client, or to all of a realm, lack the issuer: adapters of older versions of Keycloak leave a parameter that
 * they do not know in the address of the application.
 */
export const excludesIssuer = ({ attributes }: { attributes: unknown }): boolean =>
  members(attributes)['exclude.issuer.from.auth.response'] === 'true';

/** Who answers an authorization request, and which client is answered. */
export interface Answering {
  readonly tokens: LoginSite['tokens'];
  readonly realm: RealmRecord;
  readonly client: TokenClient;
  readonly browser: Pick<Browser, 'baseUrl'>;
}

/**
 * The parameters of an answer to an authorization request: with the issuer, so that a client of several servers does not mix
 * them up (RFC 9207), or as one token, as the client asked (JARM section 2). `isLoggedIn`: whether a user has logged in for it,
 * so that the realm may get a key that it lacks. Throws a page for a token that cannot be made: nothing is sent without protection.
 */
export async function answerParameters(
  { tokens, realm, client, browser }: Answering,
  to: AnswerAddress,
  parameters: Record<string, string>,
  { isLoggedIn }: { isLoggedIn: boolean },
): Promise<Record<string, string>> {
  const issuer = issuerOf(browser.baseUrl, realm.name);
  const attributes = members(client.attributes);
  if (!to.isToken) {
    const isLeftOut = to.namesIssuer ? false : excludesIssuer(realm) || excludesIssuer(client);
    return isLeftOut || to.redirectUri === outOfBand ? parameters : { ...parameters, iss: issuer };
  }
  const now = seconds(tokens);
  const lifespan = Math.max(1, numberOf(realm.settings, 'accessCodeLifespan', 60));
  const claims = {
    ...parameters,
    iss: issuer,
    aud: client.clientId,
    iat: now,
    exp: now + lifespan,
    jti: randomUUID(),
  };
  const own = attributes['authorization.signed.response.alg'];
  const algorithm = algorithmAmong(own, realm.settings.defaultSignatureAlgorithm);
  const token = { purpose: 'authorizationResponse', algorithm, claims } as const;
  const what = 'authorization.encrypted.response';
  try {
    const signed = await signForClient(tokens, realm, client, token, { mayGenerate: isLoggedIn });
    return { response: isEncrypted(client, what) ? await encryptedFor(tokens, client, what, signed, 'JWT') : signed };
  } catch (error) {
    if (error instanceof Refusal && error.details.body) throw new PageRefusal(400, 'invalidParameter', 'response_mode');
    throw error;
  }
}
