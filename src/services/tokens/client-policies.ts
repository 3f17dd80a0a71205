import { decodeProtectedHeader } from 'jose';
import { answerUnder, demandsOf, hasPolicies, objectionTo } from '../client-policies/apply.js';
import type { Occasion } from '../client-policies/conditions.js';
import type { AnswerDemand, Objection, RequestObject } from '../client-policies/executor.js';
import { accessTypeOf } from '../client-policies/occasion.js';
import { rolesOfClient } from '../client-policies/store.js';
import { authenticatorOf } from './client-authentication.js';
import { isCertificateBound } from './client-certificate.js';
import { seconds, type TokenContext } from './context.js';
import { hasNonce, nonceWanted } from './dpop-nonce.js';
import { oauthError } from './oauth-error.js';
import type { TokenRequest } from './token-request.js';
import type { TokenClient, TokenRealm } from './types.js';

/** The occasion of a request of a client, with the client scopes that it names. */
function requestOf({ database }: TokenContext, client: TokenClient, parameters: URLSearchParams): Occasion {
  const named = (parameters.get('scope') ?? '').split(' ');
  const ofClient = (optional: boolean) =>
    client.scopes.filter((scope) => scope.optional === optional).map(({ clientScope }) => clientScope.name);
  return {
    accessType: accessTypeOf(client),
    roles: rolesOfClient(database.read, client.id),
    scopes: { Default: ofClient(false), Optional: ofClient(true).filter((name) => named.includes(name)) },
  };
}

function algorithmOf(assertion: string | null): string | undefined {
  try {
    return assertion === null ? undefined : decodeProtectedHeader(assertion).alg;
  } catch {
    return undefined;
  }
}

/**
 * Refuses a request of a client that the client policies of the realm do not allow, as OAuth words it. Returns their demands on the
 * answer.
 */
export async function checkTokenRequest(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  { form, findCertificate, proof }: Pick<TokenRequest, 'form' | 'findCertificate' | 'proof'>,
  kind: 'token' | 'backchannel' = 'token',
): Promise<AnswerDemand> {
  if (!hasPolicies(realm)) return {};
  const request = {
    kind,
    isPublic: client.publicClient,
    authenticator: authenticatorOf(client),
    parameters: form,
    isCertificateBound: isCertificateBound(client) && findCertificate?.() !== undefined,
    assertionAlgorithm: algorithmOf(form.get('client_assertion')),
    proof: proof === undefined ? undefined : { hasNonce: hasNonce(proof) },
  } as const;
  const demands = await demandsOf(realm, requestOf(context, client, form));
  const objection = objectionTo(demands, request);
  if (objection?.error === 'use_dpop_nonce') throw await nonceWanted(context, realm);
  if (objection) throw oauthError(400, objection.error, objection.text);
  return answerUnder(demands);
}

/** A request for an authorization. */
interface AskedAuthorization {
  sent: URLSearchParams;
  asked: URLSearchParams;
  object?: RequestObject | undefined;
  /** whether the client pushes it, or has pushed it */
  isPushed: boolean;
}

/**
 * What the client policies of the realm make of a request for an authorization: why they refuse it, or what they demand of the answer.
 * `sent` is the request as it came, `asked` its parameters with those of the request object, and `object` that object.
 */
export async function authorizationByPolicies(
  context: TokenContext,
  realm: Pick<TokenRealm, 'id'> & { settings: unknown },
  client: TokenClient,
  { sent, asked, object, isPushed }: AskedAuthorization,
): Promise<{ objection?: Objection | undefined; demand?: AnswerDemand }> {
  if (!hasPolicies(realm)) return {};
  const parameters = new URLSearchParams([...sent, ...asked]);
  for (const [name, value] of asked) parameters.set(name, value);
  const authenticator = authenticatorOf(client);
  const request = {
    kind: 'authorization',
    isPublic: client.publicClient,
    authenticator,
    parameters,
    object,
    isPushed,
    at: seconds(context),
  } as const;
  const demands = await demandsOf(realm, requestOf(context, client, parameters));
  return { objection: objectionTo(demands, request), demand: answerUnder(demands) };
}
