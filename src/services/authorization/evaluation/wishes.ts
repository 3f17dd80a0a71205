import type { Wanted } from './evaluate.js';
import type { Concerned } from './store.js';

/** What permissions have to be about to say something of these wishes. */
export const concernedBy = (wishes: readonly Wanted[]): Concerned => ({
  resourceIds: wishes.flatMap(({ resource }) => resource?.id ?? []),
  types: wishes.flatMap(({ resource }) => resource?.type ?? []),
  scopeIds: wishes.flatMap(({ scopes }) => scopes.map(({ id }) => id)),
});
