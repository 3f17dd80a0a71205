import { filledAddress } from './kinds.js';
import type { BrokerProvider } from './provider.js';
import { UpstreamFailure } from './provider-context.js';

/** An address of the provider: the setting of this name, or the one of its kind. */
export function addressOf(
  { kind, settings }: BrokerProvider,
  name: 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl' | 'jwksUrl',
): string | undefined {
  const own = settings[name]?.trim();
  if (own) return own;
  const standard = kind[name];
  return standard === undefined ? undefined : filledAddress(standard, settings);
}

/** An address of the provider. Throws `UpstreamFailure` if it has none. */
export function requiredAddress(
  provider: BrokerProvider,
  name: 'authorizationUrl' | 'tokenUrl' | 'userInfoUrl',
): string {
  const address = addressOf(provider, name);
  if (address === undefined || !URL.canParse(address)) throw new UpstreamFailure(`\`${name}\` is missing`);
  return address;
}

/** Where ID tokens may come from. Several are separated by commas; empty if the provider does not say. */
export const issuersOf = ({ kind, settings }: BrokerProvider): string[] =>
  (settings.issuer?.trim() || kind.issuer || '').split(',').flatMap((issuer) => issuer.trim() || []);

/** Whether a setting is on. */
export const isOn = (value: string | undefined): boolean => value === 'true';
