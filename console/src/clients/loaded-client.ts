import type { NodeOf, Part } from '../session/node.js';
import type { ClientDetailQuery } from './documents.js';

/** What each tab of the screen gets. */
export interface ClientPart extends Part<NodeOf<ClientDetailQuery>> {
  /** the client scopes that can be assigned; undefined if the caller may not view them */
  scopes: NonNullable<NonNullable<ClientDetailQuery['realm']>['clientScopes']>['nodes'] | undefined;
}
