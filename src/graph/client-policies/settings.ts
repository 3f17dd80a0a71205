import { isDeepStrictEqual } from 'node:util';
import { isObject, textsOf } from '../../services/core/json.js';
import { parsedJson } from '../../services/core/json-file.js';
import { invalid, requireAll } from '../../services/core/refusal.js';
import type { ProviderType } from '../../services/providers/provider.js';
import type { SettingKind, TypedSetting } from '../core/setting-types.js';
import { choices } from '../realms/choices.js';

type Values = Readonly<Record<string, unknown>>;

/** The enums of settings of client policies. */
type PolicyChoice = 'SignatureAlgorithm' | 'ClientKind' | 'ClientScopeUse' | 'ClientUpdaterContext';

interface PolicySetting extends TypedSetting<PolicyChoice> {
  /** the entry of the configuration with its value */
  entry: string;
  /** the only type with it, if another type has another setting in the same entry */
  only?: string;
}

/** An entry of a configuration that no setting shows. */
export interface OtherEntry {
  name: string;
  value: string;
}

/** An entry of a configuration with the setting that cannot show it, if the type has one. */
export interface StoredEntry extends OtherEntry {
  settingName: string | null;
}

/** The stored values of enums, if they differ from the value itself. */
const storedValues: Partial<Record<PolicyChoice, Readonly<Record<string, string>>>> = {
  ClientKind: { BEARER_ONLY: 'bearer-only', CONFIDENTIAL: 'confidential', PUBLIC: 'public' },
  ClientScopeUse: { default: 'Default', optional: 'Optional' },
};

const setting = (
  name: string,
  entry: string,
  kind: SettingKind<PolicyChoice>,
  description: string,
  only?: string,
): PolicySetting => ({
  name,
  entry,
  kind,
  description: `${description} Null: not set, or in \`config\`.`,
  nullable: true,
  ...(only && { only }),
});

/** Settings of executors. */
export const executorSettings: readonly PolicySetting[] = [
  setting('configuresClients', 'auto-configure', 'flag', 'Whether clients are changed to conform, and not refused.'),
  setting(
    'allowedAuthenticators',
    'allowed-client-authenticators',
    'texts',
    'IDs of the client authenticators that clients may use, e.g. `client-jwt`.',
  ),
  setting(
    'defaultAuthenticator',
    'default-client-authenticator',
    'text',
    'ID of the client authenticator of new clients that name none.',
  ),
  setting(
    'defaultAlgorithm',
    'default-algorithm',
    { choice: 'SignatureAlgorithm' },
    'Signature algorithm of new clients that name none.',
  ),
  setting('availablePeriod', 'available-period', 'seconds', 'Seconds for which a request object may be valid.'),
  setting('codeLifespan', 'code-lifespan', 'seconds', 'Most seconds for which an authorization code is valid.'),
  setting(
    'requiresProofNonce',
    'require-nonce',
    'flag',
    'Whether proofs of a key must contain a nonce that the server has given out.',
  ),
  setting('verifiesNotBefore', 'verify-nbf', 'flag', 'Whether request objects must have the claim `nbf`.'),
  setting('requiresEncryption', 'encryption-required', 'flag', 'Whether request objects must be encrypted.'),
  setting(
    'allowsTokenResponseType',
    'allow-token-response-type',
    'flag',
    'Whether the response type `code id_token token` is allowed, too.',
  ),
  setting(
    'requiresClientAssertion',
    'require-client-assertion',
    'flag',
    'Whether clients must authenticate with a client assertion.',
  ),
];

/** Settings of conditions. */
export const conditionSettings: readonly PolicySetting[] = [
  setting(
    'kinds',
    'type',
    { choices: 'ClientKind' },
    'Kinds of clients that meet the condition.',
    'client-access-type',
  ),
  setting('roleNames', 'roles', 'texts', 'Names of the roles that meet the condition.'),
  setting('clientScopeNames', 'scopes', 'texts', 'Names of the client scopes that meet the condition.'),
  setting(
    'clientScopeUse',
    'type',
    { choice: 'ClientScopeUse' },
    'How the client uses the client scopes that meet the condition.',
    'client-scopes',
  ),
  setting(
    'updaterContexts',
    'update-client-source',
    { choices: 'ClientUpdaterContext' },
    'Ways to create or update a client that meet the condition.',
  ),
  setting('groupNames', 'groups', 'texts', 'Names of the groups whose members meet the condition.'),
  setting('hosts', 'trusted-hosts', 'texts', 'Host names and IP addresses that meet the condition.'),
];

/** Largest Int of GraphQL. */
const mostSeconds = 2 ** 31 - 1;

/**
 * The value of a setting for a stored value, which it may represent only in part: `shown` checks that it is complete.
 */
function read({ kind }: PolicySetting, value: unknown): unknown {
  if (kind === 'texts') return textsOf(value);
  if (kind === 'flag') return typeof value === 'boolean' ? value : null;
  if (typeof kind === 'object' && 'choices' in kind) {
    return textsOf(value).flatMap((text) => choiceFor(kind.choices, text) ?? []);
  }
  if (typeof value !== 'string') return null;
  if (typeof kind === 'object') return choiceFor(kind.choice, value) ?? null;
  if (kind !== 'seconds') return value;
  const seconds = Number(value);
  return seconds >= 1 && seconds <= mostSeconds && Number.isInteger(seconds) ? seconds : null;
}

/** The value of an enum for a stored text, if it has one. */
function choiceFor(choice: PolicyChoice, text: string): string | undefined {
  const stored = storedValues[choice];
  if (stored) return Object.keys(stored).find((name) => stored[name] === text);
  return knownValues[choice]?.has(text) ? text : undefined;
}

/** The value of a setting; null if writing it would not store the same value again. */
function shown(setting: PolicySetting, stored: unknown): unknown {
  const value = read(setting, stored);
  return value !== null && isDeepStrictEqual(sent(setting, value), stored) ? value : null;
}

function sent({ kind }: PolicySetting, value: unknown): unknown {
  if (kind === 'seconds') return String(value);
  if (typeof kind !== 'object') return value;
  const stored = storedValues['choice' in kind ? kind.choice : kind.choices] ?? {};
  const text = (name: unknown) => stored[String(name)] ?? name;
  return Array.isArray(value) ? value.map(text) : text(value);
}

/** The ways in which a client can be created or updated. */
export const updaterContexts = {
  AUTHENTICATED_USER: ['ByAuthenticatedUser', 'By a user or service account with a token of the realm.'],
  ANONYMOUS: ['ByAnonymous', 'By a client registration without a token.'],
  INITIAL_ACCESS_TOKEN: ['ByInitialAccessToken', 'By a client registration with an initial access token.'],
  REGISTRATION_ACCESS_TOKEN: [
    'ByRegistrationAccessToken',
    'By a client registration with the registration access token of the client.',
  ],
} as const;

/** Stored values that the schema has, of enums that name them by themselves. */
const knownValues: Partial<Record<PolicyChoice, ReadonlySet<string>>> = {
  SignatureAlgorithm: new Set(Object.keys(choices.SignatureAlgorithm.values)),
  ClientUpdaterContext: new Set(Object.values(updaterContexts).map(([stored]) => stored)),
};

/** Name of a type of executors or conditions, e.g. PKCE_ENFORCER for `pkce-enforcer`. */
export const enumName = (type: string): string => type.toUpperCase().replaceAll('-', '_');

/** The configuration of an executor or a condition, read and written as typed settings. */
export function configurationOf(settings: readonly PolicySetting[], types: readonly ProviderType[]) {
  const entries = new Map(types.map(({ id, properties }) => [id, new Set(properties.map(({ name }) => name))]));
  const settingsOf = (type: string) =>
    settings.filter(({ entry, only = type }) => only === type && entries.get(type)?.has(entry));
  /**
   * Whether a setting shows the entry unchanged. REST may have stored a value that no setting can have, which must not
   * get lost.
   */
  const isShown = (type: string, name: string, value: unknown) =>
    settingsOf(type).some((one) => one.entry === name && shown(one, value) !== null);
  return {
    /**
     * The settings by their names. Null for settings that the type does not have, and for values that are in `others`.
     */
    settings(type: string, configuration: unknown): Values {
      const stored = isObject(configuration) ? configuration : {};
      return Object.fromEntries(settingsOf(type).map((one) => [one.name, shown(one, stored[one.entry])]));
    },
    /** The entries that no setting shows. */
    others(type: string, configuration: unknown): StoredEntry[] {
      const found = Object.entries(isObject(configuration) ? configuration : {});
      return found
        .filter(([name, value]) => !isShown(type, name, value))
        .map(([name, value]) => ({
          name,
          value: JSON.stringify(value),
          settingName: settingsOf(type).find(({ entry }) => entry === name)?.name ?? null,
        }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    /**
     * The configuration from settings and other entries. Entries that the type does not have are refused below `path`.
     */
    configuration(
      type: string,
      given: Values | null | undefined,
      others: readonly OtherEntry[] | null | undefined,
      path: string,
    ): Values {
      const own = settingsOf(type);
      const configuration = new Map<string, unknown>();
      const addSetting = (name: string, value: unknown) => () => {
        const one = own.find((known) => known.name === name);
        const field = `${path}.settings.${name}`;
        if (!one) throw invalid(`\`${name}\` does not apply to the type \`${enumName(type)}\``, field);
        if (one.kind === 'seconds' && Number(value) < 1)
          throw invalid(`\`${field}\` must be at least 1, got ${value}`, field);
        configuration.set(one.entry, sent(one, value));
      };
      const addOther =
        ({ name, value }: OtherEntry, index: number) =>
        () => {
          const field = `${path}.config.${index}`;
          if (name === '__proto__') throw invalid('The name `__proto__` is not allowed', `${field}.name`);
          const parsed = jsonIn(value, `${field}.value`);
          if (configuration.has(name) || isShown(type, name, parsed))
            throw invalid(`The entry \`${name}\` is set as a field of \`settings\``, `${field}.name`);
          configuration.set(name, parsed);
        };
      const set = Object.entries(given ?? {}).filter(([, value]) => value != null);
      requireAll(...set.map(([name, value]) => addSetting(name, value)), ...(others ?? []).map(addOther));
      return Object.fromEntries(configuration);
    },
  };
}

function jsonIn(text: string, field: string): unknown {
  try {
    return parsedJson(text);
  } catch {
    throw invalid(`\`${field}\` must be JSON, e.g. \`true\` or \`"text"\``, field);
  }
}
