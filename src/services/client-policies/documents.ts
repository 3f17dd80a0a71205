import { members } from '../core/json.js';
import { invalid } from '../core/refusal.js';
import { conditions } from './conditions.js';
import { executors } from './executors.js';
import { globalProfiles } from './global-profiles.js';
import type { ClientPolicy, ClientProfile } from './representation.js';

const refused = (message: string, field: string) => invalid(message, field, { member: 'errorMessage' });

const isTwice = (names: readonly (string | undefined)[]): boolean => new Set(names).size < names.length;

/** The profiles of a realm as they are kept. Throws `invalid` for names that are missing or there twice, and unknown executors. */
export function checkedProfiles(profiles: readonly ClientProfile[]): ClientProfile[] {
  if (profiles.some(({ name }) => !name)) throw refused('client profile without its name not allowed.', 'profiles');
  const names = profiles.map(({ name }) => name);
  if (isTwice(names)) throw refused('proposed client profile name duplicated.', 'profiles');
  if (globalProfiles.some(({ name }) => names.includes(name))) {
    throw refused('Proposed profile name duplicated as the name of some global profile', 'profiles');
  }
  const isKnown = (name: string | undefined) => name !== undefined && executors.has(name);
  if (profiles.some((profile) => profile.executors?.some(({ executor }) => !isKnown(executor)))) {
    throw refused(
      'proposed client profile contains the executor, which does not have valid provider, or has invalid configuration.',
      'profiles',
    );
  }
  return [...profiles];
}

/**
 * The policies of a realm as they are kept, which name some of its profiles or global ones. Throws `invalid` for names that
 * are missing or there twice, unknown profiles and unknown conditions.
 */
export function checkedPolicies(
  policies: readonly ClientPolicy[],
  profiles: readonly Pick<ClientProfile, 'name'>[],
): ClientPolicy[] {
  if (policies.some(({ name }) => !name)) throw refused('proposed client policy name missing.', 'policies');
  if (isTwice(policies.map(({ name }) => name))) throw refused('proposed client policy name duplicated.', 'policies');
  const isKnown = (name: string | undefined) => name !== undefined && conditions.has(name);
  if (policies.some((policy) => policy.conditions?.some(({ condition }) => !isKnown(condition)))) {
    throw refused('the proposed client policy contains the condition with its invalid configuration.', 'policies');
  }
  const known = new Set([...globalProfiles, ...profiles].map(({ name }) => name));
  if (policies.some((policy) => policy.profiles?.some((name) => !known.has(name)))) {
    throw refused('referring not existing client profile not allowed.', 'policies');
  }
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

/**
 * The policies of a realm. Profiles that they name and that were removed are left out: they have no effect, and policies that
 * name such profiles can be neither written back nor imported.
 */
export function policiesOf({ settings }: Settings): readonly ClientPolicy[] {
  const known = new Set([...globalProfiles, ...profilesOf({ settings })].map(({ name }) => name));
  return listOf<ClientPolicy>(members(settings).clientPolicies, 'policies').map((policy) => ({
    ...policy,
    ...(policy.profiles && { profiles: policy.profiles.filter((name) => known.has(name)) }),
  }));
}
