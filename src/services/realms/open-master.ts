import type { Context } from '../core/context.js';
import { invalid } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { masterName } from './defaults/master.js';
import type { RealmInput } from './representation.js';

const needed = { code: 'ADMINISTRATION' } as const;

/** Refuses to disable the master realm, and to revoke the tokens that it has yet to issue: no administrator could log in. */
export function requireOpenMaster(
  { services }: Context,
  { realm }: Target,
  { enabled, notBefore = 0 }: RealmInput,
): void {
  if (realm.name !== masterName) return;
  if (enabled === false) throw invalid('The master realm cannot be disabled', 'enabled', needed);
  if (notBefore * 1000 > services.now())
    throw invalid('`notBefore` of the master realm cannot be in the future', 'notBefore', needed);
}
