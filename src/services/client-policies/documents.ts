import { members } from '../core/json.js';
import { invalid } from '../core/refusal.js';
import { conditions } from './conditions.js';
import { executors } from './executors.js';
import { globalProfiles } from './global-profiles.js';
import type { ClientPolicy, ClientProfile } from './representation.js';

const refused = (message: string, field: string) => invalid(message, field, { member: 'errorMessage' });

/** Refuses the first entry of a list for which `isWrong` is true, at its place. */
function refuseWrong<T>(list: readonly T[], field: string, message: string, isWrong: (one: T) => unknown) {
  const index = list.findIndex((one) => isWrong(one));
  if (index >= 0) throw refused(message, `${field}.${index}`);
}

/** Returns a function that tells of each entry of a list, in their order, whether it has the name of one before it. */
function isSecond() {
  const seen = new Set<unknown>();
  return ({ name }: { name?: string | undefined }): boolean => seen.size === seen.add(name).size;
}

/**
 * The profiles of a realm as they are kept, from the list `field`. Throws `invalid` for names that are missing or there twice, and unknown
 * executors.
 */
export function checkedProfiles(profiles: readonly ClientProfile[], field = 'profiles'): ClientProfile[] {
  const globalNames = new Set(globalProfiles.map(({ name }) => name));
  refuseWrong(profiles, field, 'client profile without its name not allowed.', ({ name }) => !name);
  refuseWrong(profiles, field, 'proposed client profile name duplicated.', isSecond());
  refuseWrong(profiles, field, 'Proposed profile name duplicated as the name of some global profile', ({ name }) =>
    globalNames.has(name ?? ''),
  );
  refuseWrong(
    profiles,
    field,
    'proposed client profile contains the executor, which does not have valid provider, or has invalid configuration.',
    (profile) => profile.executors?.some(({ executor }) => executor === undefined || !executors.has(executor)),
  );
  return [...profiles];
}

/**
 * The policies of a realm as they are kept, from the list `field`. They name some of its profiles or global ones. Throws `invalid` for names
 * that are missing or there twice, unknown profiles and unknown conditions.
 */
export function checkedPolicies(
  policies: readonly ClientPolicy[],
  profiles: readonly Pick<ClientProfile, 'name'>[],
  field = 'policies',
): ClientPolicy[] {
  const known = new Set([...globalProfiles, ...profiles].map(({ name }) => name));
  refuseWrong(policies, field, 'proposed client policy name missing.', ({ name }) => !name);
  refuseWrong(policies, field, 'proposed client policy name duplicated.', isSecond());
  refuseWrong(
    policies,
    field,
    'the proposed client policy contains the condition with its invalid configuration.',
    (policy) => policy.conditions?.some(({ condition }) => condition === undefined || !conditions.has(condition)),
  );
  refuseWrong(policies, field, 'referring not existing client profile not allowed.', (policy) =>
    policy.profiles?.some((name) => !known.has(name)),
  );
  return policies.map((policy) => ({
    ...policy,
    enabled: policy.enabled ?? false,
    conditions: policy.conditions ?? [],
    profiles: [...new Set(policy.profiles)],
  }));
}

interface Settings {
  settings: unknown;
}

const listOf = <T>(value: unknown, name: string): readonly T[] => {
  const found = members(value)[name];
  return Array.isArray(found) ? (found as T[]) : [];
};

/** The profiles that a realm has of its own. */
export const profilesOf = ({ settings }: Settings): readonly ClientProfile[] =>
  listOf(members(settings).clientProfiles, 'profiles');

/** The policies of a realm. They can name profiles that were removed, which have no effect. */
export const policiesOf = ({ settings }: Settings): readonly ClientPolicy[] =>
  listOf(members(settings).clientPolicies, 'policies');

/** The policies of a realm as an export has them: without profiles that were removed, with which they cannot be imported. */
export function exportedPolicies({ settings }: Settings): readonly ClientPolicy[] {
  const known = new Set([...globalProfiles, ...profilesOf({ settings })].map(({ name }) => name));
  return policiesOf({ settings }).map((policy) => ({
    ...policy,
    ...(policy.profiles && { profiles: policy.profiles.filter((name) => known.has(name)) }),
  }));
}
