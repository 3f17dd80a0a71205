import type { Prisma } from '../../generated/sqlite/client.js';
import { mask } from '../core/mask.js';
import type { RealmRecord } from '../core/realm.js';
import { invalid } from '../core/refusal.js';
import type { Sealer } from '../core/seal.js';
import { placeOfSmtpPassword } from '../core/sealed-columns.js';
import { requireSameDestination } from '../core/stored-secrets.js';
import { isHashAlgorithm } from '../credentials/hashing.js';
import { validatePasswordPolicy } from '../credentials/password-policy.js';
import { certificateBytes } from '../keys/certificate.js';
import { isSignatureAlgorithm } from '../keys/jws.js';
import { requireSender } from '../mail/address.js';
import {
  bindingNames,
  checkAttributes,
  clearedAttributes,
  givenSettings,
  mirroredAttributes,
  mirroredSettings,
  wholeOtpPolicy,
  withCheckedPolicies,
  withoutPassword,
} from './assemble/settings.js';
import { realmAttributes, realmSettings, settingsLostWithAttributes, webAuthnPolicies } from './defaults/settings.js';
import type { EventsConfigInput } from './nested-representations.js';
import type { RealmInput, RealmSettings } from './representation.js';

type Attributes = Readonly<Record<string, string>>;

/** The settings of a realm that can be empty, with the empty value of an update. */
export const emptySettings = {
  displayName: '',
  displayNameHtml: '',
  passwordPolicy: '',
  accountTheme: '',
  adminTheme: '',
  emailTheme: '',
  loginTheme: '',
  defaultLocale: '',
  webAuthnPolicyRpId: '',
  webAuthnPolicyPasswordlessRpId: '',
  eventsExpiration: 0,
  adminEventsExpiration: 0,
  notBefore: 0,
  enabledEventTypes: [],
  eventsListeners: [],
  supportedLocales: [],
  requiredCredentials: [],
  webAuthnPolicyAcceptableAaguids: [],
  webAuthnPolicySignatureAlgorithms: [],
  webAuthnPolicyPasswordlessAcceptableAaguids: [],
  webAuthnPolicyPasswordlessSignatureAlgorithms: [],
  attributes: {},
  browserSecurityHeaders: {},
  smtpServer: {},
};

export interface UpdateContext {
  seal: Sealer['seal'];
  /** aliases of the flows that the realm has; needed only for an input that binds flows */
  flowAliases: ReadonlySet<string>;
  /**
   * Whether omitted settings are reset as on the reference server. The WebAuthn policies are reset by every update,
   * `settingsLostWithAttributes` by an update that sends attributes, and one-time code policies in part.
   */
  asReference: boolean;
}

/** The columns of a realm that an update changes. */
export interface RealmChanges {
  name?: string;
  enabled?: boolean;
  displayName?: string | null;
  settings?: Prisma.InputJsonObject;
  attributes?: Record<string, string>;
  smtpPassword?: string | null;
}

/** The changes of a realm by an update. Nested resources and the ID in the input are ignored. */
export function applyRealmUpdate(row: RealmRecord, input: RealmInput, context: UpdateContext): RealmChanges {
  const given = withCheckedPolicies(givenSettings(input), row.settings as RealmSettings);
  check(given, context);
  checkAttributes(input);
  checkKeys(input);
  const settings = newSettings(row.settings as RealmSettings, given, input, context);
  const attributes = newAttributes(row.attributes, input.attributes, mirroredAttributes(settings, given), context);
  for (const name of clearedAttributes(given)) delete attributes[name];
  const displayName = input.displayName ?? (context.asReference && input.attributes ? null : undefined);
  const smtpPassword = newSmtpPassword(row, given, context);
  return {
    ...(input.realm !== undefined && input.realm !== row.name && { name: input.realm }),
    ...(input.enabled !== undefined && { enabled: input.enabled }),
    ...(displayName !== undefined && { displayName }),
    ...(differs(settings, row.settings) && { settings: settings as Prisma.InputJsonObject }),
    ...(differs(attributes, row.attributes) && { attributes }),
    ...(smtpPassword !== undefined && { smtpPassword }),
  };
}

const differs = (a: object, b: object): boolean => JSON.stringify(a) !== JSON.stringify(b);

/**
 * The keys of a realm are its key providers. Keys in fields of older versions are only checked, as by the reference
 * server.
 */
function checkKeys({ privateKey, publicKey, certificate }: RealmInput): void {
  if (privateKey !== undefined && publicKey !== undefined) {
    throw invalid('The keys of a realm are set through its key providers', 'privateKey');
  }
  if (certificate !== undefined && !certificateBytes(certificate)) {
    throw invalid('Not an X.509 certificate', 'certificate');
  }
}

/** Refuses settings with an algorithm that this server cannot sign with. */
export function requireSignatureAlgorithm({
  defaultSignatureAlgorithm,
}: Pick<RealmSettings, 'defaultSignatureAlgorithm'>): void {
  const algorithm = defaultSignatureAlgorithm ?? '';
  if (algorithm !== '' && !isSignatureAlgorithm(String(algorithm)))
    throw invalid(`Signature algorithm "${algorithm}" is not supported`, 'defaultSignatureAlgorithm');
}

function check(given: RealmSettings, { flowAliases }: UpdateContext): void {
  validatePasswordPolicy(given.passwordPolicy, { isHashAlgorithm });
  requireSignatureAlgorithm(given);
  for (const name of bindingNames) {
    const alias = given[name];
    if (alias !== undefined && !flowAliases.has(alias)) throw invalid(`Authentication flow "${alias}" not found`, name);
  }
}

function newSettings(
  old: RealmSettings,
  given: RealmSettings,
  input: RealmInput,
  { asReference }: UpdateContext,
): RealmSettings {
  const kept: RealmSettings = {
    ...old,
    ...(asReference && input.attributes && settingsLostWithAttributes),
    ...(asReference && webAuthnPolicies),
  };
  requireSender(given.smtpServer);
  const settings: RealmSettings = {
    ...kept,
    // A setting wins over the attribute of its name when both are sent.
    ...mirroredSettings(input.attributes),
    ...given,
    ...(asReference && input.otpPolicyType !== undefined && wholeOtpPolicy(input)),
    browserSecurityHeaders: { ...kept.browserSecurityHeaders, ...given.browserSecurityHeaders },
    ...(given.smtpServer && { smtpServer: withoutPassword(given.smtpServer) }),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as RealmSettings;
}

/** Given attributes replace all others, except for attributes that every realm has or that mirror a setting. */
function newAttributes(
  old: Attributes,
  sent: Attributes | undefined,
  mirrored: Attributes,
  { asReference }: UpdateContext,
): Record<string, string> {
  if (!sent) return { ...old, ...mirrored };
  const own = { ...realmAttributes };
  if (!asReference) {
    for (const name in old)
      if (Object.hasOwn(realmAttributes, name) || Object.hasOwn(realmSettings, name)) own[name] = old[name] ?? '';
  }
  return { ...own, ...sent, ...mirrored };
}

/** Undefined if the password stays: the mail settings were not sent, or have the mask. */
function newSmtpPassword(
  row: RealmRecord,
  { smtpServer }: RealmSettings,
  { seal }: UpdateContext,
): string | null | undefined {
  if (!smtpServer) return undefined;
  if (smtpServer.password === mask) {
    const before = ((row.settings as RealmSettings).smtpServer ?? {}) as Attributes;
    const kept = () => row.smtpPassword !== null;
    requireSameDestination('mailServer', { before, after: smtpServer, kept }, 'smtpServer');
    return undefined;
  }
  return smtpServer.password === undefined || smtpServer.password === ''
    ? null
    : seal(smtpServer.password, placeOfSmtpPassword(row));
}

/**
 * The settings after an update of the events configuration. On the reference server, the two fields about storing
 * events are cleared if they are left out.
 */
export function applyEventsConfig(
  row: RealmRecord,
  input: EventsConfigInput,
  asReference: boolean,
): Prisma.InputJsonObject {
  const { eventsExpiration, ...old } = row.settings as RealmSettings;
  const kept: RealmSettings = asReference
    ? { ...old, eventsEnabled: realmSettings.eventsEnabled }
    : { ...old, ...(eventsExpiration && { eventsExpiration }) };
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  return { ...kept, ...given } as Prisma.InputJsonObject;
}
