import type { Context } from './context.js';
import type { Alters, Grants, Users } from './grants.js';
import { isWhole } from './held-rights.js';
import type { Permit } from './ports.js';
import { forbidden } from './refusal.js';
import type { Target } from './target.js';

type Asked<T, I, A> = (target: T, input: I, ctx: Context) => A | undefined | Promise<A | undefined>;

/** What an operation declares besides its permission. The pipeline asks for it, so that nobody gets more than they have. */
export interface Entitled<T, I> {
  /** the roles that somebody gets or loses: none that gives administration roles or delegated rights beyond those of the caller */
  grants?: Asked<T, I, Grants>;
  /** the users whose account is changed or used: none with administration roles or delegated rights that the caller does not have */
  actsOn?: Asked<T, I, Users>;
  /** what is changed itself: nothing that administration hangs on, unless by those who may do everything in the realm */
  alters?: Asked<T, I, Alters>;
}

/** Refuses callers who may not do everything in the realm. */
export function requireWhole({ realm }: Target, permit: Permit): void {
  if (!isWhole(realm, permit.rights)) throw forbidden();
}

/** Asks for all that an operation declares. */
export async function requireEntitled<T extends Target, I>(
  ctx: Context,
  { grants, actsOn, alters }: Entitled<T, I>,
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
