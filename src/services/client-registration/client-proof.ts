import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { authenticateClient, clientCredentials } from '../tokens/client-authentication.js';
import type { TokenContext } from '../tokens/context.js';
import { findRealmAndClient } from '../tokens/parties.js';
import { unauthorized } from './faults.js';

interface Claimed {
  clientId: string;
  /** the Authorization header */
  authorization: string | undefined;
}

/**
 * Refuses (401) a request whose client did not authenticate as this clientId. Public clients need no authentication.
 */
export async function authenticated(
  context: TokenContext,
  realm: RealmRecord,
  { clientId, authorization }: Claimed,
  { baseUrl }: { baseUrl: string },
): Promise<void> {
  const refused = () => unauthorized('Failed to authenticate client', 'not_allowed');
  const credentials = clientCredentials(new URLSearchParams(), authorization);
  const parties = await findRealmAndClient(context, realm.name, clientId);
  const { client } = parties;
  if (!client || (!client.publicClient && credentials.clientId !== client.clientId)) throw refused();
  try {
    await authenticateClient(context, client, credentials, { realm: parties.realm, baseUrl });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { kind, message, details } = refused();
    throw new Refusal(kind, message, { ...details, ...(error.details.guessed && { guessed: error.details.guessed }) });
  }
}
