import type { RealmRecord } from '../../core/realm.js';
import { isSignedQuery, type ReceivedMessage } from '../../saml/bindings.js';
import { isNamed, issuerIn, parseMessage, SamlFault } from '../../saml/document.js';
import { keyOfCertificate } from '../../saml/encrypt.js';
import { checkEnvelope } from '../../saml/envelope.js';
import { type SamlSettings, samlSettings } from '../../saml/settings.js';
import { verifiedMessage } from '../../saml/verify.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { findRealmAndClient } from '../../tokens/parties.js';
import { type Browser, type LoginSite, recordFailure } from '../attempt.js';
import type { MessageKey } from '../messages-en.js';
import { PageRefusal } from '../refusals.js';
import { type LoginClient, withLoginFields } from '../request.js';

/** A message of a client that was found good. */
export interface ClientMessage {
  client: LoginClient;
  settings: SamlSettings;
  kind: Kind;
  /** what the client has signed, if it has to sign */
  root: Element;
  id: string;
  received: ReceivedMessage;
}

/** The kinds of messages, with the types and errors of their events. */
const kinds = {
  AuthnRequest: { type: 'LOGIN_ERROR', error: 'invalid_authn_request' },
  LogoutRequest: { type: 'LOGOUT_ERROR', error: 'invalid_logout_request' },
} as const;
type Kind = keyof typeof kinds;

/** Where SAML clients send their messages, below a realm. */
export const samlPath = '/protocol/saml';

/** The part of a request that is refused, for the page. */
type Shown = [MessageKey, ...string[]];

/**
 * The message of a client, checked: its form, the client, its signature, its address, and its time. Of a message that has to
 * be signed, only the signed bytes are read further. Throws a page, and stores the reason as an event.
 */
export async function clientMessage(
  site: LoginSite,
  realm: RealmRecord,
  received: ReceivedMessage,
  browser: Browser,
): Promise<ClientMessage> {
  const unread = await parseMessage(received.text).catch((fault: unknown) => {
    if (fault instanceof SamlFault) return fault;
    throw fault;
  });
  const kind = unread instanceof SamlFault ? undefined : kindOf(unread, received);
  let clientId: string | undefined;
  const refusal = async (error: string, shown: Shown, reason?: string): Promise<PageRefusal> => {
    const type = kind ? kinds[kind].type : 'LOGIN_ERROR';
    const details = { auth_method: 'saml', ...(reason !== undefined && { reason }) };
    await recordFailure(site.services, realm, browser, { clientId, error, details, type });
    return new PageRefusal(400, ...shown);
  };
  const invalid: Shown = ['invalidParameter', received.parameter];
  if (unread instanceof SamlFault) throw await refusal('invalid_token', invalid, unread.message);
  if (!kind) throw await refusal('invalid_authn_request', invalid);
  try {
    clientId = issuerIn(unread);
    const client = await findClient(site, realm, clientId);
    const wrong = problemOf(client);
    if (!client || wrong) throw await refusal(wrong?.error ?? 'client_not_found', wrong?.shown ?? ['clientNotFound']);
    const settings = samlSettings(client.attributes);
    const root = await signedRoot(received, unread, settings).catch(async (fault: unknown) => {
      if (!(fault instanceof SamlFault)) throw fault;
      throw await refusal('invalid_signature', ['invalidRequester'], fault.message);
    });
    if (issuerIn(root) !== clientId) throw await refusal('invalid_signature', ['invalidRequester']);
    const place = `${issuerOf(browser.baseUrl, realm.name)}${samlPath}`;
    const id = checkEnvelope(root, { place, namesPlace: settings.requiresSignature, now: seconds(site.tokens) });
    return { client, settings, kind, root, id, received };
  } catch (fault) {
    if (!(fault instanceof SamlFault)) throw fault;
    throw await refusal(kinds[kind].error, invalid, fault.message);
  }
}

/** The page for a request that has no message which can be read. Its event tells the reason. */
export async function refuseMessage(
  { services }: LoginSite,
  realm: RealmRecord,
  browser: Browser,
  error: string,
  reason?: string,
): Promise<PageRefusal> {
  const details = { auth_method: 'saml', ...(reason !== undefined && { reason }) };
  await recordFailure(services, realm, browser, { error, details });
  return new PageRefusal(400, 'invalidParameter', 'SAMLRequest');
}

/** The kind of a message, if it comes in the parameter for it. */
const kindOf = (root: Element, { parameter }: ReceivedMessage): Kind | undefined =>
  (['AuthnRequest', 'LogoutRequest'] as const).find(
    (name) => parameter === 'SAMLRequest' && isNamed(root, 'protocol', name),
  );

async function findClient(
  { tokens }: LoginSite,
  realm: RealmRecord,
  clientId: string,
): Promise<LoginClient | undefined> {
  const { client } = await findRealmAndClient(tokens, realm.name, clientId);
  return client && withLoginFields(tokens, client);
}

/** Why a client may not log its users in by SAML. */
export function problemOf(client: LoginClient | undefined): { error: string; shown: Shown } | undefined {
  if (!client) return { error: 'client_not_found', shown: ['clientNotFound'] };
  if (!client.enabled) return { error: 'client_disabled', shown: ['clientDisabled'] };
  if (client.protocol !== 'saml') return { error: 'invalid_client', shown: ['wrongProtocol'] };
  if (client.bearerOnly) return { error: 'not_allowed', shown: ['bearerOnly'] };
  if (!client.standardFlowEnabled) return { error: 'not_allowed', shown: ['standardFlowDisabled'] };
  return undefined;
}

/** The document element that counts: what the client has signed, if it has to. Throws `SamlFault`. */
async function signedRoot(received: ReceivedMessage, unread: Element, settings: SamlSettings): Promise<Element> {
  const { requiresSignature, certificate, accepted } = settings;
  if (!requiresSignature) return unread;
  const key = keyOfCertificate(certificate);
  if (!key) throw new SamlFault('no_certificate');
  if (received.binding === 'post') return verifiedMessage(received.text, unread, key, accepted);
  if (!isSignedQuery(received, key, accepted)) throw new SamlFault('invalid_signature');
  return unread;
}
