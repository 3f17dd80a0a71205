import { createHash, type X509Certificate } from 'node:crypto';
import type * as x509 from '@peculiar/x509';
import { kelvinSign } from '../../brokering/identity.js';
import { ownMember } from '../../core/json.js';
import { firstGroup } from '../../core/pattern.js';

/** Settings of a step, by their names without the prefix `x509-cert-auth.`. */
export type CertificateSettings = (name: string) => string | undefined;

/** The settings of a step that are about certificates. */
export const settingsIn =
  (config: Readonly<Record<string, unknown>>): CertificateSettings =>
  (name) => {
    const value = config[`x509-cert-auth.${name}`];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };

type Parsed = InstanceType<typeof x509.X509Certificate>;

interface Source {
  certificate: X509Certificate;
  parsed: Parsed;
  settings: CertificateSettings;
}

/** Types of names that the reference writes otherwise than the library. */
const typeNames: Readonly<Record<string, string>> = { E: 'EMAILADDRESS', '2.5.4.5': 'SERIALNUMBER' };

/** A value in a name (RFC 4514 section 2.4). Its equals signs are escaped, too: an expression must not find another type in it. */
const escaped = (value: string): string => value.replace(/[\\,+"<>;=]|^[ #]| $/g, '\\$&');

/** A text in lower case. Throws for one that would become another one: a Kelvin sign is no `k`. */
function lowerCase(text: string): string {
  if (text.includes(kelvinSign)) throw new Error('The name has a Kelvin sign');
  return text.toLowerCase();
}

/** A name as a text, the most specific part first: as the reference writes it, or in canonical form. */
function textOf(name: x509.Name, isCanonical: boolean): string {
  const parts = partsOf(name).map((part) =>
    Object.entries(part)
      .flatMap(([type, values]) => values.map((value) => `${ownMember(typeNames, type) ?? type}=${escaped(value)}`))
      .join('+'),
  );
  return isCanonical ? lowerCase(parts.join(',')) : parts.join(', ');
}

/** The parts of a name, the most specific one first. */
const partsOf = (name: x509.Name): Record<string, string[]>[] => [...name.toJSON()].reverse();

/** The most specific value of a type: a name such as `CN=Users, CN=ann` has others. Empty if two are in one part, so that none is meant. */
function fieldOf(name: x509.Name, type: string): string[] {
  const values = partsOf(name).find((part) => Object.hasOwn(part, type))?.[type] ?? [];
  return values.length === 1 ? values : [];
}

function matched(name: x509.Name, settings: CertificateSettings): string[] {
  const text = textOf(name, settings('canonical-dn-enabled') === 'true');
  const expression = settings('regular-expression') ?? '(.*?)(?:$)';
  return firstGroup(expression, text) ?? [];
}

const alternativeNames = ({ parsed }: Source, type: 'email' | 'upn'): string[] =>
  (
    parsed.extensions.find(({ type: oid }) => oid === '2.5.29.17') as x509.SubjectAlternativeNameExtension | undefined
  )?.names.items
    .filter((name) => name.type === type)
    .map(({ value }) => value)
    .slice(0, 1) ?? [];

/** The serial number of a certificate. Some have a negative one. */
export function decimalSerial({ serialNumber }: X509Certificate): string {
  const [, sign = '', digits = '0'] = /^(-?)([0-9a-f]+)$/i.exec(serialNumber) ?? [];
  return `${sign}${BigInt(`0x${digits}`)}`;
}

function serialOf({ certificate, settings }: Source): string {
  if (settings('serialnumber-hex-enabled') !== 'true') return decimalSerial(certificate);
  return certificate.serialNumber.toLowerCase().replace(/^(-?)0+(?=.)/, '$1');
}

/** The parts of a certificate that identify a user, by the setting `mapping-source-selection`. Empty if it does not have them. */
const sources: Readonly<Record<string, (source: Source) => string[]>> = {
  'Match SubjectDN using regular expression': ({ parsed, settings }) => matched(parsed.subjectName, settings),
  'Match IssuerDN using regular expression': ({ parsed, settings }) => matched(parsed.issuerName, settings),
  "Subject's e-mail": ({ parsed }) => fieldOf(parsed.subjectName, 'E'),
  "Subject's Common Name": ({ parsed }) => fieldOf(parsed.subjectName, 'CN'),
  "Subject's Alternative Name E-mail": (source) => alternativeNames(source, 'email'),
  "Subject's Alternative Name otherName (UPN)": (source) => alternativeNames(source, 'upn'),
  'Certificate Serial Number': (source) => [serialOf(source)],
  'Certificate Serial Number and IssuerDN': (source) => [
    serialOf(source),
    textOf(source.parsed.issuerName, source.settings('canonical-dn-enabled') === 'true'),
  ],
  'SHA-256 Thumbprint': ({ certificate }) => [createHash('sha256').update(certificate.raw).digest('hex')],
  'Full Certificate in PEM format': ({ certificate }) => [certificate.raw.toString('base64')],
};

/**
 * Reads a certificate with the library, which is loaded with the first one. Undefined for one that the library cannot read, although
 * OpenSSL can, for example because of an extension.
 */
async function readBy<T>(
  certificate: X509Certificate,
  settings: CertificateSettings,
  read: (source: Source) => T,
): Promise<T | undefined> {
  await import('reflect-metadata');
  const { X509Certificate: Certificate } = await import('@peculiar/x509');
  try {
    return read({ certificate, parsed: new Certificate(certificate.raw), settings });
  } catch {
    return undefined;
  }
}

/** The parts of a certificate that identify a user: one, or serial number and issuer. Empty if it does not have them. */
export async function identityIn(certificate: X509Certificate, settings: CertificateSettings): Promise<string[]> {
  const selected = settings('mapping-source-selection') ?? 'Match SubjectDN using regular expression';
  const read = ownMember(sources, selected);
  const found = read ? ((await readBy(certificate, settings, read)) ?? []) : [];
  return found.map((text) => text.slice(0, mostOfIdentity));
}

/** More characters than a user has in an attribute. */
const mostOfIdentity = 10_000;

/** Names of key usages, in the order of their bits (RFC 5280 section 4.2.1.3). */
const usages = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

const listed = (text: string | undefined): string[] => (text ?? '').split(',').flatMap((one) => one.trim() || []);

/**
 * Why a certificate does not count: it is not valid at this time, lacks a usage that the settings name, or has to be looked up
 * in a list of revoked ones, which only the proxy can do. Undefined if it counts. `now` is in milliseconds since 1970.
 */
export async function problemOf(
  certificate: X509Certificate,
  settings: CertificateSettings,
  now: number,
): Promise<string | undefined> {
  const isOff = settings('timestamp-validation-enabled') === 'false';
  if (!isOff && (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)))
    return 'not_valid_now';
  if (
    ['crl-checking-enabled', 'crldp-checking-enabled', 'ocsp-checking-enabled'].some((one) => settings(one) === 'true')
  )
    return 'revocation_unknown';
  const needed = listed(settings('keyusage'));
  const extended = listed(settings('extendedkeyusage'));
  if (needed.length + extended.length === 0) return undefined;
  const result = await readBy(certificate, settings, ({ parsed: { extensions } }) => {
    const usage = extensions.find(({ type }) => type === '2.5.29.15') as x509.KeyUsagesExtension | undefined;
    const known = usages.filter((_, bit) => ((usage?.usages ?? 0) & (1 << bit)) !== 0);
    if (usage && !needed.every((one) => known.includes(one))) return 'key_usage';
    const purposes = extensions.find(({ type }) => type === '2.5.29.37') as x509.ExtendedKeyUsageExtension | undefined;
    return extended.every((one) => purposes?.usages.map(String).includes(one)) ? 'usable' : 'extended_key_usage';
  });
  return result === 'usable' ? undefined : (result ?? 'unreadable');
}
