import type { Context } from './context.js';
import type { Entitled } from './grants.js';
import { isWhole } from './held-rights.js';
import type { Permit } from './ports.js';
import { forbidden } from './refusal.js';
import type { Target } from './target.js';

/** Refuses callers who may not do everything in the realm. */
export function requireWhole({ realm }: Target, permit: Permit): void {
  if (!isWhole(realm, permit.rights)) throw forbidden();
}

/** Checks all entitlements that an operation declares. */
export async function requireEntitled<T extends Target, I>(
  ctx: Context,
  { grants, actsOn, alters }: Entitled<T, I, Context>,
  permit: Permit,
  target: T,
  input: I,
): Promise<void> {
  const { access } = ctx.services;
  if ((!grants && !actsOn && !alters) || isWhole(target.realm, permit.rights)) return;
  const altered = await alters?.(target, input, ctx);
  if (altered) await access.requireUnrelated(ctx, target, permit, altered);
  const users = await actsOn?.(target, input, ctx);
  if (users) await access.requireBelow(ctx, target, permit, users);
  const granted = await grants?.(target, input, ctx);
  if (granted) await access.requireGrantable(ctx, target, permit, granted);
}
