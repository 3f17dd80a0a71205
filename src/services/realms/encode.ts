import type { Prisma } from '../../generated/sqlite/client.js';
import { exportedPolicies } from '../client-policies/documents.js';
import { mask } from '../core/mask.js';
import { type RealmRecord, realmSelect } from '../core/realm.js';
import type { Sealer } from '../core/seal.js';
import {
  encodeIdentityProvider,
  encodeIdentityProviderMapper,
  identityProviderMapperSelect,
  identityProviderSelect,
} from '../identity-providers/encode.js';
import { keptEventTypes } from './defaults/events.js';
import type { RealmSettings } from './representation.js';

/** The columns of a realm's representation, besides its default role. */
export const wholeRealmSelect = {
  ...realmSelect,
  identityProviders: { select: identityProviderSelect, orderBy: { alias: 'asc' } },
  providerMappers: { select: identityProviderMapperSelect, orderBy: [{ name: 'asc' }, { id: 'asc' }] },
  groups: { where: { isDefault: true }, select: { path: true }, orderBy: { path: 'asc' } },
} as const satisfies Prisma.RealmSelect;

/** The realm's default role, read by `defaultRoleId`. */
export const defaultRoleSelect = {
  id: true,
  name: true,
  description: true,
  container: true,
  _count: { select: { composites: true } },
} as const satisfies Prisma.RoleSelect;

type WholeRealm = Prisma.RealmGetPayload<{ select: typeof wholeRealmSelect }>;
type DefaultRole = Prisma.RoleGetPayload<{ select: typeof defaultRoleSelect }>;

/**
 * RealmRepresentation as `GET /{realm}` answers it. With `open` the secrets of identity providers are shown, which only
 * exports need.
 */
export function encodeRealm(realm: WholeRealm, defaultRole: DefaultRole | null, open?: Sealer['open']) {
  const settings = realm.settings as RealmSettings;
  // the reference server has `adminEventsExpiration` only as an attribute
  const { eventsExpiration, adminEventsExpiration: _, passwordPolicy, ...others } = settings;
  return {
    id: realm.id,
    realm: realm.name,
    enabled: realm.enabled,
    ...(realm.displayName !== null && { displayName: realm.displayName }),
    ...others,
    ...(others.clientPolicies && { clientPolicies: { policies: exportedPolicies(realm) } }),
    ...(eventsExpiration && { eventsExpiration }),
    ...(passwordPolicy && { passwordPolicy }),
    otpSupportedApplications: otpApplications(settings),
    attributes: realm.attributes as Record<string, string>,
    smtpServer: { ...settings.smtpServer, ...(realm.smtpPassword !== null && { password: mask }) },
    ...(defaultRole && { defaultRole: encodeDefaultRole(defaultRole) }),
    ...(realm.groups.length > 0 && { defaultGroups: realm.groups.map((group) => group.path) }),
    identityProviders: realm.identityProviders.map((provider) => encodeIdentityProvider(provider, open)),
    identityProviderMappers: realm.providerMappers.map(encodeIdentityProviderMapper),
  };
}

const encodeDefaultRole = (role: DefaultRole) => ({
  id: role.id,
  name: role.name,
  ...(role.description !== null && { description: role.description }),
  composite: role._count.composites > 0,
  clientRole: false,
  containerId: role.container,
});

/** The applications for one-time codes that support the policy. */
function otpApplications({
  otpPolicyType,
  otpPolicyDigits,
  otpPolicyAlgorithm,
  otpPolicyPeriod,
}: RealmSettings): string[] {
  const common =
    otpPolicyType === 'totp' && otpPolicyDigits === 6 && otpPolicyAlgorithm === 'HmacSHA1' && otpPolicyPeriod === 30;
  return common ? ['FreeOTP', 'Google Authenticator'] : ['FreeOTP'];
}

/** RealmEventsConfigRepresentation. A realm that chooses no types of events stores all of them. */
export function encodeEventsConfig(realm: Pick<RealmRecord, 'settings'>) {
  const settings = realm.settings as RealmSettings;
  const {
    eventsEnabled,
    eventsExpiration,
    eventsListeners,
    enabledEventTypes,
    adminEventsEnabled,
    adminEventsDetailsEnabled,
  } = settings;
  return {
    eventsEnabled: eventsEnabled ?? false,
    ...(eventsExpiration && { eventsExpiration }),
    eventsListeners: eventsListeners ?? [],
    enabledEventTypes: enabledEventTypes?.length ? enabledEventTypes : keptEventTypes,
    adminEventsEnabled: adminEventsEnabled ?? false,
    adminEventsDetailsEnabled: adminEventsDetailsEnabled ?? false,
  };
}
