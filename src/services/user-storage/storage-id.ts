/** Ids of users whom a storage does not import name the storage: `f:<component>:<user name>`, as the contract has them. */
const pattern = /^f:([^:]+):(.+)$/s;

/** The id of such a user. */
export const storageIdOf = (componentId: string, username: string): string => `f:${componentId}:${username}`;

/** The storage and the user name in such an id; nothing for the ids of other users. */
export function parseStorageId(id: string): { componentId: string; username: string } | undefined {
  const [, componentId, username] = pattern.exec(id) ?? [];
  return componentId === undefined || username === undefined ? undefined : { componentId, username };
}

/** How answers say which storage a user comes from: as a link for users who are kept here as well, else as the origin. */
export function linkOf({ id, federationLink }: { id: string; federationLink: string | null }): {
  federationLink?: string;
  origin?: string;
} {
  if (federationLink === null) return {};
  return parseStorageId(id) ? { origin: federationLink } : { federationLink };
}
