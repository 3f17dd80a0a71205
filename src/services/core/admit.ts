import type { z } from 'zod';
import { breaksIn } from '../../database/turns.js';
import { permissionOf, requiredPermissions } from './allow.js';
import type { Context } from './context.js';
import { isAllowedForSome, isAllowedForTarget } from './delegation.js';
import { requireEntitled } from './entitlement.js';
import { decodeAnyVersion, decodeNewer } from './ignored-fields.js';
import { decodeLongLists, type Place } from './long-lists.js';
import type { Read } from './operation.js';
import { permitFor } from './permit.js';
import type { Permit } from './ports.js';
import { forbidden } from './refusal.js';
import type { Input } from './shape.js';
import { type Spool, SpooledInput } from './spool.js';
import type { Target } from './target.js';

/** Finds the target of an operation; throws its 404. */
export type Locate<T> = (ctx: Context) => Promise<T>;

/** The raw input of an operation, or a function that returns it and is called after the permission check. */
export type Sent<T> = unknown | ((target: T) => unknown);

type Admitting<T extends Target, S extends z.ZodType> = Pick<
  Read<T, S, unknown>,
  'allow' | 'asksEach' | 'input' | 'check' | 'grants' | 'actsOn' | 'alters' | 'anyVersion' | 'hasLongLists'
>;

async function requirePermission<T extends Target, S extends z.ZodType>(
  ctx: Context,
  operation: Admitting<T, S>,
  permit: Permit,
  target: T,
): Promise<void> {
  const { delegation } = permit;
  if (operation.asksEach) {
    const isHeld = requiredPermissions(operation).some(
      ({ permission }) => permit.can(permission) || (delegation && isAllowedForSome(delegation, permission)),
    );
    if (!isHeld) throw forbidden();
    return;
  }
  const permission = permissionOf(operation, target);
  const delegated =
    delegation && !permit.can(permission) && (await isAllowedForTarget(ctx.db, delegation, permission, target));
  if (!delegated) permit.require(permission);
}

async function decoded<S extends z.ZodType>(
  ctx: Context,
  { anyVersion, hasLongLists }: { anyVersion?: boolean; hasLongLists?: boolean },
  shape: S,
  sent: unknown,
): Promise<Input<S>> {
  const read = (part: unknown, place?: Place): Input<S> =>
    (anyVersion ? decodeAnyVersion : decodeNewer)(ctx, shape, part, place);
  return hasLongLists ? decodeLongLists(sent, read, breaksIn(ctx.db)) : read(sent);
}

/**
 * Locates the target, checks the permission, and decodes the input, in this order: 404, 403, 400. If the input is a
 * function, it is not called before that.
 */
export async function admit<T extends Target, S extends z.ZodType>(
  ctx: Context,
  operation: Admitting<T, S>,
  locate: Locate<T>,
  raw: Sent<T>,
): Promise<{ target: T; permit: Permit; input: Input<S>; aside?: Spool }> {
  const target = await locate(ctx);
  const permit = await permitFor(ctx, target.realm);
  await requirePermission(ctx, operation, permit, target);
  const given = typeof raw === 'function' ? await raw(target) : raw;
  const aside = given instanceof SpooledInput ? given : undefined;
  try {
    const sent = aside ? aside.rest : given;
    const input = (operation.input ? await decoded(ctx, operation, operation.input, sent) : undefined) as Input<S>;
    await requireEntitled(ctx, operation, permit, target, input);
    await operation.check?.(permit, target, input, ctx);
    return { target, permit, input, ...(aside && { aside: aside.list }) };
  } catch (error) {
    await aside?.list.close();
    throw error;
  }
}
