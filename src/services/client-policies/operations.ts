import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { members } from '../core/json.js';
import { type AuditRecord, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { refreshRealm } from '../core/realm.js';
import { notFound } from '../core/refusal.js';
import { flag, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import { checkedPolicies, checkedProfiles, policiesOf, profilesOf } from './documents.js';
import { globalProfiles } from './global-profiles.js';
import { ClientPoliciesRepresentation, ClientProfilesRepresentation } from './representation.js';

/** Whether the profiles that every realm has are shown as well. */
const ProfileChoice = representation('ProfileChoice', { global: flag });

export const getPolicies = read({
  name: 'clientPolicies.get',
  summary: 'Returns the client policies of a realm.',
  allow: 'view:realm',
  run: async (_ctx, { realm }: Target) => ({ policies: policiesOf(realm) }),
});

export const getProfiles = read({
  name: 'clientProfiles.get',
  summary: 'Returns the client profiles of a realm.',
  input: ProfileChoice,
  allow: 'view:realm',
  run: async (_ctx, { realm }: Target, { global = false }) => ({
    profiles: profilesOf(realm),
    ...(global && { globalProfiles }),
  }),
});

const lock = ({ realm }: Target) => ({ model: 'Realm' as const, id: realm.id });
const touches = (_: unknown, { realm }: Target) => [`realm:${realm.id}`];
const changed = (what: string, representation: unknown): AuditRecord => ({
  operationType: 'UPDATE',
  resourceType: 'REALM',
  resourcePath: `client-policies/${what}`,
  representation,
});

/** Replaces one setting of a realm by what `change` makes of the present ones. */
async function replace(tx: Db, id: string, change: (settings: Record<string, unknown>) => object): Promise<void> {
  const row = await tx.realm.findUnique({ where: { id }, select: { settings: true } });
  if (!row) throw notFound('Realm not found.');
  const settings = members(row.settings);
  await tx.later.realm.updateMany({
    where: { id },
    data: {
      settings: { ...settings, ...change(settings) } as Prisma.InputJsonObject,
      version: { increment: 1 },
    },
  });
}

export const setProfiles = write({
  name: 'clientProfiles.update',
  summary: 'Replaces the client profiles of a realm. Global profiles are the same in every realm and stay.',
  input: ClientProfilesRepresentation,
  allow: 'manage:realm',
  lock,
  refresh: refreshRealm,
  run: async (tx, { realm }: Target, { profiles = [] }) => {
    const checked = checkedProfiles(profiles);
    await replace(tx, realm.id, () => ({ clientProfiles: { profiles: checked } }));
    return { realmId: realm.id, profiles: checked };
  },
  event: ({ profiles }) => changed('profiles', { profiles }),
  touches,
});

export const patchProfiles = patchOf(setProfiles, {
  current: ({ realm }) => ({ profiles: profilesOf(realm) }),
  empty: { profiles: [] },
});

export const setPolicies = write({
  name: 'clientPolicies.update',
  summary: 'Replaces all client policies of a realm.',
  input: ClientPoliciesRepresentation,
  allow: 'manage:realm',
  lock,
  refresh: refreshRealm,
  run: async (tx, { realm }: Target, { policies = [] }) => {
    let checked = policies;
    await replace(tx, realm.id, (settings) => {
      checked = checkedPolicies(policies, profilesOf({ settings }));
      return { clientPolicies: { policies: checked } };
    });
    return { realmId: realm.id, policies: checked };
  },
  event: ({ policies }) => changed('policies', { policies }),
  touches,
});

export const patchPolicies = patchOf(setPolicies, {
  current: ({ realm }) => ({ policies: policiesOf(realm) }),
  empty: { policies: [] },
});
