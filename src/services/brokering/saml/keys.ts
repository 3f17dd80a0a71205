import type { KeyObject } from 'node:crypto';
import { SamlFault } from '../../saml/document.js';
import { keyOfCertificate } from '../../saml/encrypt.js';
import type { BrokerProvider } from '../provider.js';
import type { Upstream } from '../provider-context.js';
import { isOn } from '../provider-settings.js';

/** Most certificates of a provider: a message is verified with each. */
const mostCertificates = 5;

const keysIn = (certificates: readonly string[]): KeyObject[] =>
  certificates.slice(0, mostCertificates).flatMap((one) => keyOfCertificate(one.trim()) ?? []);

/**
 * Reads a message of a provider with its keys: those of its settings, or those of the metadata that it publishes, which are
 * fetched again if no key fits. Throws `SamlFault`.
 */
export async function withKeys<T>(
  { publishedCertificates }: Upstream,
  { settings }: BrokerProvider,
  read: (keys: readonly KeyObject[]) => Promise<T>,
): Promise<T> {
  const url = settings.metadataDescriptorUrl?.trim();
  if (!isOn(settings.useMetadataDescriptorUrl) || !url) {
    const keys = keysIn((settings.signingCertificate ?? '').split(','));
    if (keys.length === 0) throw new SamlFault('no_certificate');
    return read(keys);
  }
  const certificates = await publishedCertificates(url);
  try {
    return await read(keysIn(certificates));
  } catch (fault) {
    if (!(fault instanceof SamlFault) || fault.message !== 'invalid_signature') throw fault;
    const renewed = await publishedCertificates(url, { isOutdated: certificates });
    if (renewed === certificates) throw fault;
    return read(keysIn(renewed));
  }
}

/** The keys of the realm with which content for it is decrypted. */
export const ownKeys = async ({ keyring, realm }: Upstream): Promise<KeyObject[]> =>
  (await keyring.realmKeys(realm)).flatMap(({ privateKey, type, status }) =>
    privateKey && type === 'RSA' && status !== 'DISABLED' ? [privateKey] : [],
  );
