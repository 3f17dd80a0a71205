import { createHash } from 'node:crypto';
import { limit } from '../../config/limits.js';
import type { Db } from '../../database/db.js';
import type { Context } from './context.js';
import { exactText, parseExact } from './json.js';
import { Refusal } from './refusal.js';
import type { Place } from './sealed-columns.js';

/** Maximum characters of a key. */
export const longestKey = limit('Requests', 'Idempotency key', 255, 'characters');

/** Outcomes are kept for a day. */
export const idempotencyLifetime = 24 * 60 * 60 * 1000;

export interface Remembered<R> {
  result: R;
  /** IDs of the audit records */
  eventIds: string[];
}

const hash = (...parts: string[]): string => createHash('sha256').update(parts.join('\u0000')).digest('base64url');

/** The identity of a request with a key: the caller, the operation, its target, and its input. */
export function fingerprint(ctx: Context, key: string, operation: string, target: string, input: unknown) {
  return {
    id: hash(ctx.caller.realmId, ctx.caller.userId, key),
    requestHash: hash(operation, target, exactText(input)),
  };
}

type Fingerprint = ReturnType<typeof fingerprint>;

const placeOf = ({ id }: Fingerprint): Place => ({ model: 'IdempotencyKey', id, field: 'outcome' });

/** The outcome of an earlier request with this key. Refuses a key that was used for another request. */
export async function recall<R>(db: Db, ctx: Context, print: Fingerprint): Promise<Remembered<R> | undefined> {
  const row = await db.idempotencyKey.findUnique({ where: { id: print.id } });
  if (!row || Number(row.createdAt) < ctx.services.now() - idempotencyLifetime) return undefined;
  if (row.requestHash !== print.requestHash) {
    throw new Refusal('conflict', 'The Idempotency-Key was already used for another request', {
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
      field: 'idempotencyKey',
    });
  }
  return parseExact(ctx.services.sealer.open(row.outcome, placeOf(print))) as Remembered<R>;
}

/**
 * Takes the key for this transaction. A concurrent request with the same key waits here for the outcome of the first
 * one, which is then returned.
 */
export async function claim<R>(
  tx: Db,
  ctx: Context,
  print: Fingerprint,
  operation: string,
): Promise<Remembered<R> | undefined> {
  const createdAt = BigInt(ctx.services.now());
  await tx.later.idempotencyKey.deleteMany({
    where: { id: print.id, createdAt: { lt: createdAt - BigInt(idempotencyLifetime) } },
  });
  const { requestHash } = print;
  const taken = await tx.insertNew('IdempotencyKey', [
    { id: print.id, operation, requestHash, outcome: '', createdAt },
  ]);
  return taken === 1 ? undefined : recall<R>(tx, ctx, print);
}

/** Stores the outcome in the transaction of the write, so that both are there or neither. */
export async function remember<R>(tx: Db, ctx: Context, print: Fingerprint, outcome: Remembered<R>): Promise<void> {
  await tx.later.idempotencyKey.updateMany({
    where: { id: print.id },
    data: { outcome: ctx.services.sealer.seal(exactText(outcome), placeOf(print)) },
  });
}
