import { isObject, ownMember } from './json.js';
import { listsByKey } from './lists-by-key.js';

/** A setting that is accepted and kept, as clients of the contract send it, and that changes nothing. */
export interface SettingWithoutEffect {
  /** name of the representation in the contract */
  of:
    | 'RealmRepresentation'
    | 'ClientRepresentation'
    | 'ClientScopeRepresentation'
    | 'IdentityProviderRepresentation'
    | 'ComponentRepresentation';
  /** map of the representation that has the setting; a field of the representation itself otherwise */
  map?: 'attributes' | 'config';
  name: string;
  /** provider of the objects that can have the setting; all if it is missing */
  providerId?: string;
  /** values that ask for nothing: the standard one, which clients send back as they have read it */
  idle: readonly string[];
  reason: string;
}

type Row = [name: string, idle: readonly string[], reason: string];
type Place = Omit<SettingWithoutEffect, 'name' | 'idle' | 'reason'>;

const rows = (place: Place, ...all: Row[]): SettingWithoutEffect[] =>
  all.map(([name, idle, reason]) => ({ ...place, name, idle, reason }));

const off = ['false'];
const noKerberos = 'The server does not take Kerberos tickets.';
const onePool = 'The server has one kind of pool. Only `connectionPooling` and `connectionPoolingMaxSize` change it.';
const oneTheme = 'The pages and emails have one theme. Its colours and logo are settings of the realm.';
const noArtifacts = 'The artifact binding is not supported.';

/** Every setting that is known to have no effect. */
export const settingsWithoutEffect: readonly SettingWithoutEffect[] = [
  ...rows(
    { of: 'RealmRepresentation' },
    ['loginTheme', ['keycloak'], oneTheme],
    ['accountTheme', ['keycloak'], oneTheme],
    ['adminTheme', ['keycloak'], oneTheme],
    ['emailTheme', ['keycloak'], oneTheme],
    ['requiredCredentials', ['password'], 'The flows of the realm say which credentials a login needs.'],
    ['eventsListeners', ['jboss-logging'], 'Events are stored and sent to webhooks. Other listeners do not exist.'],
  ),
  ...rows({ of: 'RealmRepresentation', map: 'attributes' }, [
    'userProfileEnabled',
    off,
    'The fields of user profiles cannot be configured.',
  ]),
  ...rows(
    { of: 'ClientScopeRepresentation', map: 'attributes' },
    ['is.dynamic.scope', off, 'A client scope has one name, without a parameter.'],
    ['dynamic.scope.regexp', [], 'A client scope has one name, without a parameter.'],
  ),
  ...rows(
    { of: 'ClientRepresentation' },
    [
      'surrogateAuthRequired',
      off,
      'Adapters read it. The server does not let a client authenticate a user for others.',
    ],
    ['defaultRoles', [], 'New users get the default role of the realm.'],
  ),
  ...rows(
    { of: 'ClientRepresentation', map: 'attributes' },
    ['login_theme', ['keycloak'], oneTheme],
    ['saml.allow.ecp.flow', off, 'The ECP profile is not supported.'],
    ['saml_artifact_binding_url', [], noArtifacts],
    ['saml_artifact_resolution_service_url', [], noArtifacts],
    ['saml_single_logout_service_url_artifact', [], noArtifacts],
  ),
  ...rows(
    { of: 'IdentityProviderRepresentation' },
    [
      'authenticateByDefault',
      off,
      'The setting `defaultProvider` of the step `identity-provider-redirector` sends users to a provider.',
    ],
    ['updateProfileFirstLoginMode', ['on'], 'The step `idp-review-profile` of the first login says when it is shown.'],
  ),
  ...rows(
    { of: 'IdentityProviderRepresentation', map: 'config', providerId: 'saml' },
    [
      'validateSignature',
      ['true'],
      'The assertion or the response has to be signed: otherwise any browser could log in as anybody.',
    ],
    ['artifactBindingResponse', off, noArtifacts],
  ),
  ...rows(
    { of: 'IdentityProviderRepresentation', map: 'config' },
    ['userIp', off, 'The provider is not told of the address of the user.'],
    ['fetchedFields', [], 'Only the fields that mappers need are requested.'],
  ),
  ...rows(
    { of: 'ComponentRepresentation', map: 'config', providerId: 'ldap' },
    ['allowKerberosAuthentication', off, noKerberos],
    ['useKerberosForPasswordAuthentication', off, noKerberos],
    ['kerberosRealm', [], noKerberos],
    ['serverPrincipal', [], noKerberos],
    ['keyTab', [], noKerberos],
    ['krbPrincipalAttribute', [], noKerberos],
    ['debug', off, noKerberos],
    ['connectionTrace', off, 'The log of the server has the failures of a directory, and no messages.'],
    ['enableLdapPasswordPolicy', off, 'What the directory refuses is shown without the control for password policies.'],
    ['connectionPoolingAuthentication', [], onePool],
    ['connectionPoolingDebug', [], onePool],
    ['connectionPoolingInitSize', [], onePool],
    ['connectionPoolingPrefSize', [], onePool],
    ['connectionPoolingProtocol', [], onePool],
    ['connectionPoolingTimeout', [], onePool],
  ),
  ...rows({ of: 'ComponentRepresentation', providerId: 'kerberos' }, ['providerId', [], noKerberos]),
  ...rows({ of: 'ComponentRepresentation', providerId: 'declarative-user-profile' }, [
    'providerId',
    [],
    'The fields of user profiles cannot be configured.',
  ]),
  ...rows(
    { of: 'ComponentRepresentation', map: 'config' },
    ['ignore.missing.groups', off, 'Subgroups that the directory does not have are always passed over.'],
    [
      'ldap.password.policy.hints.enabled',
      off,
      'New passwords are written without the control by which Active Directory checks their history.',
    ],
  ),
];

const byRepresentation: ReadonlyMap<string, readonly SettingWithoutEffect[]> = listsByKey(
  settingsWithoutEffect.map((setting) => [setting.of, setting]),
);

type Described = Pick<SettingWithoutEffect, 'of' | 'map' | 'providerId'>;

/** The reason why a setting has no effect. Undefined if it has one. */
export const findReason = ({ of, map, providerId }: Described, name: string): string | undefined =>
  byRepresentation
    .get(of)
    ?.find((one) => one.map === map && one.name === name && [undefined, providerId].includes(one.providerId))?.reason;

/** A description of a setting, which also says so if the setting has no effect. */
export function describeEffect(place: Described, name: string, description: string): string {
  const reason = findReason(place, name);
  return reason === undefined ? description : `${description} This setting has no effect. ${reason}`;
}

/** A setting of an input, with the reason why it has no effect. */
export interface FoundSetting {
  path: string[];
  reason: string;
}

/** Parts of representations that hold others: a list of them, or a map of lists. */
const parts: Readonly<Record<string, Readonly<Record<string, SettingWithoutEffect['of']>>>> = {
  RealmRepresentation: {
    clients: 'ClientRepresentation',
    clientScopes: 'ClientScopeRepresentation',
    identityProviders: 'IdentityProviderRepresentation',
    components: 'ComponentRepresentation',
  },
  PartialImportRepresentation: { clients: 'ClientRepresentation', identityProviders: 'IdentityProviderRepresentation' },
  ComponentRepresentation: { subComponents: 'ComponentRepresentation' },
};

const namesOfParts = (of: string): [string, SettingWithoutEffect['of']][] => Object.entries(ownMember(parts, of) ?? {});

/** The settings without effect that an input asks for. `of` is the name of its representation. */
export function findSettingsWithoutEffect(of: string, input: unknown, at: readonly string[] = []): FoundSetting[] {
  if (!isObject(input)) return [];
  const own = (byRepresentation.get(of) ?? []).flatMap((setting) => {
    const { map, name, providerId, reason } = setting;
    if (providerId !== undefined && input.providerId !== providerId) return [];
    const place = map === undefined ? input : input[map];
    const value = isObject(place) ? ownMember(place, name) : undefined;
    return asksForNothing(setting, value) ? [] : [{ path: [...at, ...(map ? [map] : []), name], reason }];
  });
  const nested = namesOfParts(of).flatMap(([field, part]) =>
    entriesOf(input[field]).flatMap(([path, one]) => findSettingsWithoutEffect(part, one, [...at, field, ...path])),
  );
  return [...own, ...nested];
}

/** Whether a value, or each of several, is missing, empty, or the standard one. */
const asksForNothing = ({ idle }: SettingWithoutEffect, value: unknown): boolean =>
  [value].flat().every((one) => one === undefined || one === '' || idle.includes(String(one)));

/** The objects in a list, or in the lists of a map, with their places. */
const entriesOf = (value: unknown): [path: string[], object: unknown][] =>
  Array.isArray(value)
    ? value.map((one, at) => [[String(at)], one])
    : isObject(value)
      ? Object.entries(value).flatMap(([name, list]) =>
          entriesOf(list).map(([path, one]): [string[], unknown] => [[name, ...path], one]),
        )
      : [];
