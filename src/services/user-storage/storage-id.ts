import type { Prisma } from '../../generated/sqlite/client.js';
import { type Config, flagOf } from './config.js';

/** IDs of users that a storage does not import contain the storage: `f:<component>:<username>`, as in the contract. */
const pattern = /^f:([^:]+):(.+)$/s;

/** The ID of a user that is not imported. */
export const storageIdOf = (componentId: string, username: string): string => `f:${componentId}:${username}`;

/** The storage and the user name in such an id; nothing for the ids of other users. */
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

/** Whether a user comes from a storage that is switched off: the account counts as disabled. */
export const isSwitchedOff = (realm: Storages, { federationLink }: { federationLink: string | null }): boolean =>
  federationLink !== null && switchedOff(realm).some(({ id }) => id === federationLink);

/** Whether a user may log in and have tokens used: not who is disabled, here or with the storage. */
export const isUsable = (realm: Storages, user: { enabled: boolean; federationLink: string | null }): boolean =>
  user.enabled && !isSwitchedOff(realm, user);

/** The storages that are switched off and whose users are not imported: nobody of them is shown. */
const hiddenStorages = (realm: Storages): string[] =>
  switchedOff(realm)
    .filter(({ config }) => !flagOf(config as Config, 'importEnabled', true))
    .map(({ id }) => id);

/** The users of a realm that are shown. Empty, without a condition, where all are. */
export function shownUsers(realm: Storages): Prisma.UserWhereInput {
  const hidden = hiddenStorages(realm);
  return hidden.length === 0 ? {} : { OR: [{ federationLink: null }, { federationLink: { notIn: hidden } }] };
}

/** Whether a user is not shown, as its storage is switched off and has not imported it. */
export const isHidden = (realm: Storages, { federationLink }: { federationLink: string | null }): boolean =>
  federationLink !== null && hiddenStorages(realm).includes(federationLink);

/** How answers say which storage a user comes from: as a link for users who are kept here as well, else as the origin. */
export function linkOf({ id, federationLink }: { id: string; federationLink: string | null }): {
  federationLink?: string;
  origin?: string;
} {
  if (federationLink === null) return {};
  return parseStorageId(id) ? { origin: federationLink } : { federationLink };
}
