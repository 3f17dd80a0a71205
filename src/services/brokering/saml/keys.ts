import type { KeyObject } from 'node:crypto';
import type { Recipient } from '../../saml/decrypt.js';
import { SamlFault } from '../../saml/document.js';
import { keyOfCertificate } from '../../saml/encrypt.js';
import type { BrokerProvider } from '../provider.js';
import type { PublishedProvider, Upstream } from '../provider-context.js';
import { isOn } from '../provider-settings.js';
import { ownEntityId } from './settings.js';

/** Most certificates of the settings of a provider: a message is verified with each. */
const mostCertificates = 5;

const keysIn = (certificates: readonly string[]): KeyObject[] =>
  certificates.slice(0, mostCertificates).flatMap((one) => keyOfCertificate(one.trim()) ?? []);

/** The signer of the messages of a provider. */
export interface Signer {
  keys: readonly KeyObject[];
  /** entity ID that its messages have to name; undefined if neither settings nor metadata say it */
  issuer: string | undefined;
}

/**
 * Reads a message of a provider with its keys: those of its settings, or those of the metadata that it publishes, which are
 * fetched again if no key fits. Throws `SamlFault`.
 */
export async function withKeys<T>(
  { publishedMetadata }: Upstream,
  { settings }: BrokerProvider,
  read: (signer: Signer) => Promise<T>,
): Promise<T> {
  const url = settings.metadataDescriptorUrl?.trim();
  const entityId = settings.idpEntityId?.trim() || undefined;
  if (!isOn(settings.useMetadataDescriptorUrl) || !url) {
    const keys = keysIn((settings.signingCertificate ?? '').split(','));
    if (keys.length === 0) throw new SamlFault('no_certificate');
    return read({ keys, issuer: entityId });
  }
  const readBy = ({ certificates, entityId: issuer }: PublishedProvider) =>
    read({ keys: keysIn(certificates), issuer });
  const source = { url, entityId };
  const published = await publishedMetadata(source);
  try {
    return await readBy(published);
  } catch (fault) {
    if (!(fault instanceof SamlFault) || fault.message !== 'invalid_signature') throw fault;
    const renewed = await publishedMetadata(source, { outdated: published });
    if (renewed === published) throw fault;
    return readBy(renewed);
  }
}

/** The realm as those for whom a provider encrypts: with its keys. */
export async function ownRecipient(upstream: Upstream, provider: BrokerProvider): Promise<Recipient> {
  const keys = await upstream.keyring.realmKeys(upstream.realm);
  return {
    entityId: ownEntityId(upstream, provider),
    keys: keys.flatMap(({ privateKey, type, status }) =>
      privateKey && type === 'RSA' && status !== 'DISABLED' ? [privateKey] : [],
    ),
  };
}
