import type { Wanted } from './evaluate.js';
import type { Concerned } from './store.js';

/** The targets of permissions that can apply to these requests. */
export const concernedBy = (wishes: readonly Wanted[]): Concerned => ({
  resourceIds: wishes.flatMap(({ resource }) => resource?.id ?? []),
  types: wishes.flatMap(({ resource }) => resource?.type ?? []),
  scopeIds: wishes.flatMap(({ scopes }) => scopes.map(({ id }) => id)),
});
