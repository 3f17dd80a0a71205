import { limit } from '../../../config/limits.js';
import { attributeWhere } from '../../clients/query.js';
import { ownMember } from '../../core/json.js';
import type { RealmRecord } from '../../core/realm.js';
import { masterName } from '../../realms/defaults/master.js';
import { attributeIn, childNamed, SamlFault, textOf } from '../../saml/document.js';
import { bindings } from '../../saml/names.js';
import { type BrowserBinding, consumerAddress, type SamlSettings, samlSettings } from '../../saml/settings.js';
import { findRealmAndClient } from '../../tokens/parties.js';
import { demandedLevel } from '../acr.js';
import { type Browser, type LoginSite, type Reply, recordFailure } from '../attempt.js';
import { sessionOfBrowser } from '../identity.js';
import { joinSession } from '../join-session.js';
import { attemptOf, goOn } from '../proceed.js';
import { allowsRedirect } from '../redirect-uri.js';
import { ClientRefusal, PageRefusal, unmetLevel } from '../refusals.js';
import { type AuthorizationRequest, type LoginClient, withLoginFields } from '../request.js';
import { newState } from '../state.js';
import { isNameIdFormat } from './name-id.js';
import { type ClientMessage, problemOf } from './receive.js';
import { refuse } from './respond.js';

const mostRelayState = limit(
  'Logins and tokens',
  'RelayState of a SAML message',
  4000,
  'characters',
  'the login is refused',
);

/** Begins the login that a SAML client asks for (SAML 2.0 core, section 3.4). */
export async function beginSamlLogin(
  site: LoginSite,
  realm: RealmRecord,
  message: ClientMessage,
  browser: Browser,
): Promise<Reply> {
  const { client, received } = message;
  let request: AuthorizationRequest;
  try {
    request = requestOf(message, realm, site, browser);
  } catch (error) {
    if (!(error instanceof SamlFault)) throw error;
    const isAddress = error.message === 'invalid_redirect_uri';
    const details = { auth_method: 'saml', reason: error.message };
    const failure = { clientId: client.clientId, error: isAddress ? error.message : 'invalid_authn_request', details };
    await recordFailure(site.services, realm, browser, failure);
    throw isAddress
      ? new PageRefusal(400, 'invalidRedirect')
      : new PageRefusal(400, 'invalidParameter', received.parameter);
  }
  return begin(site, realm, client, browser, request, isUnsupported(message));
}

/** Begins a login that no request has asked for, at the client with this name in the URL. */
export async function beginInitiatedLogin(
  site: LoginSite,
  realm: RealmRecord,
  name: string,
  relayState: string | undefined,
  browser: Browser,
): Promise<Reply> {
  const row = await site.services.database.read.client.findFirst({
    where: { realmId: realm.id, AND: [attributeWhere('saml_idp_initiated_sso_url_name', { equals: name })] },
    select: { clientId: true },
    orderBy: { clientId: 'asc' },
  });
  const { client: found } = row ? await findRealmAndClient(site.tokens, realm.name, row.clientId) : {};
  const client = found && (await withLoginFields(site.tokens, found));
  const failed = (error: string) =>
    recordFailure(site.services, realm, browser, {
      clientId: row?.clientId,
      error,
      details: { auth_method: 'saml', reason: 'idp_initiated' },
    });
  const wrong = problemOf(client);
  if (!client || wrong) {
    await failed(wrong?.error ?? 'client_not_found');
    throw new PageRefusal(400, ...(wrong?.shown ?? ['clientNotFound' as const]));
  }
  const settings = samlSettings(client.attributes);
  const place = { ...site.services, baseUrl: browser.baseUrl };
  const isRedirect = !settings.consumers.post && !client.adminUrl?.trim() && settings.consumers.redirect !== undefined;
  const address = consumerAddress(client, isRedirect ? 'redirect' : 'post', place);
  if (address === undefined) {
    await failed('invalid_redirect_uri');
    throw new PageRefusal(400, 'invalidRedirect');
  }
  const state = relayState ?? settings.initiatedRelayState;
  if (state !== undefined && state.length > mostRelayState)
    throw new PageRefusal(400, 'invalidParameter', 'RelayState');
  const request: AuthorizationRequest = {
    redirectUri: address,
    responseMode: isRedirect ? 'query' : 'form_post',
    prompt: [],
    saml: state === undefined ? {} : { relayState: state },
  };
  return begin(site, realm, client, browser, request, settings.usesArtifacts);
}

/** Refusals of which there is no event yet, with the errors of their events. */
const unrecorded: Record<string, string> = {
  login_required: 'not_logged_in',
  interaction_required: 'interaction_required',
  consent_required: 'consent_required',
  unsupported_binding: 'unsupported_binding',
  [unmetLevel]: unmetLevel,
};

async function begin(
  site: LoginSite,
  realm: RealmRecord,
  client: LoginClient,
  browser: Browser,
  request: AuthorizationRequest,
  isUnsupported: boolean,
): Promise<Reply> {
  try {
    if (isUnsupported) throw new ClientRefusal('unsupported_binding');
    // SAML clients ask for no level: those of their settings count
    const level = demandedLevel({ realm, client }, {});
    const kept = newState(browser, { clientId: client.clientId, request: { ...request, ...(level && { level }) } });
    const attempt = await attemptOf(site, realm, client, browser, kept);
    await joinSession(attempt, await sessionOfBrowser(site.services, realm, browser.identity));
    return await goOn(attempt, undefined);
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error;
    const reason = ownMember(unrecorded, error.error);
    const details = { auth_method: 'saml', redirect_uri: request.redirectUri };
    if (reason)
      await recordFailure(site.services, realm, browser, { clientId: client.clientId, error: reason, details });
    return { kind: 'answer', ...(await refuse({ ...site, realm, client, browser, request }, error)) };
  }
}

/** Whether a client wants an answer by artifact or without a browser. */
const isUnsupported = ({ root, settings }: ClientMessage): boolean => {
  const wanted = attributeIn(root, 'ProtocolBinding');
  return settings.usesArtifacts || (wanted !== undefined && wanted !== bindings.post && wanted !== bindings.redirect);
};

/** What a request asks for. Throws `SamlFault`. */
function requestOf(
  { client, settings, root, id, received }: ClientMessage,
  realm: RealmRecord,
  { services }: LoginSite,
  { baseUrl }: Browser,
): AuthorizationRequest {
  const { relayState } = received;
  if (relayState !== undefined && relayState.length > mostRelayState) throw new SamlFault('relay_state');
  const binding = answerBinding(root, settings, received.binding);
  const named = attributeIn(root, 'AssertionConsumerServiceURL');
  const address = named
    ? namedConsumer(client, named, { baseUrl, isMaster: realm.name === masterName })
    : consumerAddress(client, binding, { ...services, baseUrl });
  if (address === undefined) throw new SamlFault('invalid_redirect_uri');
  const policy = childNamed(root, 'protocol', 'NameIDPolicy');
  const nameIdFormat = policy && attributeIn(policy, 'Format');
  if (nameIdFormat && !settings.forcesNameIdFormat && !isNameIdFormat(nameIdFormat)) {
    throw new SamlFault('unsupported_nameid_format');
  }
  const subject = childNamed(root, 'assertion', 'Subject');
  const nameId = subject && childNamed(subject, 'assertion', 'NameID');
  const loginHint = nameId && textOf(nameId).slice(0, 255);
  const isOn = (name: string) => /^(true|1)$/.test(attributeIn(root, name) ?? '');
  return {
    redirectUri: address,
    responseMode: binding === 'redirect' ? 'query' : 'form_post',
    prompt: [...(isOn('IsPassive') ? ['none'] : []), ...(isOn('ForceAuthn') ? ['login'] : [])],
    ...(loginHint && { loginHint }),
    saml: {
      id,
      ...(relayState !== undefined && { relayState }),
      ...(nameIdFormat && { nameIdFormat }),
    },
  };
}

/** The binding of an answer: the one that the request names, or else its own. */
function answerBinding(root: Element, { forcesPost }: SamlSettings, own: BrowserBinding): BrowserBinding {
  const wanted = attributeIn(root, 'ProtocolBinding');
  if (forcesPost || wanted === bindings.post) return 'post';
  return wanted === bindings.redirect ? 'redirect' : own;
}

/** Parameters of answers, which nobody else may put into the address of a client. */
const ofAnswers = ['SAMLResponse', 'SAMLRequest', 'SAMLart', 'RelayState', 'SigAlg', 'Signature'];

/** An address that a request names, if the client has registered it, as a redirect URI or as a consumer of assertions. */
function namedConsumer(
  client: LoginClient,
  address: string,
  place: { baseUrl: string; isMaster: boolean },
): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { consumers } = samlSettings(client.attributes);
  if (Object.values(consumers).includes(address)) return address;
  const { searchParams } = new URL(address);
  if (ofAnswers.some((name) => searchParams.has(name)) || address.includes('#')) return undefined;
  return allowsRedirect(client, address, place) ? address : undefined;
}
