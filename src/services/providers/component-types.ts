import { encodeSetting, settingsOf } from '../authentication/provider-settings.js';
import { authenticators, clientAuthenticators, formActions, formProviders } from '../authentication/providers.js';
import { mapperTypesOf } from '../identity-providers/mapper-types.js';
import { providerNames } from '../identity-providers/settings.js';
import { policyConditions, policyExecutors } from './client-policies.js';
import { keyProviders } from './keys.js';
import { allMapperTypes } from './protocol-mappers.js';
import type { ProviderType } from './provider.js';
import { registrationPolicies } from './registration-policies.js';
import { userStorageProviders } from './storage.js';
import { ldapMappers } from './storage-mappers.js';
import { userProfileProviders, validators } from './validators.js';

const plain = ({ id, helpText, properties }: Omit<ProviderType, 'metadata'>): ProviderType => ({
  id,
  helpText,
  properties,
  metadata: {},
});

const steps = (providers: readonly { id: string; description: string }[]): ProviderType[] =>
  providers.map(({ id, description }) => ({
    id,
    helpText: description,
    properties: settingsOf(id).map(encodeSetting),
    metadata: {},
  }));

/** The kinds of mappers of all identity providers, each once. */
function identityProviderMappers(): ProviderType[] {
  const all = [...providerNames.keys()].flatMap((providerId) => mapperTypesOf(providerId));
  return [...new Map(all.map((type) => [type.id, plain(type)])).values()];
}

const keys = 'org.keycloak.keys.KeyProvider';

let known: Readonly<Record<string, readonly ProviderType[]>> | undefined;

/** The providers of this server, by the type of provider as the contract names it. */
export function componentTypes(): Readonly<Record<string, readonly ProviderType[]>> {
  known ??= {
    'org.keycloak.authentication.Authenticator': steps(authenticators),
    'org.keycloak.authentication.ClientAuthenticator': steps(clientAuthenticators),
    'org.keycloak.authentication.FormAction': steps(formActions),
    'org.keycloak.authentication.FormAuthenticator': steps(formProviders),
    'org.keycloak.broker.provider.IdentityProviderMapper': identityProviderMappers(),
    [keys]: keyProviders,
    'org.keycloak.protocol.ProtocolMapper': allMapperTypes.map(plain),
    'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': policyConditions,
    'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': policyExecutors,
    'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': registrationPolicies,
    'org.keycloak.storage.UserStorageProvider': userStorageProviders,
    'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': ldapMappers,
    'org.keycloak.userprofile.UserProfileProvider': userProfileProviders,
    'org.keycloak.validate.Validator': validators,
  };
  return known;
}
