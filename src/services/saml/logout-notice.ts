import { numberOf } from '../core/json.js';
import type { Keyring } from '../core/ports.js';
import type { ManagedClient, Place } from '../sessions/management-address.js';
import { formOfMessage } from './bindings.js';
import { documentOf, logoutRequest, type Message, newMessageId } from './messages.js';
import { namespaces } from './names.js';
import { nameIdOfPart, sessionIndex } from './session-part.js';
import { backChannelAddress, logoutAddress, samlSettings, signingFor } from './settings.js';

/** The part of a client in a session that has ended. */
export interface EndedPart {
  sid: string;
  notes: Record<string, unknown>;
  client: ManagedClient & { id: string };
}

interface Sender extends Place {
  keyring: Keyring;
}

interface Realm {
  id: string;
  name: string;
  settings: Readonly<Record<string, unknown>>;
}

/** Whether a client is told of logouts by SAML messages. */
export const isToldBySaml = ({ client: { protocol, attributes, adminUrl }, notes }: Omit<EndedPart, 'sid'>): boolean =>
  protocol === 'saml' &&
  nameIdOfPart(notes) !== undefined &&
  (Boolean(adminUrl) || Object.keys(samlSettings(attributes).logouts).length > 0);

/** The request that has a client end its part in a session; undefined for a client that does not know the user. */
export function logoutRequestFor(
  { baseUrl, now }: Pick<Place, 'baseUrl' | 'now'>,
  realm: Realm,
  { sid, notes, client }: EndedPart,
  destination: string,
): Message | undefined {
  const nameId = nameIdOfPart(notes);
  if (!nameId) return undefined;
  const at = Math.floor(now() / 1000);
  const issuer = `${baseUrl}/realms/${encodeURIComponent(realm.name)}`;
  const lifespan = Math.max(1, numberOf(realm.settings, 'accessCodeLifespan', 60));
  return logoutRequest(
    { id: newMessageId(), issuer, destination, at },
    { nameId, sessionIndex: sessionIndex(sid, client.id), until: at + lifespan },
  );
}

/** How the server itself tells a client that its part in a session has ended. Without a request, the client cannot be told so. */
export function samlLogoutNotice(
  sender: Sender,
  realm: Realm,
  part: EndedPart,
): { address: string; request: (() => Promise<{ url: string; type: string; body: string }>) | undefined } {
  const { client } = part;
  const back = backChannelAddress(client, sender);
  if (!back) return { address: logoutAddress(client, 'redirect', sender) ?? client.clientId, request: undefined };
  const { address, binding } = back;
  return {
    address,
    async request() {
      const message = logoutRequestFor(sender, realm, part, address);
      if (!message) throw new Error('The client does not know the user');
      const settings = samlSettings(client.attributes);
      const signing = settings.signsDocuments ? await signingFor(sender, realm, settings) : undefined;
      const document = await documentOf(message, signing);
      if (binding === 'soap') return { url: address, type: 'text/xml;charset=utf-8', body: soapEnvelope(document) };
      const body = new URLSearchParams(formOfMessage('SAMLRequest', document, undefined)).toString();
      return { url: address, type: 'application/x-www-form-urlencoded', body };
    },
  };
}

/** A message in the SOAP binding (SAML 2.0 bindings, section 3.2.2). */
const soapEnvelope = (document: string): string =>
  `<soap:Envelope xmlns:soap="${namespaces.soap}"><soap:Body>${document}</soap:Body></soap:Envelope>`;
