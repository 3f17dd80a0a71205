import type { Wanted } from './evaluate.js';
import type { PermissionTargets } from './store.js';

/** The targets of permissions that can apply to these requests. */
export const collectTargets = (requested: readonly Wanted[]): PermissionTargets => ({
  resourceIds: requested.flatMap(({ resource }) => resource?.id ?? []),
  types: requested.flatMap(({ resource }) => resource?.type ?? []),
  scopeIds: requested.flatMap(({ scopes }) => scopes.map(({ id }) => id)),
});
