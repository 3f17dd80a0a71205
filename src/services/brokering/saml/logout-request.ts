import { isObject } from '../../core/json.js';
import { logoutRequest, newMessageId } from '../../saml/messages.js';
import type { ForeignNameId } from '../../saml/name-id.js';
import type { BrokerProvider } from '../provider.js';
import type { ProviderAddress } from '../provider-address.js';
import type { Upstream } from '../provider-context.js';
import { addressWith } from './authn-request.js';
import { logoutPlace, ownEntityId } from './settings.js';

/** How long a provider may take a request for a logout, in seconds. */
const lifespan = 300;

/** How the provider of a session names its user, from the notes of the session. */
function nameIdOfSession(notes: Readonly<Record<string, unknown>>): ForeignNameId | undefined {
  const { FEDERATED_NAME_ID: text } = notes;
  const nameId: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isObject(nameId) && typeof nameId.value === 'string' ? { ...nameId, value: nameId.value } : undefined;
}

/**
 * Where a provider is asked to end a session (SAML 2.0 core, section 3.7.1), from the notes of the session here. Undefined if the
 * provider is not told of logouts.
 */
export async function logoutRequestTo(
  upstream: Upstream,
  provider: BrokerProvider,
  notes: Readonly<Record<string, unknown>>,
  relayState: string,
): Promise<ProviderAddress | undefined> {
  const place = logoutPlace(provider);
  const nameId = nameIdOfSession(notes);
  if (!place || !nameId) return undefined;
  const at = Math.floor(upstream.now() / 1000);
  const { FEDERATED_SESSION: session } = notes;
  const envelope = { id: newMessageId(), issuer: ownEntityId(upstream, provider), destination: place.address, at };
  const subject = { nameId, ...(typeof session === 'string' && { sessionIndex: session }), until: at + lifespan };
  return addressWith(upstream, provider, place, logoutRequest(envelope, subject), relayState);
}
