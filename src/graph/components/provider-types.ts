import { ownMember } from '../../services/core/json.js';
import { componentTypes } from '../../services/providers/component-types.js';
import { builder } from '../core/builder.js';

/** Names of the types of providers, by the names that the contract has. */
const names = {
  'org.keycloak.authentication.Authenticator': ['AUTHENTICATOR', 'Authenticators of login flows.'],
  'org.keycloak.authentication.ClientAuthenticator': ['CLIENT_AUTHENTICATOR', 'Authenticators of clients.'],
  'org.keycloak.authentication.FormAction': ['FORM_ACTION', 'Actions of a form, such as those of the registration.'],
  'org.keycloak.authentication.FormAuthenticator': ['FORM_PAGE', 'Pages of forms.'],
  'org.keycloak.broker.provider.IdentityProviderMapper': ['IDENTITY_PROVIDER_MAPPER', 'Mappers of identity providers.'],
  'org.keycloak.keys.KeyProvider': ['KEY_PROVIDER', 'Providers of the keys of a realm.'],
  'org.keycloak.protocol.ProtocolMapper': ['PROTOCOL_MAPPER', 'Mappers of clients and client scopes.'],
  'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': [
    'CLIENT_POLICY_CONDITION',
    'Conditions of client policies.',
  ],
  'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': [
    'CLIENT_POLICY_EXECUTOR',
    'Executors of client profiles.',
  ],
  'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': [
    'CLIENT_REGISTRATION_POLICY',
    'Policies for the registration of clients.',
  ],
  'org.keycloak.storage.UserStorageProvider': ['USER_STORAGE', 'User storages, such as LDAP directories.'],
  'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': ['USER_STORAGE_MAPPER', 'Mappers of LDAP directories.'],
  'org.keycloak.userprofile.UserProfileProvider': ['USER_PROFILE', 'Profiles of users.'],
  'org.keycloak.validate.Validator': ['VALIDATOR', 'Validators of the attributes of users.'],
} as const satisfies Readonly<Record<string, readonly [name: string, description: string]>>;

export const ProviderTypeName = builder.enumType('ProviderType', {
  description: 'Type of providers.',
  values: Object.fromEntries(
    Object.entries(names).map(([value, [name, description]]) => [name, { value, description }]),
  ),
});

/** The type, if this version supports it. */
export const knownProviderType = (type: string): string | null => (ownMember(componentTypes(), type) ? type : null);
