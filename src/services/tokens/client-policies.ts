import { decodeProtectedHeader } from 'jose';
import { hasPolicies, objectionTo } from '../client-policies/apply.js';
import type { Occasion } from '../client-policies/conditions.js';
import type { Objection, RequestObject } from '../client-policies/executors.js';
import { accessTypeOf } from '../client-policies/occasion.js';
import { rolesOfClient } from '../client-policies/store.js';
import { authenticatorOf } from './client-authentication.js';
import { type FindCertificate, isCertificateBound } from './client-certificate.js';
import { seconds, type TokenContext } from './context.js';
import { oauthError } from './oauth-error.js';
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

/** Refuses a request of a client that the client policies of the realm do not allow, as OAuth words it. */
export async function checkTokenRequest(
  context: TokenContext,
  realm: TokenRealm,
  client: TokenClient,
  { form, findCertificate }: { form: URLSearchParams; findCertificate?: FindCertificate | undefined },
  kind: 'token' | 'backchannel' = 'token',
): Promise<void> {
  if (!hasPolicies(realm)) return;
  const request = {
    kind,
    isPublic: client.publicClient,
    authenticator: authenticatorOf(client),
    parameters: form,
    isCertificateBound: isCertificateBound(client) && findCertificate?.() !== undefined,
    assertionAlgorithm: algorithmOf(form.get('client_assertion')),
  } as const;
  const objection = await objectionTo(realm, request, requestOf(context, client, form));
  if (objection) throw oauthError(400, objection.error, objection.text);
}

/**
 * Why the client policies of the realm refuse a request for an authorization; nothing where they do not. `sent` is the
 * request as it came, `asked` its parameters with those of the request object, and `object` that object.
 */
export async function objectionToAuthorization(
  context: TokenContext,
  realm: Pick<TokenRealm, 'id'> & { settings: unknown },
  client: TokenClient,
  { sent, asked, object }: { sent: URLSearchParams; asked: URLSearchParams; object?: RequestObject | undefined },
): Promise<Objection | undefined> {
  if (!hasPolicies(realm)) return undefined;
  const parameters = new URLSearchParams([...sent, ...asked]);
  for (const [name, value] of asked) parameters.set(name, value);
  const authenticator = authenticatorOf(client);
  const request = {
    kind: 'authorization',
    isPublic: client.publicClient,
    authenticator,
    parameters,
    object,
    at: seconds(context),
  } as const;
  return objectionTo(realm, request, requestOf(context, client, parameters));
}
