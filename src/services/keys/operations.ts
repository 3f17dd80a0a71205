import type { Context } from '../core/context.js';
import { read } from '../core/operation.js';
import { paceOf } from '../core/pace.js';
import type { RealmKey } from '../core/ports.js';
import type { Target } from '../core/target.js';
import { refuseWithin } from '../core/unit-of-work.js';

export const keys = read({
  name: 'realm.keys',
  summary: 'Returns the keys of a realm without their private or secret parts.',
  allow: 'view:realm',
  run: (ctx, { realm }: Target): Promise<readonly RealmKey[]> => currentKeys(ctx, realm),
});

/** The realm's keys from the current state of its components. Missing keys are generated. */
export async function currentKeys(ctx: Context, realm: Target['realm']): Promise<readonly RealmKey[]> {
  refuseWithin(ctx, 'The keys of a realm cannot be read');
  await paceOf(ctx).partsDone();
  return ctx.services.keyring.realmKeys(realm, { fresh: true });
}
