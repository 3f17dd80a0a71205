import type { NodeOf } from '../session/node.js';
import type { DirectoryDetailQuery } from './documents.js';

type LoadedDirectory = NodeOf<DirectoryDetailQuery>;

/** What each tab of the screen gets. */
export interface DirectoryPart {
  directory: LoadedDirectory;
  realm: NonNullable<DirectoryDetailQuery['realm']>;
  reload(): Promise<LoadedDirectory | undefined>;
}
