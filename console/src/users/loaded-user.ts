import type { UserDetailQuery } from './documents.js';

/** A user as its screen has loaded it. */
export type LoadedUser = Extract<NonNullable<UserDetailQuery['node']>, { id: string }>;

/** What each tab of the screen gets. */
export interface UserPart {
  user: LoadedUser;
  realm: string;
  reload(): void;
}
