import type { Prisma } from '../../../generated/sqlite/client.js';
import { checkedPolicies, checkedProfiles, profilesOf } from '../../client-policies/documents.js';
import { managedChanges } from '../../core/managed.js';
import { mask } from '../../core/mask.js';
import { checkFrontendUrl } from '../../core/realm.js';
import { invalid, requireAll } from '../../core/refusal.js';
import { placeOfSmtpPassword } from '../../core/sealed-columns.js';
import { isHashAlgorithm } from '../../credentials/hashing.js';
import { validatePasswordPolicy } from '../../credentials/password-policy.js';
import { checkAppearanceAttributes } from '../../login/appearance.js';
import { requireSender } from '../../mail/address.js';
import { checkUserHint } from '../../tokens/backchannel-user.js';
import {
  browserSecurityHeaders,
  flowBindings,
  otpPolicy,
  realmAttributes,
  realmSettings,
} from '../defaults/settings.js';
import { type RealmInput, type RealmSettings, settingFields } from '../representation.js';
import type { Draft } from './draft.js';

const settingNames = Object.keys(settingFields) as (keyof RealmSettings)[];

/** The settings of an input, under the names of the column. */
export function givenSettings(input: RealmInput): RealmSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) if (input[name] !== undefined) given[name] = input[name];
  given.oauth2DeviceCodeLifespan ??= input.oAuth2DeviceCodeLifespan;
  given.oauth2DevicePollingInterval ??= input.oAuth2DevicePollingInterval;
  if (input.clientProfiles) given.clientProfiles = { profiles: input.clientProfiles.profiles ?? [] };
  for (const name in given) if (given[name] === undefined) delete given[name];
  return given as RealmSettings;
}

/** Settings with their client profiles and policies, after these were checked. Throws `invalid`. */
export function withCheckedPolicies(given: RealmSettings, old: RealmSettings = {}): RealmSettings {
  const { clientProfiles, clientPolicies } = given;
  const profiles = clientProfiles
    ? checkedProfiles(clientProfiles.profiles ?? [], 'clientProfiles.profiles')
    : profilesOf({ settings: old });
  return {
    ...given,
    ...(clientProfiles && { clientProfiles: { profiles: [...profiles] } }),
    ...(clientPolicies && {
      clientPolicies: {
        policies: checkedPolicies(clientPolicies.policies ?? [], profiles, 'clientPolicies.policies'),
      },
    }),
  };
}

/** A one-time code policy that names its type is taken as a whole: missing fields are absent or zero, as recorded. */
export function wholeOtpPolicy(input: RealmInput): RealmSettings {
  const { otpPolicyType, otpPolicyAlgorithm } = input;
  return {
    otpPolicyType,
    otpPolicyAlgorithm,
    otpPolicyInitialCounter: input.otpPolicyInitialCounter ?? 0,
    otpPolicyDigits: input.otpPolicyDigits ?? 0,
    otpPolicyLookAheadWindow: input.otpPolicyLookAheadWindow ?? 0,
    otpPolicyPeriod: input.otpPolicyPeriod ?? 0,
  };
}

/** Settings that are also attributes with the same name: always, or after they were sent once. */
const always = ['oauth2DeviceCodeLifespan', 'oauth2DevicePollingInterval'] as const;
export const onceSent = [
  'clientSessionIdleTimeout',
  'clientSessionMaxLifespan',
  'clientOfflineSessionIdleTimeout',
  'clientOfflineSessionMaxLifespan',
] as const;
/** A setting that answers show as an attribute only. */
const attributeOnly = ['adminEventsExpiration'] as const;

/** The attributes that mirror settings, from all settings and the given ones. */
export function mirroredAttributes(settings: RealmSettings, given: RealmSettings): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const name of always) attributes[name] = String(settings[name]);
  for (const name of onceSent) if (given[name] !== undefined) attributes[name] = String(given[name]);
  for (const name of attributeOnly) if (given[name]) attributes[name] = String(given[name]);
  return attributes;
}

/** The attributes whose setting was sent as 0, which means none. */
export const clearedAttributes = (given: RealmSettings): string[] => attributeOnly.filter((name) => given[name] === 0);

/** The settings that were sent as attributes only. */
export function mirroredSettings(attributes: Readonly<Record<string, string>> | undefined): RealmSettings {
  const settings: RealmSettings = {};
  for (const name of [...always, ...onceSent]) {
    const value = attributes?.[name];
    if (value !== undefined && /^\d{1,9}$/.test(value)) settings[name] = Number(value);
  }
  // it is removed with the attribute, because given attributes replace all others
  for (const name of attributeOnly) if (attributes) settings[name] = Number(attributes[name] ?? 0);
  return settings;
}

/** Throws `invalid` if the retention time of admin events, in a setting or an attribute, is not a valid time. */
function checkAdminEventsExpiration({ adminEventsExpiration, attributes }: RealmInput): void {
  for (const value of [adminEventsExpiration ?? '', attributes?.adminEventsExpiration ?? '']) {
    if (value === '' || /^\d{1,9}$/.test(String(value))) continue;
    throw invalid(
      `\`adminEventsExpiration\` must be a number of seconds from 0 to 999999999, got ${value}`,
      'adminEventsExpiration',
    );
  }
}

/** Throws `invalid` if the attribute `managedChanges` has an unknown value. */
function checkManagedChanges({ attributes }: RealmInput): void {
  const value = attributes?.managedChanges;
  if (value === undefined || value === '' || managedChanges.some((known) => known === value)) return;
  throw invalid(
    `\`managedChanges\` must be one of ${managedChanges.join(', ')}, got ${value}`,
    'attributes.managedChanges',
  );
}

/** Throws `invalid`, with all faults, if an attribute that this service reads has an invalid value. */
export const checkAttributes = (input: RealmInput): void =>
  requireAll(
    () => checkAdminEventsExpiration(input),
    () => checkManagedChanges(input),
    () => checkAppearanceAttributes(input.attributes),
    () => checkFrontendUrl(input.attributes),
    () => checkUserHint(input.attributes),
  );

/** The mail server without its password. */
export function withoutPassword(smtpServer: Readonly<Record<string, string>>): Record<string, string> {
  const { password: _, ...rest } = smtpServer;
  return rest;
}

/** Columns of the realm from its own fields: settings, attributes, and the password of the mail server. */
export function settingColumns({ input, context, realmId, refusals }: Draft) {
  const unchecked = givenSettings(input);
  const given = refusals.attempt(() => withCheckedPolicies(unchecked)) ?? unchecked;
  refusals.attempt(() => validatePasswordPolicy(given.passwordPolicy, { isHashAlgorithm }));
  refusals.attempt(() => checkAttributes(input));
  const smtpServer = given.smtpServer ?? {};
  refusals.attempt(() => requireSender(smtpServer));
  const settings: RealmSettings = {
    ...realmSettings,
    ...mirroredSettings(input.attributes),
    ...given,
    ...(input.otpPolicyType === undefined ? otpPolicy : wholeOtpPolicy(input)),
    browserSecurityHeaders: { ...browserSecurityHeaders, ...given.browserSecurityHeaders },
    smtpServer: withoutPassword(smtpServer),
  };
  const { password } = smtpServer;
  return {
    settings: settings as Prisma.InputJsonObject,
    attributes: { ...realmAttributes, ...input.attributes, ...mirroredAttributes(settings, given) },
    smtpPassword:
      password === undefined || password === '' || password === mask
        ? null
        : context.seal(password, placeOfSmtpPassword({ id: realmId })),
  };
}

export const bindingNames = Object.keys(flowBindings) as (keyof typeof flowBindings)[];
