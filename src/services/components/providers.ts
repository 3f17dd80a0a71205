import { keyProviderType } from '../keys/provider.js';
import { registrationPolicyType } from '../realms/defaults/components.js';

const common = ['priority', 'enabled', 'active'];

/** The settings that each provider of keys has. Others are kept, but not shown. */
const keySettings = new Map([
  ['rsa-generated', [...common, 'algorithm', 'keySize', 'keyUse']],
  ['rsa', [...common, 'algorithm', 'privateKey', 'certificate']],
  ['java-keystore', [...common, 'algorithm', 'keystore', 'keystorePassword', 'keyAlias', 'keyPassword']],
  ['ecdsa-generated', [...common, 'ecdsaEllipticCurveKey']],
  ['hmac-generated', [...common, 'algorithm', 'secretSize']],
  ['aes-generated', [...common, 'secretSize']],
]);

/** Providers that components can be of, by type. */
const providers = new Map<string, readonly string[]>([
  [keyProviderType, [...keySettings.keys()]],
  [
    registrationPolicyType,
    [
      'allowed-client-templates',
      'allowed-protocol-mappers',
      'client-disabled',
      'consent-required',
      'max-clients',
      'scope',
      'trusted-hosts',
    ],
  ],
  ['org.keycloak.storage.UserStorageProvider', ['ldap', 'kerberos']],
  [
    'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
    [
      'certificate-ldap-mapper',
      'full-name-ldap-mapper',
      'group-ldap-mapper',
      'hardcoded-attribute-mapper',
      'hardcoded-ldap-attribute-mapper',
      'hardcoded-ldap-group-mapper',
      'hardcoded-ldap-role-mapper',
      'msad-lds-user-account-control-mapper',
      'msad-user-account-control-mapper',
      'role-ldap-mapper',
      'user-attribute-ldap-mapper',
    ],
  ],
]);

/** Whether a component can be of this type and provider. */
export const isProvider = (providerType: string | undefined, providerId: string | undefined): boolean =>
  providers.get(providerType ?? '')?.includes(providerId ?? '') ?? false;

/** The part of a component's configuration that answers show. */
export function shownConfig(providerType: string, providerId: string, config: unknown): Record<string, string[]> {
  const whole = config as Record<string, string[]>;
  const known = providerType === keyProviderType ? keySettings.get(providerId) : undefined;
  return known ? Object.fromEntries(Object.entries(whole).filter(([name]) => known.includes(name))) : whole;
}
