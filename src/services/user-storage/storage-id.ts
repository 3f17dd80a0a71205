import type { Prisma } from '../../generated/sqlite/client.js';
import { type Config, flagOf } from './config.js';

/** IDs of users that a storage does not import contain the storage: `f:<component>:<username>`, as in the contract. */
const pattern = /^f:([^:]+):(.+)$/s;

/** The ID of a user that is not imported. */
export const storageIdOf = (componentId: string, username: string): string => `f:${componentId}:${username}`;

/** The storage and the username in such an ID; undefined for the IDs of other users. */
export function parseStorageId(id: string): { componentId: string; username: string } | undefined {
  const [, componentId, username] = pattern.exec(id) ?? [];
  return componentId === undefined || username === undefined ? undefined : { componentId, username };
}

/** The settings of a realm's storages that affect its users. */
interface Storages {
  components: readonly { id: string; config: unknown }[];
}

/** The storages of a realm that are switched off. */
export const switchedOff = ({ components }: Storages): Storages['components'] =>
  components.filter(({ config }) => !flagOf(config as Config, 'enabled', true));

/** Whether a user comes from a disabled storage: the account then counts as disabled. */
export const isSwitchedOff = (realm: Storages, { federationLink }: { federationLink: string | null }): boolean =>
  federationLink !== null && switchedOff(realm).some(({ id }) => id === federationLink);

/** Whether a user may log in and have tokens used: not who is disabled, here or with the storage. */
export const isUsable = (realm: Storages, user: { enabled: boolean; federationLink: string | null }): boolean =>
  user.enabled && !isSwitchedOff(realm, user);

/** The disabled storages whose users are not imported: none of their users is shown. */
const hiddenStorages = (realm: Storages): string[] =>
  switchedOff(realm)
    .filter(({ config }) => !flagOf(config as Config, 'importEnabled', true))
    .map(({ id }) => id);

/** The filter of the shown users of a realm. Empty if all are shown. */
export function shownUsers(realm: Storages): Prisma.UserWhereInput {
  const hidden = hiddenStorages(realm);
  return hidden.length === 0 ? {} : { OR: [{ federationLink: null }, { federationLink: { notIn: hidden } }] };
}

/** Whether a user is not shown, as its storage is switched off and has not imported it. */
export const isHidden = (realm: Storages, { federationLink }: { federationLink: string | null }): boolean =>
  federationLink !== null && hiddenStorages(realm).includes(federationLink);

/** The storage of a user in answers: a link for imported users, else the origin. */
export function linkOf({ id, federationLink }: { id: string; federationLink: string | null }): {
  federationLink?: string;
  origin?: string;
} {
  if (federationLink === null) return {};
  return parseStorageId(id) ? { origin: federationLink } : { federationLink };
}
