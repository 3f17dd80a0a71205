import { eventHorizon } from '../../database/event-positions.js';
import { gauge } from '../../telemetry/instruments.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { Place } from '../events/place.js';
import { type AuditEvent, auditEvents, entriesText, hashOf, placeOfProof } from './block.js';
import { follow } from './following.js';
import { advance } from './store.js';

/** Maximum events of a block. */
const atOnce = 200;
/** How often events are sealed, in milliseconds. Until then, a change of them does not show. */
const interval = 1000;

/** The time of the oldest event that this process must seal, in milliseconds; undefined if there is none. */
let oldest: bigint | undefined;

gauge(
  {
    name: 'realmgate_audit_oldest_unsealed_seconds',
    help: 'Age of the oldest admin event that is not in the audit chain yet, if AUDIT_CHAIN is set. 0 if there is none.',
  },
  (age) => age.set(oldest === undefined ? 0 : Math.max((Date.now() - Number(oldest)) / 1000, 0)),
  { together: 'max' },
);

/**
 * Seals committed admin events into the blocks of the audit chain if `AUDIT_CHAIN` is set, until the returned function
 * is called. It begins with the oldest event. Writes of events do not wait for it. Of all processes on the database,
 * one seals at a time.
 */
export function startAuditChain(services: Services): () => Promise<void> {
  if (!services.config.auditChain) return async () => undefined;
  const { database } = services;
  const failed = 'audit records cannot be sealed; retrying';
  const running = follow(services, { lease: 'chain', interval, failed }, [
    {
      cursor: 'chain',
      begin: async () => 0n,
      next: async (from) => {
        const horizon = await eventHorizon(database);
        const events = await auditEvents(database.upkeep.read, from, { position: { lt: horizon } }, atOnce);
        const last = events.at(-1);
        oldest = events[0]?.time;
        return last && (() => seal(services, events, from, last));
      },
    },
  ]);
  return () => running;
}

/** Stores a block of these events after the last one, and moves the cursor, in one transaction. */
const seal = (
  { database, sealer, now }: Services,
  events: readonly AuditEvent[],
  from: Place,
  to: Place,
): Promise<boolean> =>
  inTransaction(database.upkeep, async (tx) => {
    if (!(await advance(tx, 'chain', from, to))) return false;
    const head = await tx.auditBlock.findFirst({ orderBy: { number: 'desc' }, select: { id: true, number: true } });
    const number = (head?.number ?? 0) + 1;
    const block = {
      ...{ number, previous: head?.id ?? '', sealedAt: BigInt(now()), afterPosition: from.position },
      ...{ lastPosition: to.position, lastTime: to.time, lastId: to.id, entries: entriesText(events) },
    };
    const id = hashOf(block);
    await tx.auditBlock.createMany({ data: { ...block, id, proof: sealer.seal(String(number), placeOfProof(id)) } });
    return true;
  });
