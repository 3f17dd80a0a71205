import type { KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Algorithm, isSignature, signBytes } from './algorithms.js';
import { ofRequests, ofResponses, SamlFault } from './document.js';

/** The parameter that a message is sent in. */
export type MessageParameter = 'SAMLRequest' | 'SAMLResponse';

/** A message as it came through a browser. */
export interface ReceivedMessage {
  parameter: MessageParameter;
  binding: 'post' | 'redirect';
  text: string;
  relayState: string | undefined;
  /** of the redirect binding, where the query is signed instead of the document */
  signature?: QuerySignature;
}

/** The signature of a query (SAML 2.0 bindings, section 3.4.4.1). */
interface QuerySignature {
  algorithm: string;
  value: Buffer;
  /** what is signed: the parameters as they are encoded */
  signed: string;
}

const parameters = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'];

/** The message of a request in the POST binding; undefined if it has none. Throws `SamlFault`. */
export function messageOfForm(form: URLSearchParams): ReceivedMessage | undefined {
  requireOnce([...form.keys()]);
  const parameter = messageParameter((name) => form.has(name));
  if (!parameter) return undefined;
  const text = decodeText(decodeBase64(form.get(parameter) ?? '', mostOf(parameter)));
  return { parameter, binding: 'post', text, relayState: form.get('RelayState') ?? undefined };
}

/** The message of a query in the redirect binding; undefined if it has none. Throws `SamlFault`. */
export function messageOfQuery(query: string): ReceivedMessage | undefined {
  const encoded = query.split('&').map((part): [string, string] => {
    const [name = '', ...value] = part.split('=');
    return [decodeParameter(name), value.join('=')];
  });
  requireOnce(encoded.map(([name]) => name));
  const raw = new Map(encoded);
  const parameter = messageParameter((name) => raw.has(name));
  if (!parameter) return undefined;
  const value = (name: string) => decodeParameter(raw.get(name) ?? '');
  const most = mostOf(parameter);
  const text = decodeText(inflate(decodeBase64(value(parameter), most), most));
  const signed = [parameter, 'RelayState', 'SigAlg'].filter((name) => raw.has(name));
  return {
    parameter,
    binding: 'redirect',
    text,
    relayState: raw.has('RelayState') ? value('RelayState') : undefined,
    ...(raw.has('SigAlg') &&
      raw.has('Signature') && {
        signature: {
          algorithm: value('SigAlg'),
          value: decodeBase64(value('Signature'), ofRequests.characters),
          signed: signed.map((name) => `${name}=${raw.get(name)}`).join('&'),
        },
      }),
  };
}

/** Whether this key has signed the query of a message with an accepted algorithm. */
export function isSignedQuery({ signature }: ReceivedMessage, key: KeyObject, accepted: readonly Algorithm[]): boolean {
  const by = accepted.find(({ uri }) => uri === signature?.algorithm);
  return (
    by !== undefined && signature !== undefined && isSignature(Buffer.from(signature.signed), key, by, signature.value)
  );
}

/** The parameters of a message in the POST binding (SAML 2.0 bindings, section 3.5.4). */
export const formOfMessage = (
  parameter: MessageParameter,
  text: string,
  relayState: string | undefined,
): Record<string, string> => ({
  [parameter]: Buffer.from(text).toString('base64'),
  ...(relayState !== undefined && { RelayState: relayState }),
});

/** The parameters of a message in the redirect binding, in the order in which they are signed, with the signature. */
export function queryOfMessage(
  parameter: MessageParameter,
  text: string,
  relayState: string | undefined,
  signing: { key: KeyObject; by: Algorithm } | undefined,
): Record<string, string> {
  const sent = {
    [parameter]: deflateRawSync(text).toString('base64'),
    ...(relayState !== undefined && { RelayState: relayState }),
  };
  if (!signing) return sent;
  const withAlgorithm = { ...sent, SigAlg: signing.by.uri };
  const signed = new URLSearchParams(withAlgorithm).toString();
  return { ...withAlgorithm, Signature: signBytes(Buffer.from(signed), signing.key, signing.by).toString('base64') };
}

/** Which of two values of one parameter is meant, parsers do not agree on. */
function requireOnce(names: readonly string[]): void {
  const own = names.filter((name) => parameters.includes(name));
  if (new Set(own).size < own.length) throw new SamlFault('repeated_parameter');
}

function messageParameter(has: (name: MessageParameter) => boolean): MessageParameter | undefined {
  if (has('SAMLRequest') && has('SAMLResponse')) throw new SamlFault('request_and_response');
  if (has('SAMLRequest')) return 'SAMLRequest';
  return has('SAMLResponse') ? 'SAMLResponse' : undefined;
}

function decodeParameter(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw new SamlFault('encoding');
  }
}

const mostOf = (parameter: MessageParameter): number =>
  (parameter === 'SAMLResponse' ? ofResponses : ofRequests).characters;

function decodeBase64(text: string, most: number): Buffer {
  // a plus sign that was not encoded arrives as a blank
  const plain = text
    .replace(/[\r\n\t]/g, '')
    .trim()
    .replaceAll(' ', '+');
  if (plain === '' || plain.length > 2 * most || !/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) {
    throw new SamlFault('encoding');
  }
  return Buffer.from(plain, 'base64');
}

function inflate(bytes: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: most });
  } catch {
    throw new SamlFault('encoding');
  }
}

function decodeText(bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim();
  } catch {
    throw new SamlFault('encoding');
  }
}
