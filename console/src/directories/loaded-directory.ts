import type { DirectoryDetailQuery } from './documents.js';

/** A directory as its screen has loaded it. */
export type LoadedDirectory = Extract<NonNullable<DirectoryDetailQuery['node']>, { id: string }>;

/** What the screen has loaded of the realm. */
export type LoadedRealm = NonNullable<DirectoryDetailQuery['realm']>;

/** What each tab of the screen gets. */
export interface DirectoryPart {
  directory: LoadedDirectory;
  realm: LoadedRealm;
  reload(): void;
}
