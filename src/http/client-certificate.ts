import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import type { FindCertificate } from '../services/tokens/client-certificate.js';
import { forwarded } from './forwarded.js';

type CertificateSettings = Pick<Config, 'clientCertificateHeader' | 'trustProxy'>;

/** Finds the certificate of a request when it is first asked for, and remembers it: most requests are never asked. */
export function certificateFinder(message: IncomingMessage, config: CertificateSettings): FindCertificate {
  let found: { certificate: X509Certificate | undefined } | undefined;
  return () => {
    found ??= { certificate: clientCertificate(message, config) };
    return found.certificate;
  };
}

/**
 * The certificate of the client's TLS connection, as the outermost trusted proxy has passed it on in the header that
 * `CLIENT_CERTIFICATE_HEADER` names: PEM with percent-encoding (nginx), DER in base64 (HAProxy), or as in RFC 9440. Undefined if
 * there is none, or if the header has several values, because the proxy may have added its own to that of the sender.
 */
function clientCertificate(
  message: IncomingMessage,
  { clientCertificateHeader: name, trustProxy }: CertificateSettings,
): X509Certificate | undefined {
  const value = name === undefined ? undefined : message.headers[name];
  if (typeof value !== 'string' || value === '' || value.includes(',')) return undefined;
  if (forwarded(message, trustProxy, name ?? '') !== value.trim()) return undefined;
  try {
    return new X509Certificate(certificateBytes(value.trim()));
  } catch {
    return undefined;
  }
}

function certificateBytes(value: string): string | Buffer {
  const text = decodeURIComponent(value);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  return Buffer.from(/^:(.*):$/.exec(value)?.[1] ?? value, 'base64');
}
