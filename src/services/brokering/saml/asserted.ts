import { messageOfForm, messageOfQuery, type ReceivedMessage } from '../../saml/bindings.js';
import { attributeIn, isNamed, issuerIn, ofResponses, parseMessage, SamlFault } from '../../saml/document.js';
import { allowedSkew, checkEnvelope } from '../../saml/envelope.js';
import { type ForeignNameId, nameIdIn } from '../../saml/name-id.js';
import { nameIdFormats } from '../../saml/names.js';
import type { SentRequest } from '../authorization-request.js';
import { requireStorable } from '../claims.js';
import { type BrokeredIdentity, isTrusted } from '../identity.js';
import type { BrokerProvider } from '../provider.js';
import type { ProviderAnswer } from '../provider-address.js';
import { type Upstream, UpstreamFailure } from '../provider-context.js';
import { isOn } from '../provider-settings.js';
import { redirectUri } from '../redirect-uri.js';
import { type AssertedAttribute, attributesOf, checkAssertion, type Expected } from './assertion.js';
import { statedLogin, wantedContexts } from './authn-context.js';
import { ownRecipient, type Signer, withKeys } from './keys.js';
import { requireSuccess, type SignedMessage, signedAssertion, signedMessage, type Wanted } from './response.js';
import { acceptedOf, ownEntityId, skewOf } from './settings.js';

/** The claims of an account that a SAML provider has named, as mappers read them. */
export interface AssertedClaims {
  /** missing if the provider names users by an attribute only */
  nameId?: string;
  attributes: AssertedAttribute[];
}

/**
 * The account that the response of a SAML provider names. The response has to answer the request, and its assertion has to be signed,
 * whatever the settings say: without that, any browser could log in as anybody. Throws `UpstreamFailure`.
 */
export async function assertedIdentity(
  upstream: Upstream,
  provider: BrokerProvider,
  sent: SentRequest,
  answer: ProviderAnswer,
): Promise<BrokeredIdentity> {
  try {
    const received = answer.query === undefined ? messageOfForm(answer.parameters) : messageOfQuery(answer.query);
    if (received?.parameter !== 'SAMLResponse') throw new SamlFault('no_response');
    const unread = await parseMessage(received.text, ofResponses);
    if (!isNamed(unread, 'protocol', 'Response')) throw new SamlFault('no_response');
    return await withKeys(upstream, provider, (signer) =>
      identityIn(upstream, provider, sent, received, unread, signer),
    );
  } catch (fault) {
    if (!(fault instanceof SamlFault)) throw fault;
    throw new UpstreamFailure(`the response is not accepted: ${fault.message}`);
  }
}

async function identityIn(
  upstream: Upstream,
  provider: BrokerProvider,
  { messageId = '', forcedAt }: SentRequest,
  received: ReceivedMessage,
  unread: Element,
  { keys, issuer }: Signer,
): Promise<BrokeredIdentity> {
  const { settings, alias, label } = provider;
  const wanted: Wanted = {
    keys,
    accepted: acceptedOf(provider),
    isSigned: isOn(settings.wantAssertionsSigned),
    isEncrypted: isOn(settings.wantAssertionsEncrypted),
    recipient: await ownRecipient(upstream, provider),
  };
  const expected: Expected = {
    issuer,
    audience: ownEntityId(upstream, provider),
    recipient: redirectUri(upstream.baseUrl, upstream.realm.name, alias),
    request: messageId,
    now: upstream.now() / 1000,
    skew: skewOf(provider) ?? allowedSkew,
  };
  const response = await signedMessage(received, unread, wanted);
  checkResponse(response, expected);
  const assertion = await signedAssertion(response, wanted);
  const subject = checkAssertion(assertion, expected);
  const login = statedLogin(assertion, { ...expected, contexts: wantedContexts(settings), since: forcedAt });
  const nameId = await nameIdIn(subject, wanted.recipient);
  const claims: AssertedClaims = { ...(nameId && { nameId: nameId.value }), attributes: attributesOf(assertion) };
  requireStorable([claims]);
  const id = principalOf(provider, nameId, claims);
  const address = nameId?.format === nameIdFormats.email ? nameId.value : undefined;
  const email = address ?? firstOf(claims, standardNames.email);
  const firstName = firstOf(claims, standardNames.firstName);
  const lastName = firstOf(claims, standardNames.lastName);
  return {
    id,
    username: id,
    alias,
    label,
    ...(email !== undefined && { email }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    isEmailVerified: isTrusted(provider, email),
    claims: [claims],
    isAsserted: true,
    ...(nameId && { nameId, subject: nameId.value }),
    ...(login.sessionId !== undefined && { sessionId: login.sessionId }),
    ...(login.until !== undefined && { sessionEndsAt: Math.floor(login.until) }),
    ...(provider.storeToken && {
      token: JSON.stringify({ SAMLResponse: Buffer.from(received.text).toString('base64') }),
    }),
  };
}

/** Checks the envelope of a response: it is for this address, of the provider, and the answer to the request. */
function checkResponse(
  { element, isSigned }: SignedMessage,
  { issuer, recipient, request, now, skew }: Expected,
): void {
  checkEnvelope(element, { place: recipient, namesPlace: isSigned, now, skew });
  const named = issuerIn(element);
  if (named !== '' && issuer !== undefined && named !== issuer) throw new SamlFault('issuer');
  const answered = attributeIn(element, 'InResponseTo');
  if (answered !== undefined && answered !== request) throw new SamlFault('in_response_to');
  requireSuccess(element);
}

/** The value that identifies the account, by the settings `principalType` and `principalAttribute`. */
function principalOf(
  { settings }: BrokerProvider,
  nameId: ForeignNameId | undefined,
  { attributes }: AssertedClaims,
): string {
  const wanted = settings.principalAttribute?.trim();
  const isFriendly = settings.principalType === 'FRIENDLY_ATTRIBUTE';
  if (!isFriendly && settings.principalType !== 'ATTRIBUTE') {
    if (!nameId) throw new SamlFault('no_name_id');
    // another one at each login
    if (nameId.format === nameIdFormats.transient) throw new SamlFault('transient_name_id');
    return nameId.value;
  }
  if (!wanted) throw new SamlFault('no_principal');
  const found = attributes.find(({ name, friendlyName }) => (isFriendly ? friendlyName : name) === wanted);
  const value = found?.values[0];
  if (!value) throw new SamlFault('no_principal');
  return value;
}

/** Names that profiles of directories have for attributes (RFC 4519, RFC 4524, RFC 2798). */
const standardNames = {
  email: ['urn:oid:1.2.840.113549.1.9.1', 'urn:oid:0.9.2342.19200300.100.1.3'],
  firstName: ['urn:oid:2.5.4.42'],
  lastName: ['urn:oid:2.5.4.4'],
} as const;

const firstOf = ({ attributes }: AssertedClaims, names: readonly string[]): string | undefined =>
  attributes.find(({ name }) => names.includes(name))?.values[0] || undefined;
