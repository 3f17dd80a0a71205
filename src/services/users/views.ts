import type { Prisma } from '../../generated/sqlite/client.js';
import { managesMembers } from '../core/delegation.js';
import { storedEncoder } from '../core/fields.js';
import type { RealmRecord } from '../core/realm.js';
import { grouped, type Seen, view } from '../core/view.js';
import { isSwitchedOff, linkOf } from '../user-storage/storage-id.js';
import { userFields } from './fields.js';
import type { ReadUser } from './list.js';
import { profileMetadata } from './profile.js';
import { UserRepresentation } from './representation.js';
import { brief, full, type SingleUser, single } from './store.js';

export type BriefUser = Prisma.UserGetPayload<{ select: typeof brief }>;
export type FullUser = Prisma.UserGetPayload<{ select: typeof full }>;

/** What of the realm shows in its users. */
type Surroundings = Pick<RealmRecord, 'components' | 'identityProviders'>;

const encodeStored = storedEncoder(userFields);

const encodeBriefUser = (user: BriefUser, realm: Surroundings) =>
  Object.assign(encodeStored(user), {
    createdTimestamp: user.createdTimestamp === null ? undefined : Number(user.createdTimestamp),
    // a user of a storage that is switched off counts as disabled
    enabled: user.enabled && !isSwitchedOff(realm, user),
    federationLink: linkOf(user).federationLink,
  });

/** Encodes all fields of a user that do not depend on the caller. */
export const encodeFullUser = (user: FullUser, realm: Surroundings) =>
  Object.assign(encodeBriefUser(user, realm), {
    origin: linkOf(user).origin,
    totp: user._count.credentials > 0,
    attributes: user.attributes.length > 0 ? grouped(user.attributes) : undefined,
    disableableCredentialTypes: [] as string[],
    requiredActions: user.requiredActions as string[],
    notBefore: user.notBefore,
  });

/** The links of a user to identity providers that are there. */
export const encodeIdentities = (
  { federatedIdentities }: Pick<SingleUser, 'federatedIdentities'>,
  { identityProviders }: Surroundings,
) =>
  federatedIdentities
    .filter(({ identityProvider }) => identityProviders.some(({ alias }) => alias === identityProvider))
    .map(({ identityProvider, externalUserId, externalUsername }) => ({
      identityProvider,
      userId: externalUserId,
      ...(externalUsername !== null && { userName: externalUsername }),
    }));

const encodeSingleUser = (user: SingleUser, realm: Surroundings) =>
  Object.assign(encodeFullUser(user, realm), {
    federatedIdentities: realm.identityProviders.length > 0 ? encodeIdentities(user, realm) : undefined,
  });

/** What the caller may do with the users of the realm, as tools read it to show or hide buttons. */
const accessOf = ({ permit }: Seen) => {
  // members of a group that the caller may view can be viewed, and changed if the caller may manage members of all such groups
  const members = permit.delegation && managesMembers(permit.delegation);
  const manage = permit.can('manage:users') || members === true;
  return {
    manageGroupMembership: manage,
    view: permit.can('view:users') || permit.delegation !== undefined,
    mapRoles: manage,
    impersonate: permit.can('impersonate:users'),
    manage,
  };
};

/** Members of groups and users of roles come without `access`. */
export const briefUser = view<BriefUser>(UserRepresentation, brief, (user, { target }) =>
  encodeBriefUser(user, target.realm),
);
export const fullUser = view<FullUser>(UserRepresentation, full, (user, { target }) =>
  encodeFullUser(user, target.realm),
);

/** The entries of the list of users. */
export const listedBriefUser = view<BriefUser>(UserRepresentation, brief, (user, seen) =>
  Object.assign(encodeBriefUser(user, seen.target.realm), { access: accessOf(seen) }),
);
export const listedUser = view<FullUser>(UserRepresentation, full, (user, seen) =>
  Object.assign(encodeFullUser(user, seen.target.realm), { access: accessOf(seen) }),
);

/** One user, with the links to identity providers where the realm has any. */
export const singleUser = view<ReadUser>(UserRepresentation, single, (user, seen) =>
  Object.assign(
    encodeSingleUser(user, seen.target.realm),
    { access: accessOf(seen) },
    user.withMetadata && { userProfileMetadata: profileMetadata(seen.target.realm) },
  ),
);
