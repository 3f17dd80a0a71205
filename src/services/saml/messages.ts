import { randomUUID } from 'node:crypto';
import { type Element, writeXml } from '../core/xml.js';
import { formOfMessage, type MessageParameter, queryOfMessage } from './bindings.js';
import { type ForeignNameId, nameIdElement } from './name-id.js';
import { namespaces } from './names.js';
import type { BrowserBinding } from './settings.js';
import { type Signing, signElement } from './sign.js';

/** What all messages have in common. Times are in seconds since 1970. */
export interface Envelope {
  id: string;
  issuer: string;
  destination: string;
  at: number;
  inResponseTo?: string | undefined;
}

/** An ID that nobody can guess. */
export const newMessageId = (): string => `ID_${randomUUID()}`;

/** A time, in seconds since 1970, as messages have it. */
export const instant = (at: number): string => new Date(at * 1000).toISOString();

const withEnvelope = (
  { id, issuer, destination, at, inResponseTo }: Envelope,
  content: Element,
  extensions: Element | undefined,
): Element => ({
  '@xmlns:samlp': namespaces.protocol,
  '@xmlns:saml': namespaces.assertion,
  '@ID': id,
  '@Version': '2.0',
  '@IssueInstant': instant(at),
  '@Destination': destination,
  ...(inResponseTo !== undefined && { '@InResponseTo': inResponseTo }),
  // attributes stand before elements
  ...Object.fromEntries(Object.entries(content).filter(([name]) => name.startsWith('@'))),
  'saml:Issuer': issuer,
  ...(extensions && { 'samlp:Extensions': extensions }),
  ...content,
});

/** A message before it is sent. */
export interface Message {
  name: 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse' | 'Response';
  envelope: Envelope;
  content: Element;
}

/** A status with a second code that says more (SAML 2.0 core, section 3.2.2.1). */
export const status = (code: string, detail?: string): Element => ({
  'samlp:Status': {
    'samlp:StatusCode': { '@Value': code, ...(detail !== undefined && { 'samlp:StatusCode': { '@Value': detail } }) },
  },
});

/** Asks the other side to end a session of a user, or all without an index (SAML 2.0 core, section 3.7.1). */
export const logoutRequest = (
  envelope: Envelope,
  { nameId, sessionIndex, until }: { nameId: ForeignNameId; sessionIndex?: string; until: number },
): Message => ({
  name: 'LogoutRequest',
  envelope,
  content: {
    '@NotOnOrAfter': instant(until),
    'saml:NameID': nameIdElement(nameId),
    ...(sessionIndex !== undefined && { 'samlp:SessionIndex': sessionIndex }),
  },
});

const textOfMessage = ({ name, envelope, content }: Message, extensions?: Element): Promise<string> =>
  writeXml({ [`samlp:${name}`]: withEnvelope(envelope, content, extensions) }, { pretty: false });

/** Names the key with which a query is signed, as adapters of the contract look for it. */
const keyExtension = ({ kid }: Signing): Element => ({
  'kckey:KeyInfo': { '@xmlns:kckey': 'urn:keycloak:ext:key:1.0', '@MessageSigningKeyId': kid },
});

/** How a message goes through a browser. */
export interface Sending {
  binding: BrowserBinding;
  relayState: string | undefined;
  signing: Signing | undefined;
  /** whether a signed query names its key */
  namesKey: boolean;
}

/** Changes the text of a message before it is signed. */
export type Finish = (text: string) => Promise<string>;

/** The text of a message with the signature of the realm, if it signs. */
export async function documentOf(message: Message, signing: Signing | undefined, finish?: Finish): Promise<string> {
  const plain = await textOfMessage(message);
  const text = finish ? await finish(plain) : plain;
  return signing ? signElement(text, message.envelope.id, signing) : text;
}

/** The parameters with which a browser takes a message along. */
export async function parametersOf(
  message: Message,
  { binding, relayState, signing, namesKey }: Sending,
  finish?: Finish,
): Promise<Record<string, string>> {
  const parameter: MessageParameter = message.name.endsWith('Request') ? 'SAMLRequest' : 'SAMLResponse';
  if (binding === 'post') return formOfMessage(parameter, await documentOf(message, signing, finish), relayState);
  const plain = await textOfMessage(message, signing && namesKey ? keyExtension(signing) : undefined);
  return queryOfMessage(parameter, finish ? await finish(plain) : plain, relayState, signing);
}
