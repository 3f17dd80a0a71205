import { Refusal } from '../../core/refusal.js';
import { type KnownToken, knownToken } from '../../tokens/access.js';
import type { TokenContext } from '../../tokens/context.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { findRealmAndClient, type TokenRealm } from '../../tokens/parties.js';
import { rolesInClaims } from '../evaluation/identity.js';

/** Who uses the protection API, and for which resource server. */
export interface Protected {
  context: TokenContext;
  realm: TokenRealm;
  server: { id: string; clientId: string; allowRemoteResourceManagement: boolean };
  token: KnownToken;
}

/** An access token of the realm that is good. */
export async function bearerOf(
  context: TokenContext,
  realm: TokenRealm,
  authorization: string | undefined,
): Promise<KnownToken | undefined> {
  const text = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const known = text === undefined ? undefined : await knownToken(context, realm, text, 'access');
  return known?.inSession && known.user.enabled ? known : undefined;
}

/** The bearer of a token that a resource server, or a user at it, got. Refuses everybody else. */
export async function protectedBy(
  context: TokenContext,
  realmName: string,
  authorization: string | undefined,
): Promise<Protected> {
  const { realm } = await findRealmAndClient(context, realmName, undefined);
  const token = await bearerOf(context, realm, authorization);
  if (!token) {
    throw oauthError(403, 'invalid_bearer_token', 'Could not obtain bearer access_token from request.');
  }
  const { client } = token;
  const server = await context.database.read.resourceServer.findUnique({
    where: { id: client.id },
    select: { id: true, allowRemoteResourceManagement: true },
  });
  if (!server) {
    const text = `Client application [${client.clientId}] is not registered as a resource server.`;
    throw oauthError(403, 'invalid_clientId', text);
  }
  return { context, realm, server: { ...server, clientId: client.clientId }, token };
}

/** Refuses tokens without the role that lets a resource server manage its resources. */
export function requireProtection({ server, token }: Protected): void {
  if (!rolesInClaims(token.claims).has(`${server.clientId}/uma_protection`)) {
    throw oauthError(403, 'invalid_scope', 'Requires uma_protection scope.');
  }
}

/** The refusal of something that is not there, without a body. */
export const nothingThere = (): Refusal => new Refusal('notFound', 'There is no such thing', { body: null });

/** Whether the bearer is the resource server itself. */
export const isServer = ({ server, token }: Protected): boolean => token.user.serviceAccountClientId === server.id;
