import { type KeyObject, X509Certificate } from 'node:crypto';
import { type Element, writeXml } from '../core/xml.js';
import { type Algorithm, digestForXml, forXml } from './algorithms.js';

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** The key that signs documents, and the form of their signatures. */
export interface Signing {
  key: KeyObject;
  /** base64 of the DER form */
  certificate: string | undefined;
  kid: string;
  /** what a document calls the key; undefined for nothing */
  keyName: string | undefined;
  by: Algorithm;
  /** canonicalization of what the signature states; exclusive by default */
  canonicalization: string | undefined;
}

/**
 * Signs an element of a document that has this ID. The signature is put where schemas have it: behind the issuer of a message, or
 * first in metadata.
 */
export async function signElement(
  xml: string,
  id: string,
  signing: Signing,
  kind: 'message' | 'metadata' = 'message',
): Promise<string> {
  const { key, by, canonicalization = exclusive } = signing;
  const { SignedXml } = await import('xml-crypto');
  const keyInfo = await keyInfoOf(signing);
  const signed = new SignedXml({
    privateKey: key,
    signatureAlgorithm: by.uri,
    canonicalizationAlgorithm: canonicalization,
    getKeyInfoContent: () => keyInfo,
  });
  signed.idAttributes = ['ID'];
  signed.SignatureAlgorithms = { [by.uri]: forXml(by, [key]) };
  signed.HashAlgorithms = { [by.digest]: digestForXml(by) };
  const xpath = `//*[@ID='${id}']`;
  signed.addReference({ xpath, transforms: [enveloped, exclusive], digestAlgorithm: by.digest });
  signed.computeSignature(xml, {
    prefix: 'ds',
    location:
      kind === 'message'
        ? { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' }
        : { reference: xpath, action: 'prepend' },
  });
  return signed.getSignedXml();
}

/** What tells the other side of the key; null for nothing. */
async function keyInfoOf({ keyName, certificate }: Signing): Promise<string | null> {
  const content: Element = {
    ...(keyName !== undefined && { 'ds:KeyName': keyName }),
    ...(certificate !== undefined && { 'ds:X509Data': { 'ds:X509Certificate': certificate } }),
  };
  return Object.keys(content).length === 0 ? null : writeXml(content, { pretty: false });
}

/** The subject of a certificate in one line, with the most specific part first (RFC 2253). */
export function subjectOf(certificate: string): string | undefined {
  try {
    const { subject } = new X509Certificate(Buffer.from(certificate, 'base64'));
    return subject.split('\n').reverse().join(',');
  } catch {
    return undefined;
  }
}
