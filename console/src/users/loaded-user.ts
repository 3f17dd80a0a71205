import type { UserDetailQuery, UserFormFragment } from './documents.js';

/** A user as its screen has loaded it. */
export type LoadedUser = Extract<NonNullable<UserDetailQuery['node']>, { username: string }>;

/** What each tab of the screen gets. */
export interface UserPart {
  user: LoadedUser;
  realm: string;
  reload(): void;
}

/** The values of the form. */
export type UserValues = Omit<UserFormFragment, 'id' | 'version'>;

/** The values of the form of a stored user. */
export const valuesOf = (user: UserFormFragment): UserValues => ({
  username: user.username,
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  isEnabled: user.isEnabled,
  isEmailVerified: user.isEmailVerified,
  requiredActions: user.requiredActions,
  attributes: user.attributes.map(({ name, values }) => ({ name, values })),
});
