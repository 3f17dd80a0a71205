import { members } from '../services/core/json.js';
import type { RealmRecord } from '../services/core/realm.js';
import { encodeFullUser, type FullUser } from '../services/users/views.js';
import { type Document, digestOf, documentOf } from './document.js';
import { userType } from './schemas.js';
import type { Stored } from './stored.js';

/** A group that a user shows. */
export interface GroupLink {
  id: string;
  name: string;
}

/** The values of a user in the core. */
function storedUser(user: FullUser, realm: RealmRecord): Stored {
  const { username, enabled, firstName, lastName, email, attributes } = encodeFullUser(user, realm);
  return { fields: { username, enabled, firstName, lastName, email }, attributes: attributes ?? {} };
}

/** A user as a document. The groups are part of it, and of its version, if they were read. */
export function userDocument(
  base: string,
  user: FullUser,
  realm: RealmRecord,
  groups: readonly GroupLink[] | undefined,
): Document {
  const stored = storedUser(user, realm);
  const { schemas, externalId, ...document } = documentOf(userType, stored);
  const fullName = [stored.fields.firstName, stored.fields.lastName].filter(Boolean).join(' ');
  if (fullName !== '') {
    document.displayName ??= fullName;
    document.name = { formatted: fullName, ...members(document.name) };
  }
  const version =
    groups && groups.length > 0 ? `${user.version}-${digestOf(groups.map(({ id }) => id))}` : `${user.version}`;
  return {
    schemas,
    id: user.id,
    ...(externalId !== undefined && { externalId }),
    ...document,
    ...(groups &&
      groups.length > 0 && {
        groups: groups.map(({ id, name }) => ({
          value: id,
          $ref: `${base}/Groups/${encodeURIComponent(id)}`,
          display: name,
          type: 'direct',
        })),
      }),
    meta: {
      resourceType: 'User',
      ...(user.createdTimestamp !== null && { created: new Date(Number(user.createdTimestamp)).toISOString() }),
      location: `${base}/Users/${encodeURIComponent(user.id)}`,
      version: `W/"${version}"`,
    },
  };
}
