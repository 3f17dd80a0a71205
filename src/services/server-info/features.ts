import { ownMember } from '../core/json.js';
import { hashAlgorithms } from '../credentials/hashing.js';
import { operationTypes, resourceTypes } from '../events/representation.js';
import { eventTypes } from '../events/types.js';
import { providerNames } from '../identity-providers/settings.js';
import { installationProviders } from '../installation/providers.js';
import { actionTokenTypes } from '../mail/action-token.js';
import { languages } from '../mail/texts.js';
import { builtinMappers } from '../providers/builtin-mappers.js';
import { componentTypes } from '../providers/component-types.js';
import { passwordPolicyTypes } from '../providers/password-policies.js';
import { protocolMapperTypes } from '../providers/protocol-mappers.js';
import { requiredActions } from '../realms/defaults/required-actions.js';

/** Identity providers for a standard; all others are for one service. */
const standards = new Set(['oidc', 'keycloak-oidc', 'saml']);

const identityProviders = () =>
  [...providerNames].map(([id, name]) => ({
    groupName: standards.has(id) ? 'User-defined' : 'Social',
    id,
    name,
  }));

const byProtocol = <T extends { protocol: string }>(items: readonly T[]): Record<string, T[]> => {
  const grouped: Record<string, T[]> = {};
  for (const item of items) grouped[item.protocol] = [...(grouped[item.protocol] ?? []), item];
  return grouped;
};

/** Names of the kinds of providers, as tools ask for them, by the type of provider. */
const kinds: Readonly<Record<string, string>> = {
  'org.keycloak.authentication.Authenticator': 'authenticator',
  'org.keycloak.authentication.ClientAuthenticator': 'client-authenticator',
  'org.keycloak.authentication.FormAction': 'form-action',
  'org.keycloak.authentication.FormAuthenticator': 'form-authenticator',
  'org.keycloak.broker.provider.IdentityProviderMapper': 'identity-provider-mapper',
  'org.keycloak.keys.KeyProvider': 'keys',
  'org.keycloak.protocol.ProtocolMapper': 'protocol-mapper',
  'org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider': 'client-policy-condition',
  'org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider': 'client-policy-executor',
  'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': 'client-registration-policy',
  'org.keycloak.storage.UserStorageProvider': 'storage',
  'org.keycloak.storage.ldap.mappers.LDAPStorageMapper': 'ldap-mapper',
};

const signatures = ['ES', 'HS', 'PS', 'RS'].flatMap((family) => ['256', '384', '512'].map((size) => family + size));

/** Kinds that forms of tools offer, with the names of the reference: settings may have any of them. */
const choices: Readonly<Record<string, readonly string[]>> = {
  actionTokenHandler: actionTokenTypes,
  signature: signatures,
  clientSignature: signatures,
  cekmanagement: ['RSA-OAEP', 'RSA-OAEP-256', 'RSA1_5'],
  contentencryption: ['A128CBC-HS256', 'A128GCM', 'A192CBC-HS384', 'A192GCM', 'A256CBC-HS512', 'A256GCM'],
  eventsListener: ['email', 'jboss-logging'],
  'login-protocol': ['openid-connect', 'saml'],
  'required-action': [...requiredActions.map(({ alias }) => alias), 'VERIFY_PROFILE'],
};

/** The kinds of providers that this server has or tools offer, each with its providers. */
function providers() {
  const listed = (ids: Iterable<string>) => ({
    internal: false,
    providers: Object.fromEntries([...ids].map((id) => [id, { order: 0 }])),
  });
  const types = componentTypes();
  const social = [...providerNames.keys()].filter((id) => !standards.has(id));
  return {
    ...Object.fromEntries(
      Object.entries(kinds).map(([type, kind]) => [kind, listed((ownMember(types, type) ?? []).map(({ id }) => id))]),
    ),
    'client-installation': listed(installationProviders.map(({ id }) => id)),
    identity_provider: listed(standards),
    ...Object.fromEntries(Object.entries(choices).map(([kind, ids]) => [kind, listed([...ids].sort())])),
    'password-hashing': listed(hashAlgorithms),
    'password-policy': listed(passwordPolicyTypes.map(({ id }) => id)),
    social: listed(social),
    theme: listed(['folder']),
  };
}

const locales = () => [...languages.keys()].sort();

/** The only theme, under the names that realms use. */
const themes = () => {
  const texts = (name: string) => ({ name, locales: locales() });
  return {
    account: [texts('base'), texts('keycloak')],
    admin: [texts('base'), texts('keycloak')],
    common: [{ name: 'keycloak' }],
    email: [texts('base'), texts('keycloak')],
    login: [texts('base'), texts('keycloak')],
    welcome: [{ name: 'keycloak' }],
  };
};

/** Features of the reference that this server does not have. */
const profileInfo = {
  name: 'community',
  disabledFeatures: ['DECLARATIVE_USER_PROFILE', 'MAP_STORAGE', 'OPENSHIFT_INTEGRATION', 'SCRIPTS', 'UPLOAD_SCRIPTS'],
  previewFeatures: [],
  experimentalFeatures: [],
};

const made = () => ({
  builtinProtocolMappers: Object.fromEntries(
    Object.entries(builtinMappers).map(([protocol, mappers]) => [
      protocol,
      mappers.map((mapper) => ({ ...mapper, protocol, consentRequired: false })),
    ]),
  ),
  clientInstallations: byProtocol(installationProviders.map(({ make: _, ...provider }) => provider)),
  componentTypes: componentTypes(),
  enums: { eventType: eventTypes, operationType: operationTypes, resourceType: resourceTypes },
  identityProviders: identityProviders(),
  passwordPolicies: passwordPolicyTypes,
  profileInfo,
  protocolMapperTypes,
  providers: providers(),
  socialProviders: identityProviders().filter(({ groupName }) => groupName === 'Social'),
  themes: themes(),
});

let known: ReturnType<typeof made> | undefined;

/** The features of this server: the same for every caller, and constant while it runs. */
export function features(): ReturnType<typeof made> {
  known ??= made();
  return known;
}
