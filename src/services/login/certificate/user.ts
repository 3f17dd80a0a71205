import type { X509Certificate } from 'node:crypto';
import { kelvinSign } from '../../brokering/identity.js';
import type { TokenContext } from '../../tokens/context.js';
import { findUserById, findUserByLogin } from '../../tokens/parties.js';
import type { TokenRealm, TokenUser } from '../../tokens/types.js';
import { type CertificateSettings, decimalSerial, identityIn, problemOf, settingsIn } from './identity.js';

/** The user of a certificate, or why it is nobody's. */
export type CertifiedUser =
  | { user: TokenUser }
  | { error: 'invalid_user_credentials' | 'user_not_found'; reason: string };

/**
 * The user whom a certificate identifies, by the settings of a step. The proxy has verified who issued the certificate, and that
 * its key was used.
 */
export async function userOfCertificate(
  context: TokenContext,
  realm: TokenRealm,
  certificate: X509Certificate,
  config: Readonly<Record<string, unknown>>,
): Promise<CertifiedUser> {
  const settings = settingsIn(config);
  const problem = await problemOf(certificate, settings, context.now());
  if (problem) return { error: 'invalid_user_credentials', reason: problem };
  const identity = await identityIn(certificate, settings);
  if (identity.length === 0 || identity.includes(''))
    return { error: 'invalid_user_credentials', reason: 'no_identity' };
  const found = await usersWith(context, realm, identity, settings);
  const [user] = found;
  if (!user) return { error: 'user_not_found', reason: 'no_user' };
  return found.length > 1 ? { error: 'user_not_found', reason: 'several_users' } : { user };
}

async function usersWith(
  context: TokenContext,
  realm: TokenRealm,
  identity: readonly string[],
  settings: CertificateSettings,
): Promise<TokenUser[]> {
  const [login = ''] = identity;
  if (settings('mapper-selection') === 'Username or Email') {
    const isOne = identity.length === 1 && !login.includes(kelvinSign);
    const user = isOne ? await findUserByLogin(context, realm, login) : undefined;
    return user ? [user] : [];
  }
  const names = (settings('mapper-selection.user-attribute-name') ?? 'usercertificate').split('##');
  // a serial number without its issuer is that of many certificates
  if (names.length < identity.length) return [];
  const rows = await context.database.read.user.findMany({
    where: {
      realmId: realm.id,
      serviceAccountClientId: null,
      AND: identity.map((value, at) => ({ attributes: { some: { name: names[at] ?? '', value } } })),
    },
    select: { id: true },
    take: 2,
  });
  const users = await Promise.all(rows.map(({ id }) => findUserById(context, realm, id)));
  return users.flatMap((user) => user ?? []);
}

/** Details of an event about a certificate, under the names that existing tools know. */
export const certificateDetails = (certificate: X509Certificate): Record<string, string> => ({
  x509_cert_serial_number: decimalSerial(certificate),
  x509_cert_subject_distinguished_name: certificate.subject.split('\n').reverse().join(', '),
  x509_cert_issuer_distinguished_name: certificate.issuer.split('\n').reverse().join(', '),
});
