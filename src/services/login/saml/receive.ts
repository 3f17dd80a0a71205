import type { RealmRecord } from '../../core/realm.js';
import { isSignedQuery, type ReceivedMessage } from '../../saml/bindings.js';
import { attributeIn, childNamed, isNamed, parseMessage, SamlFault, textOf } from '../../saml/document.js';
import { keyOfCertificate } from '../../saml/encrypt.js';
import { type SamlSettings, samlSettings } from '../../saml/settings.js';
import { verifiedMessage } from '../../saml/verify.js';
import { issuerOf, seconds } from '../../tokens/context.js';
import { findRealmAndClient } from '../../tokens/parties.js';
import { type Browser, type LoginSite, recordFailure } from '../attempt.js';
import type { MessageKey } from '../messages-en.js';
import { PageRefusal } from '../refusals.js';
import { type LoginClient, withLoginFields } from '../request.js';
import { longestAge } from './used-message.js';

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
    const id = checkEnvelope(root, { settings, place, now: seconds(site.tokens) });
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

/** Characters of an entity ID (SAML 2.0 core, section 8.3.6). */
const longestIssuer = 1024;

/** The issuer that a message names. Throws `SamlFault` if there are several, or its name is too long. */
export function issuerIn(root: Element): string {
  const issuer = childNamed(root, 'assertion', 'Issuer');
  const name = issuer ? textOf(issuer) : '';
  if (name.length > longestIssuer) throw new SamlFault('issuer');
  return name;
}

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

/** Checks what all messages have in common, and returns the ID. Throws `SamlFault`. */
function checkEnvelope(
  root: Element,
  { settings, place, now }: { settings: SamlSettings; place: string; now: number },
): string {
  const destination = attributeIn(root, 'Destination');
  if (destination === undefined || destination === '') {
    // otherwise a signed message for another server would count here (SAML 2.0 bindings, section 3.5.5.2)
    if (settings.requiresSignature) throw new SamlFault('missing_required_destination');
  } else if (destination.replace(/\/$/, '') !== place) throw new SamlFault('invalid_destination');
  if (attributeIn(root, 'Version') !== '2.0') throw new SamlFault('version');
  const issued = secondsOf(attributeIn(root, 'IssueInstant'));
  if (issued === undefined || Math.abs(issued - now) > longestAge) throw new SamlFault('issue_instant');
  const until = attributeIn(root, 'NotOnOrAfter');
  if (until !== undefined && !((secondsOf(until) ?? 0) + allowedSkew > now)) throw new SamlFault('expired');
  const id = attributeIn(root, 'ID') ?? '';
  if (!/^[\p{L}\p{N}_.:-]{1,255}$/u.test(id)) throw new SamlFault('id');
  return id;
}

/** How far clocks may differ, in seconds. */
const allowedSkew = 60;

/** A time of a message in seconds since 1970; undefined for a text that is none. Times without a zone are those of UTC. */
function secondsOf(text: string | undefined): number | undefined {
  const [, date, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?$/.exec(text ?? '') ?? [];
  if (date === undefined) return undefined;
  const milliseconds = Date.parse(`${date}${zone ?? 'Z'}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
