import { createHash } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { placeOfPayload } from '../core/sealed-columns.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { TokenContext } from './context.js';
import { invalidGrant, oauthError } from './oauth-error.js';

/** A request that the user answers somewhere else, while its client asks again and again. */
export interface PolledRequest {
  /** id of the client's row */
  clientId: string;
  answer?: object;
  /** seconds since 1970 */
  polledAt?: number;
}

/** A kind of such requests: the purpose of its rows, and how its codes are called in errors and events. */
export interface PolledKind {
  purpose: string;
  name: string;
  event: string;
}

type Stored = Pick<TokenContext, 'database' | 'sealer'>;

/** The id of the row of a code, of which only the hash is stored. */
export const polledId = ({ purpose }: PolledKind, code: string): string =>
  createHash('sha256').update(`${purpose} ${code}`).digest('base64url');

/** The request with this id. */
export async function readPolled<R extends PolledRequest>(
  { database, sealer }: Stored,
  { purpose }: PolledKind,
  realmId: string,
  id: string,
) {
  const where = { id, realmId, purpose };
  const row = await database.read.oneTimeToken.findFirst({ where, select: { payload: true, expiresAt: true } });
  if (!row) return undefined;
  const request = JSON.parse(sealer.open(row.payload, placeOfPayload(id))) as R;
  return { id, stored: row.payload, request, expiresAt: row.expiresAt };
}

/** Stores what has become of a request. False if it has changed or gone since it was read. */
export async function storePolled<R extends PolledRequest>(
  tx: Db,
  { sealer }: Pick<TokenContext, 'sealer'>,
  { id, stored, request }: { id: string; stored: string; request: R },
  change: Partial<R>,
): Promise<boolean> {
  const payload = sealer.seal(JSON.stringify({ ...request, ...change }), placeOfPayload(id));
  return (await tx.oneTimeToken.updateMany({ where: { id, payload: stored }, data: { payload } })).count > 0;
}

/**
 * The answer of the user, once, for a client that asks (RFC 8628 section 3.5, OpenID Connect CIBA Core section 11). Throws what
 * the client is told while there is none, and for a code that is not, or no longer, its own. `interval` is in seconds, `at` in
 * seconds since 1970.
 */
export async function takeAnswer<R extends PolledRequest>(
  context: Stored,
  kind: PolledKind,
  { realmId, clientId, code, interval, at }: PollOf,
): Promise<{ request: R; answer: NonNullable<R['answer']> }> {
  const { database } = context;
  const { name, event } = kind;
  const unknown = () => invalidGrant(`${name} not valid`, `invalid_${event}`);
  const kept = await readPolled<R>(context, kind, realmId, polledId(kind, code));
  if (kept?.request.clientId !== clientId) throw unknown();
  const { id, stored, request, expiresAt } = kept;
  if (expiresAt <= at) throw oauthError(400, 'expired_token', `${name} is expired`, `expired_${event}`);
  if (!request.answer) {
    const isHasty = request.polledAt !== undefined && at - request.polledAt < interval;
    const polled: Partial<PolledRequest> = { polledAt: at };
    await inTransaction(database, (tx) => storePolled<PolledRequest>(tx, context, kept, polled));
    if (isHasty) throw oauthError(400, 'slow_down', 'Slow down');
    throw oauthError(400, 'authorization_pending', 'The authorization request is still pending');
  }
  const taken = await inTransaction(database, (tx) => tx.oneTimeToken.deleteMany({ where: { id, payload: stored } }));
  if (taken.count === 0) throw unknown();
  return { request, answer: request.answer };
}

/** Who asks for the answer, how often it may, and with which code. */
interface PollOf {
  realmId: string;
  clientId: string;
  code: string;
  interval: number;
  at: number;
}
