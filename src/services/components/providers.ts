import { keyProviderType } from '../keys/provider.js';
import { keyProviders, newerKeyProviders } from '../providers/keys.js';
import type { ProviderType } from '../providers/provider.js';
import { registrationPolicies } from '../providers/registration-policies.js';
import { userStorageProviders } from '../providers/storage.js';
import { ldapMappers } from '../providers/storage-mappers.js';
import { registrationPolicyType } from '../realms/defaults/components.js';

/** Providers that components can be of, by type. */
const providers = new Map<string, readonly ProviderType[]>([
  [keyProviderType, [...keyProviders, ...newerKeyProviders]],
  [registrationPolicyType, registrationPolicies],
  ['org.keycloak.storage.UserStorageProvider', userStorageProviders],
  ['org.keycloak.storage.ldap.mappers.LDAPStorageMapper', ldapMappers],
]);

const providerOf = (providerType: string | undefined, providerId: string | undefined): ProviderType | undefined =>
  providers.get(providerType ?? '')?.find(({ id }) => id === providerId);

/** Whether a component can be of this type and provider. */
export const isProvider = (providerType: string | undefined, providerId: string | undefined): boolean =>
  providerOf(providerType, providerId) !== undefined;

/** The part of a component's configuration that answers show: of a provider of keys only the settings that it has. */
export function shownConfig(providerType: string, providerId: string, config: unknown): Record<string, string[]> {
  const whole = config as Record<string, string[]>;
  const known = providerType === keyProviderType ? providerOf(providerType, providerId) : undefined;
  if (!known) return whole;
  const names = new Set(known.properties.map(({ name }) => name));
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.has(name)));
}
