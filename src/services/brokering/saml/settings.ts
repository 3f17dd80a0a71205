import { acceptedAlgorithms, algorithmNamed } from '../../saml/algorithms.js';
import { nameIdFormats } from '../../saml/names.js';
import { type BrowserBinding, signingFor } from '../../saml/settings.js';
import type { Signing } from '../../saml/sign.js';
import { issuerOf } from '../../tokens/context.js';
import type { BrokerProvider } from '../provider.js';
import { type Upstream, UpstreamFailure } from '../provider-context.js';
import { isOn } from '../provider-settings.js';

/** A place of a provider that messages are sent to. */
export interface ProviderPlace {
  address: string;
  binding: BrowserBinding;
}

const placeOf = (address: string | undefined, isPost: boolean): ProviderPlace | undefined => {
  const text = address?.trim() ?? '';
  return URL.canParse(text) ? { address: text, binding: isPost ? 'post' : 'redirect' } : undefined;
};

/** Where logins at a provider begin. Throws `UpstreamFailure` if there is no such place. */
export function signOnPlace({ settings }: BrokerProvider): ProviderPlace {
  const place = placeOf(settings.singleSignOnServiceUrl, isOn(settings.postBindingAuthnRequest));
  if (!place) throw new UpstreamFailure('`singleSignOnServiceUrl` is missing');
  return place;
}

/** The place where a provider learns of logouts; undefined if it has none. */
export const logoutPlace = ({ settings }: BrokerProvider): ProviderPlace | undefined =>
  placeOf(settings.singleLogoutServiceUrl, isOn(settings.postBindingLogout));

/** The entity ID of this server at a provider: the realm's issuer, unless a setting says otherwise. */
export const ownEntityId = (
  { baseUrl, realm }: Pick<Upstream, 'baseUrl' | 'realm'>,
  { settings }: Pick<BrokerProvider, 'settings'>,
): string => settings.entityId?.trim() || issuerOf(baseUrl, realm.name);

/** The format in which the provider is asked to name users. */
export const nameIdFormatOf = ({ settings }: BrokerProvider): string =>
  settings.nameIDPolicyFormat?.trim() || nameIdFormats.persistent;

/** With which algorithms a provider may sign: with SHA-1 only if the settings name it. */
export const acceptedOf = ({ settings }: BrokerProvider) => acceptedAlgorithms(settings.signatureAlgorithm);

/** How messages to a provider are signed; undefined if they are not. */
export const signingTo = async (
  { keyring, realm }: Upstream,
  { settings }: BrokerProvider,
): Promise<Signing | undefined> =>
  isOn(settings.wantAuthnRequestsSigned)
    ? signingFor({ keyring }, realm, {
        keyName: settings.xmlSigKeyInfoKeyNameTransformer?.trim() || 'KEY_ID',
        algorithm: algorithmNamed(settings.signatureAlgorithm),
        canonicalization: undefined,
      })
    : undefined;

/** How far the clock of a provider may differ, in seconds; undefined for the standard. */
export function skewOf({ settings }: BrokerProvider): number | undefined {
  const skew = Number(settings.allowedClockSkew?.trim() || Number.NaN);
  return Number.isFinite(skew) && skew >= 0 ? skew : undefined;
}
