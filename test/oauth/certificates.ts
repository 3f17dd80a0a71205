import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callback, secret } from './relying-party.js';

/** The header in which the proxies of the tests pass certificates on. */
export const header = 'ssl-client-cert';

/** A certificate of a client, with its key. */
export interface Pair {
  key: string;
  cert: string;
  /** as nginx passes it on */
  escaped: string;
  thumbprint: string;
}

/** Makes a certificate in a folder that has that of the authority `ca`, or a certificate that signs itself. */
export function newPair(folder: string, name: string, subject: string, ...more: string[]): Pair {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-utf8'];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, '-subj', subject, ...more], {
    cwd: folder,
    stdio: 'ignore',
  });
  const [key = '', cert = ''] = ['key', 'crt'].map((kind) => readFileSync(join(folder, `${name}.${kind}`), 'utf8'));
  const thumbprint = Buffer.from(new X509Certificate(cert).fingerprint256.replaceAll(':', ''), 'hex');
  return { key, cert, escaped: encodeURIComponent(cert), thumbprint: thumbprint.toString('base64url') };
}

/** Makes the authority of a folder, and a certificate that it has signed for a client. */
export function newAuthority(folder: string): (name: string, subject: string) => Pair {
  newPair(folder, 'ca', '/CN=Authority', '-days', '2', '-addext', 'keyUsage=keyCertSign');
  return (name, subject) => newPair(folder, name, subject, '-days', '2', '-CA', 'ca.crt', '-CAkey', 'ca.key');
}

/** A client that can be imported. */
export const client = (clientId: string, attributes: Record<string, string> = {}, more: object = {}) => ({
  clientId,
  secret,
  redirectUris: [callback],
  directAccessGrantsEnabled: true,
  serviceAccountsEnabled: true,
  attributes,
  ...more,
});
/** A client that authenticates by a certificate with this subject. */
export const byCertificate = (clientId: string, subject: string, attributes: Record<string, string> = {}) =>
  client(clientId, { 'x509.subjectdn': subject, ...attributes }, { clientAuthenticatorType: 'client-x509' });
export const exact = { 'x509.allow.regex.pattern.comparison': 'false' };
/** The subject of the client that is let in. */
export const name = 'EMAILADDRESS=ops@acme.example, CN=Billing é, OU=Apps, O="Acme, Inc", C=DE';
