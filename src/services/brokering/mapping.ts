import { isObject, members, ownMember } from '../core/json.js';
import { matches } from '../core/pattern.js';
import type { MapperRow } from '../identity-providers/encode.js';
import { firstValueAt, textsOfClaim } from './claims.js';
import type { BrokeredIdentity } from './identity.js';
import type { AssertedClaims } from './saml/asserted.js';

/** When mappers apply: `new` users only, or at each login (`again`). */
export type MappingTime = 'new' | 'again';

/** An account after the mappers of a provider, and their changes for the user. */
export interface Mapped {
  /** the account with the username, ID, and profile that mappers have set */
  identity: BrokeredIdentity;
  /** attributes to be set; an empty list removes the attribute */
  attributes: Record<string, string[]>;
  /** settings that name the roles to be granted and removed */
  granted: string[];
  removed: string[];
  /** notes of the session */
  notes: Record<string, string>;
}

type SyncMode = 'IMPORT' | 'LEGACY' | 'FORCE';
type Config = Readonly<Record<string, string>>;

const isSyncMode = (text: string | undefined): text is SyncMode =>
  text === 'IMPORT' || text === 'LEGACY' || text === 'FORCE';

/** The sync mode of a provider (`LEGACY` if it has none), or of a mapper, which can inherit it. */
export const syncModeOf = (config: Config, inherited: SyncMode = 'LEGACY'): SyncMode =>
  isSyncMode(config.syncMode) ? config.syncMode : inherited;

interface Step {
  config: Config;
  time: MappingTime;
  mode: SyncMode;
}

type Apply = (mapped: Mapped, step: Step) => void;

/** Whether a mapper applies: always to new users, then at each login unless the mode is `IMPORT`. */
const isWritten = ({ time, mode }: Step): boolean => time === 'new' || mode !== 'IMPORT';

/** As `isWritten`, but not with `LEGACY`, in which some mappers did nothing for known users. */
const isWrittenByForce = ({ time, mode }: Step): boolean => time === 'new' || mode === 'FORCE';

const profileFields: ReadonlyMap<string, 'email' | 'firstName' | 'lastName'> = new Map([
  ['email', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
]);

function setAttribute(mapped: Mapped, name: string, values: string[]): void {
  if (name === '') return;
  const field = profileFields.get(name.toLowerCase());
  if (field === undefined) {
    mapped.attributes[name] = values;
    return;
  }
  const [value] = values;
  const { [field]: _, ...rest } = mapped.identity;
  // an address from another claim is none that the provider has confirmed
  const isEmailVerified = rest.isEmailVerified && (field !== 'email' || value === mapped.identity.email);
  mapped.identity = { ...rest, ...(value !== undefined && { [field]: value }), isEmailVerified };
}

/** Grants or removes a role at each login. With `LEGACY`, known users only lose it. */
function setRole(mapped: Mapped, { config, time, mode }: Step, hasRole: boolean): void {
  const role = config.role?.trim();
  if (!role || (time === 'again' && mode === 'IMPORT')) return;
  if (!hasRole) {
    if (time === 'again') mapped.removed.push(role);
  } else if (time === 'new' || mode === 'FORCE') mapped.granted.push(role);
}

const claimTexts = ({ identity }: Mapped, path: string | undefined): string[] =>
  path?.trim() ? textsOfClaim(firstValueAt(identity.claims, path.trim())) : [];

/** The values of the attribute of an assertion that has this name, or is known by it to people. */
const attributeTexts = ({ identity }: Mapped, name: string | undefined): string[] => {
  const wanted = name?.trim();
  // claims of other protocols can have the same names
  const attributes = identity.isAsserted
    ? identity.claims.flatMap((set) => (set as Partial<AssertedClaims>).attributes ?? [])
    : [];
  return wanted
    ? attributes.filter((one) => one.name === wanted || one.friendlyName === wanted).flatMap((one) => one.values)
    : [];
};

/** The values of the attribute that a mapper of assertions names. */
const namedAttribute = (mapped: Mapped, config: Config): string[] =>
  attributeTexts(mapped, config['attribute.name']?.trim() || config['attribute.friendly.name']);

/** Whether all claims or attributes of a setting, a JSON list of `key` and `value`, have their values. */
function hasAll(
  list: string | undefined,
  areRegex: string | undefined,
  textsNamed: (name: string) => string[],
): boolean {
  let wanted: unknown;
  try {
    wanted = JSON.parse(list ?? '[]');
  } catch {
    return false;
  }
  const isPattern = areRegex === 'true';
  const pairs = (Array.isArray(wanted) ? wanted : []).filter(isObject);
  return pairs.every(({ key, value }) => {
    const texts = textsNamed(String(key));
    return isPattern ? matchesAny(String(value), texts) : texts.includes(String(value));
  });
}

/** Whether a pattern matches one of the texts. After a text for which it takes too long, it is not tried with others. */
function matchesAny(pattern: string, texts: readonly string[]): boolean {
  for (const text of texts) {
    const isMatch = matches(pattern, text);
    if (isMatch !== false) return isMatch === true;
  }
  return false;
}

/** Whether the account has a role at another Realmgate or Keycloak: `role`, or `client.role`. */
function hasExternalRole(mapped: Mapped, role: string): boolean {
  const has = (roles: unknown, name: string) =>
    Array.isArray(members(roles).roles) && textsOfClaim(members(roles).roles).includes(name);
  return mapped.identity.claims.some((set) => {
    const { realm_access, resource_access } = members(set);
    if (has(realm_access, role)) return true;
    // names of clients and of roles can have dots
    return Object.entries(members(resource_access)).some(
      ([client, roles]) => role.startsWith(`${client}.`) && has(roles, role.slice(client.length + 1)),
    );
  });
}

const changes: Readonly<Record<string, (text: string) => string>> = {
  uppercase: (text) => text.toUpperCase(),
  lowercase: (text) => text.toLowerCase(),
  localpart: (text) => text.split('@')[0] ?? text,
};

/** More characters than a name or an ID may have: what is longer is refused in any case. */
const mostOfPart = 256;

/** The value of a placeholder; empty for one that is not known. */
function valueNamed(mapped: Mapped, placeholder: string): string {
  const { identity } = mapped;
  const [, kind, name] = /^(CLAIM|ATTRIBUTE)\.(.+)$/.exec(placeholder) ?? [];
  if (kind === 'CLAIM') return claimTexts(mapped, name)[0] ?? '';
  if (kind === 'ATTRIBUTE') return attributeTexts(mapped, name)[0] ?? '';
  if (placeholder === 'ALIAS') return identity.alias;
  if (placeholder === 'NAMEID') return identity.nameId?.value ?? '';
  return placeholder === 'UUID' ? crypto.randomUUID() : '';
}

/**
 * A template with data of an account in the place of `${ALIAS}`, `${UUID}`, `${NAMEID}`, `${CLAIM.name}`, and `${ATTRIBUTE.name}`, each with
 * changes after `|`.
 */
function filledTemplate(mapped: Mapped, template: string): string {
  // each character is looked at once: an administrator could write a template that takes minutes
  return template.replace(/\$\{([^{}]+)\}/g, (_, content: string) => {
    const [name = '', ...after] = content.split('|').map((part) => part.trim());
    const value = valueNamed(mapped, name).slice(0, mostOfPart);
    return after.reduce((text, change) => ownMember(changes, change)?.(text) ?? text, value);
  });
}

function setUsername(mapped: Mapped, step: Step): void {
  const { config } = step;
  const value = filledTemplate(mapped, config.template ?? '').trim();
  if (value === '') return;
  switch (config.target) {
    case 'BROKER_ID':
      mapped.identity = { ...mapped.identity, id: value };
      break;
    case 'BROKER_USERNAME':
      mapped.identity = { ...mapped.identity, accountName: value };
      break;
    default:
      if (isWrittenByForce(step)) mapped.identity = { ...mapped.identity, username: value, isNamed: true };
  }
}

const importField =
  (from: string, to: string, isWrittenNow: (step: Step) => boolean): Apply =>
  (mapped, step) => {
    if (isWrittenNow(step)) setAttribute(mapped, step.config[to]?.trim() ?? '', claimTexts(mapped, step.config[from]));
  };

/** Grants a role to accounts that have all claims or attributes of a setting; `textsNamed` reads them. */
const roleByAll =
  (list: string, areRegex: string, textsNamed: (mapped: Mapped, name: string) => string[]): Apply =>
  (mapped, step) => {
    const { [list]: wanted, [areRegex]: isPattern } = step.config;
    const has = hasAll(wanted, isPattern, (name) => textsNamed(mapped, name));
    setRole(mapped, step, has);
  };

/** The effect of each type of mapper, by its ID. */
const types: Readonly<Record<string, Apply>> = {
  'hardcoded-attribute-idp-mapper': (mapped, step) => {
    if (isWritten(step))
      setAttribute(mapped, step.config.attribute?.trim() ?? '', [step.config['attribute.value'] ?? '']);
  },
  'hardcoded-user-session-attribute-idp-mapper': (mapped, { config }) => {
    if (config.attribute) mapped.notes[config.attribute] = config['attribute.value'] ?? '';
  },
  'oidc-hardcoded-role-idp-mapper': (mapped, step) => {
    if (isWrittenByForce(step)) setRole(mapped, step, true);
  },
  'oidc-username-idp-mapper': setUsername,
  'oidc-user-attribute-idp-mapper': importField('claim', 'user.attribute', isWritten),
  'oidc-role-idp-mapper': (mapped, step) =>
    setRole(mapped, step, claimTexts(mapped, step.config.claim).includes(step.config['claim.value'] ?? '')),
  'oidc-advanced-role-idp-mapper': roleByAll('claims', 'are.claim.values.regex', claimTexts),
  'saml-username-idp-mapper': setUsername,
  'saml-user-attribute-idp-mapper': (mapped, step) => {
    if (isWritten(step))
      setAttribute(mapped, step.config['user.attribute']?.trim() ?? '', namedAttribute(mapped, step.config));
  },
  'saml-role-idp-mapper': (mapped, step) =>
    setRole(mapped, step, namedAttribute(mapped, step.config).includes(step.config['attribute.value'] ?? '')),
  'saml-advanced-role-idp-mapper': roleByAll('attributes', 'are.attribute.values.regex', attributeTexts),
  'keycloak-oidc-role-to-role-idp-mapper': (mapped, step) =>
    setRole(mapped, step, hasExternalRole(mapped, step.config['external.role']?.trim() ?? '')),
};

const importJsonField = importField('jsonField', 'userAttribute', isWrittenByForce);

const applyOf = (type: string): Apply | undefined =>
  ownMember(types, type) ?? (type.endsWith('-user-attribute-mapper') ? importJsonField : undefined);

/** Applies the mappers of a provider with these settings to an account. */
export function mappedIdentity(
  identity: BrokeredIdentity,
  mappers: readonly Pick<MapperRow, 'identityProviderMapper' | 'config'>[],
  settings: Config,
  time: MappingTime,
): Mapped {
  const inherited = syncModeOf(settings);
  const mapped: Mapped = { identity, attributes: {}, granted: [], removed: [], notes: {} };
  for (const { identityProviderMapper, config } of mappers) {
    const own = members(config) as Config;
    applyOf(identityProviderMapper)?.(mapped, { config: own, time, mode: syncModeOf(own, inherited) });
  }
  // one mapper may grant what another one removes
  return { ...mapped, removed: mapped.removed.filter((role) => !mapped.granted.includes(role)) };
}
