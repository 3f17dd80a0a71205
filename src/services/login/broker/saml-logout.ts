import { findBrokerProvider } from '../../brokering/provider.js';
import type { ProviderAnswer } from '../../brokering/provider-address.js';
import { UpstreamFailure } from '../../brokering/provider-context.js';
import { redirectUri } from '../../brokering/redirect-uri.js';
import { addressWith } from '../../brokering/saml/authn-request.js';
import { ownRecipient, withKeys } from '../../brokering/saml/keys.js';
import { signedMessage } from '../../brokering/saml/response.js';
import { acceptedOf, logoutPlace, ownEntityId, skewOf } from '../../brokering/saml/settings.js';
import type { RealmRecord } from '../../core/realm.js';
import { inTransaction } from '../../core/unit-of-work.js';
import { messageOfForm, messageOfQuery } from '../../saml/bindings.js';
import { childNamed, childrenNamed, isNamed, issuerIn, parseMessage, SamlFault, textOf } from '../../saml/document.js';
import { checkEnvelope } from '../../saml/envelope.js';
import { type Message, newMessageId, status } from '../../saml/messages.js';
import { nameIdIn } from '../../saml/name-id.js';
import { statuses } from '../../saml/names.js';
import { type Browser, type LoginSite, recordFailure } from '../attempt.js';
import { sessionOfBrowser } from '../identity.js';
import { PageRefusal } from '../refusals.js';
import type { SamlLogoutReply } from '../saml/logout.js';
import { useMessage } from '../saml/used-message.js';
import { endSessionsOf } from './end-sessions.js';
import { providerDetails, upstreamOf } from './send.js';

type Asking = Parameters<typeof requestOf>;

/** Ends the sessions that a SAML provider names (SAML 2.0 core, section 3.7), and answers it. */
export async function logoutBySamlProvider(...asking: Asking): Promise<SamlLogoutReply> {
  const [site, realm, alias, , browser] = asking;
  try {
    const request = await requestOf(...asking);
    const { provider, upstream, nameId, indexes, id } = request;
    const isNew = await inTransaction(site.services.database, (tx) => useMessage(tx, site.services, provider, id));
    if (!isNew) throw new SamlFault('replayed');
    const session = await sessionOfBrowser(site.services, realm, browser.identity);
    const ended = await endSessionsOf({ ...site, ...browser }, realm, provider, {
      subject: nameId.value,
      isMeant: ({ FEDERATED_SESSION: index }) => indexes.length === 0 || indexes.includes(String(index)),
    });
    const endsSession = session !== undefined && ended.includes(session.sid);
    const place = logoutPlace(provider);
    if (!place) return { kind: 'loggedOut', endsSession };
    const message: Message = {
      name: 'LogoutResponse',
      envelope: {
        id: newMessageId(),
        issuer: ownEntityId(upstream, provider),
        destination: place.address,
        at: Math.floor(upstream.now() / 1000),
        inResponseTo: id,
      },
      content: status(statuses.success),
    };
    const { address, form } = await addressWith(upstream, provider, place, message, request.relayState);
    return form
      ? { kind: 'answer', to: { redirectUri: address, responseMode: 'form_post' }, parameters: form, endsSession }
      : { kind: 'redirect', to: address, endsSession };
  } catch (fault) {
    if (!(fault instanceof SamlFault) && !(fault instanceof UpstreamFailure)) throw fault;
    const failure = { error: 'invalid_logout_request', type: 'LOGOUT_ERROR' };
    const details = providerDetails({ alias }, fault.message);
    await recordFailure(site.services, realm, browser, { ...failure, details });
    throw new PageRefusal(400, 'invalidParameter', 'SAMLRequest');
  }
}

/** The request of a provider, which has to be signed. Throws `SamlFault`. */
async function requestOf(
  site: LoginSite,
  realm: RealmRecord,
  alias: string,
  { parameters, query }: ProviderAnswer,
  browser: Browser,
) {
  const provider = await findBrokerProvider(site.services, realm.id, alias);
  if (!provider?.enabled || !provider.kind.isSaml) throw new PageRefusal(400, 'identityProviderNotFound');
  const upstream = upstreamOf({ ...site, realm, browser });
  const received = query === undefined ? messageOfForm(parameters) : messageOfQuery(query);
  if (!received) throw new SamlFault('no_request');
  const unread = await parseMessage(received.text);
  if (!isNamed(unread, 'protocol', 'LogoutRequest')) throw new SamlFault('no_request');
  // anybody could have metadata fetched otherwise
  if (!received.signature && !childNamed(unread, 'signature', 'Signature')) throw new SamlFault('unsigned');
  const { element, isSigned, issuer } = await withKeys(upstream, provider, async ({ keys, issuer: entityId }) => ({
    ...(await signedMessage(received, unread, { keys, accepted: acceptedOf(provider) })),
    issuer: entityId,
  }));
  if (!isSigned) throw new SamlFault('unsigned');
  const skew = skewOf(provider);
  const place = redirectUri(browser.baseUrl, realm.name, alias);
  const now = upstream.now() / 1000;
  const id = checkEnvelope(element, { place, namesPlace: true, now, ...(skew !== undefined && { skew }) });
  if (issuer !== undefined && issuerIn(element) !== issuer) throw new SamlFault('issuer');
  const nameId = await nameIdIn(element, await ownRecipient(upstream, provider));
  if (!nameId) throw new SamlFault('no_name_id');
  const indexes = childrenNamed(element, 'protocol', 'SessionIndex').map(textOf);
  return { provider, upstream, nameId, indexes, id, relayState: received.relayState };
}
