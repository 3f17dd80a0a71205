import type { NodeOf, Part } from '../session/node.js';
import type { UserDetailQuery } from './documents.js';

/** A user as its screen has loaded it. */
export type LoadedUser = NodeOf<UserDetailQuery>;

/** What each tab of the screen gets. */
export type UserPart = Part<LoadedUser>;
