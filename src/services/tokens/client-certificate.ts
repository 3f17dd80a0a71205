import { createHash, type X509Certificate } from 'node:crypto';
import { members } from '../core/json.js';
import { matches } from '../core/pattern.js';
import { oauthError } from './oauth-error.js';
import type { TokenClient } from './types.js';

/** Finds the certificate of the TLS connection of a client, as a trusted proxy has verified it. Undefined if there is none. */
export type FindCertificate = () => X509Certificate | undefined;

/** Names of attribute types that the library does not know, with their object identifiers. */
const furtherTypes = {
  EMAILADDRESS: '1.2.840.113549.1.9.1',
  SERIALNUMBER: '2.5.4.5',
  STREET: '2.5.4.9',
  S: '2.5.4.8',
  TITLE: '2.5.4.12',
};

/** The thumbprint by which tokens name a certificate (RFC 8705 section 3.1): SHA-256 in base64url. */
export const certificateThumbprint = ({ raw }: X509Certificate): string =>
  createHash('sha256').update(raw).digest('base64url');

/** Whether a client gets only tokens that are bound to its certificate. */
export const isCertificateBound = ({ attributes }: Pick<TokenClient, 'attributes'>): boolean =>
  members(attributes)['tls.client.certificate.bound.access.tokens'] === 'true';

/** The thumbprint of the certificate that a token is bound to, RFC 8705 section 3.1. */
export function boundCertificate(claims: Readonly<Record<string, unknown>>): string | undefined {
  const thumbprint = members(claims.cnf)['x5t#S256'];
  return typeof thumbprint === 'string' ? thumbprint : undefined;
}

/** The thumbprint that the tokens of a client are bound to. Throws `invalid_request` if the client has to have a certificate and has none. */
export function certificateOfRequest(
  client: Pick<TokenClient, 'attributes'>,
  findCertificate: FindCertificate | undefined,
): string | undefined {
  if (!isCertificateBound(client)) return undefined;
  const certificate = findCertificate?.();
  if (!certificate) throw oauthError(400, 'invalid_request', 'Client Certification missing for MTLS HoK Token Binding');
  return certificateThumbprint(certificate);
}

/**
 * Verifies that the certificate of a client has the subject of its settings (`tls_client_auth`, RFC 8705 section 2.1): a regular
 * expression for the whole subject, or, where `x509.allow.regex.pattern.comparison` is off, a name as in RFC 4514. The proxy
 * has verified who issued the certificate. Throws the error of OAuth.
 */
export async function verifyCertificate(
  client: TokenClient,
  certificate: X509Certificate | undefined,
  now: number,
): Promise<void> {
  const refused = (description: string) =>
    oauthError(401, 'invalid_client', description, 'invalid_client_credentials', 'client');
  if (!certificate) throw refused('Client certificate is missing');
  if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo))
    throw refused('Client certificate is not valid at this time');
  const attributes = members(client.attributes);
  const expected = attributes['x509.subjectdn'];
  const byPattern = attributes['x509.allow.regex.pattern.comparison'] !== 'false';
  if (typeof expected !== 'string' || expected === '' || !(await hasSubject(certificate, expected, byPattern)))
    throw refused('Client certificate has another subject');
}

async function hasSubject({ raw }: X509Certificate, expected: string, byPattern: boolean): Promise<boolean> {
  // loaded here, as starting the service without this takes less time and memory
  await import('reflect-metadata');
  const { Name, X509Certificate: Certificate } = await import('@peculiar/x509');
  const { subjectName } = new Certificate(raw);
  // RFC 4514 writes the most specific part first, a certificate has it last
  const subject = [...subjectName.toJSON()].reverse();
  if (byPattern) {
    const text = new Name(subject).toString();
    return [text, text.replaceAll(/(?<!\\), /g, ',')].some((form) => matches(expected, form) === true);
  }
  try {
    const upperCase = expected.replaceAll(/(^|[,+])\s*[a-z\d]+\s*=/gi, (type) => type.toUpperCase());
    // encoded and read again, so that types have the same names as in a certificate
    const named = new Name(new Name(upperCase, furtherTypes).toArrayBuffer()).toJSON();
    // a text that is no name is read as the empty one, which certificates with alternative names alone have
    return named.length > 0 && comparable(named) === comparable(subject);
  } catch {
    return false;
  }
}

/** A name in the form in which equal ones are equal: neither case nor the number of spaces counts (RFC 5280 section 7.1). */
const comparable = (name: readonly Readonly<Record<string, readonly string[]>>[]): string =>
  JSON.stringify(
    name.map((part) =>
      Object.entries(part)
        .flatMap(([type, values]) => values.map((value) => [type, value.trim().replaceAll(/\s+/g, ' ').toLowerCase()]))
        .sort(),
    ),
  );
