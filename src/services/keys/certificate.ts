import { type KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { pemBytes } from './pem.js';

const tenYears = 10 * 365 * 86_400_000;

/**
 * A self-signed certificate (RFC 5280) for an RSA key, valid for ten years from now, as base64 of its DER form.
 * `commonName` is subject and issuer.
 */
export async function selfSignedCertificate(
  privateKey: KeyObject,
  publicKey: KeyObject,
  commonName: string,
): Promise<string> {
  // both only when a certificate is made, which is rare: they would lengthen every start
  await import('reflect-metadata');
  const { Name, X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const { subtle } = webcrypto;
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // as an object: in a plain text, quotes and a leading # would be interpreted
    name: new Name([{ CN: [{ utf8String: commonName }] }]),
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + tenYears),
    signingAlgorithm: algorithm,
    keys: {
      privateKey: await subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      publicKey: await subtle.importKey('spki', spki, algorithm, true, ['verify']),
    },
  });
  return Buffer.from(certificate.rawData).toString('base64');
}

/** The DER form of a certificate in PEM or bare base64; undefined if it cannot be read. */
export function certificateBytes(text: string): Buffer | undefined {
  try {
    return new X509Certificate(pemBytes(text)).raw;
  } catch {
    return undefined;
  }
}

/** The end of a certificate's validity; null if it is missing or cannot be read. */
export function certificateEnd(text: string | undefined): Date | null {
  const bytes = text === undefined ? undefined : certificateBytes(text);
  return bytes ? new Date(new X509Certificate(bytes).validTo) : null;
}
