import type { NodeOf, Part } from '../session/node.js';
import type { GroupDetailQuery } from './documents.js';

/** What each tab of the screen gets. */
export type GroupPart = Part<NodeOf<GroupDetailQuery>>;
