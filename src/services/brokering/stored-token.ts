import { members, textsOf } from '../core/json.js';
import { placeOfFederatedToken } from '../core/sealed-columns.js';
import { recordLoginEvent } from '../events/login-events.js';
import { knownAccessToken } from '../tokens/access.js';
import type { TokenContext } from '../tokens/context.js';
import { findRealmAndClient } from '../tokens/parties.js';
import { effectiveRoles } from '../tokens/roles.js';

/** An answer with tokens of an identity provider, or with the reason why there is none. */
interface StoredTokenAnswer {
  status: number;
  body: Record<string, unknown>;
  /** origins that may read the answer */
  allowedOrigins?: string[];
}

interface Asked {
  alias: string;
  bearer: string | undefined;
  ipAddress: string;
}

/**
 * Returns the tokens that an identity provider issued at the last login of a user, to a client with the user's role
 * `broker.read-token` in its token, which the user still has. The provider must store tokens. The errors are those of the contract.
 */
export async function readStoredToken(
  context: TokenContext,
  realmName: string,
  { alias, bearer, ipAddress }: Asked,
): Promise<StoredTokenAnswer> {
  const refused = (status: number, errorMessage: string): StoredTokenAnswer => ({ status, body: { errorMessage } });
  const { realm } = await findRealmAndClient(context, realmName, undefined);
  const known = bearer === undefined ? undefined : await knownAccessToken(context, realm, bearer);
  if (!known?.inSession) return refused(401, 'Invalid token.');
  const { claims, client, user } = known;
  const allowedOrigins = textsOf(claims['allowed-origins']);
  const { read } = context.database;
  const named = textsOf(members(members(claims.resource_access).broker).roles);
  // the user may have lost the role since the token was issued
  const { held } = await effectiveRoles(read, user.id, realm.id, client);
  const hasRole = held.some(({ name, clientId }) => name === 'read-token' && clientId === 'broker');
  if (!named.includes('read-token') || !hasRole) {
    const text = `Client [${client.clientId}] not authorized to retrieve tokens from identity provider [${alias}].`;
    return { ...refused(403, text), allowedOrigins };
  }
  const provider = await read.identityProvider.findFirst({
    where: { realmId: realm.id, alias },
    select: { storeToken: true, enabled: true },
  });
  if (!provider?.enabled || !provider.storeToken)
    return { ...refused(400, `Identity Provider [${alias}] does not support this operation.`), allowedOrigins };
  const stored = await read.federatedToken.findFirst({
    where: { userId: user.id, identityProvider: alias },
    select: { id: true, userId: true, token: true },
  });
  if (!stored) {
    const text = `User [${user.id}] is not associated with identity provider [${alias}].`;
    return { ...refused(400, text), allowedOrigins };
  }
  const body = members(JSON.parse(context.sealer.open(stored.token, placeOfFederatedToken(stored))));
  await recordLoginEvent(context, realm, {
    type: 'IDENTITY_PROVIDER_RETRIEVE_TOKEN',
    clientId: client.clientId,
    userId: user.id,
    ipAddress,
    details: { identity_provider: alias },
  });
  return { status: 200, body, allowedOrigins };
}
