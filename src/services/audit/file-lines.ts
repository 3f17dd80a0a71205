import { eventHorizon } from '../../database/event-positions.js';
import type { Services } from '../core/context.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { Place } from '../events/place.js';
import { eventsOf, lineOf } from '../webhooks/messages.js';
import { blocksAfter, lineOfBlock } from './block.js';
import { type Lines, linesOf } from './file.js';
import { type Follower, follow, type Pass } from './following.js';
import { advance, type Cursor } from './store.js';

/** Maximum events, or blocks, that are read and written at once. */
const atOnce = 200;
/** Interval of the checks for new events, in milliseconds. */
const interval = 250;

/**
 * Appends committed events, and the hashes of blocks of the audit chain, to `AUDIT_FILE`, until the returned function
 * is called. The lines are in the order of positions. Of all processes on the database, one writes at a time. Its
 * progress is stored after the lines are on the disk. So a process that ends in between repeats lines but loses none.
 */
export function startAuditFile(services: Services): () => Promise<void> {
  const { auditFile, auditChain } = services.config;
  if (auditFile === undefined) return async () => undefined;
  const lines = linesOf(auditFile);
  const { reopen } = lines;
  process.on('SIGHUP', reopen);
  const failed = 'the audit file cannot be written; retrying from where it ends';
  const running = follow(services, { lease: 'file', interval, failed }, [
    eventLines(services, lines),
    ...(auditChain ? [blockLines(services, lines)] : []),
  ]);
  return async () => {
    await running;
    process.off('SIGHUP', reopen);
    await lines.close();
  };
}

/** Appends lines, and moves the cursor once they are on the disk. Undefined without lines. */
function appending(
  { database }: Services,
  lines: Lines,
  cursor: Cursor,
  { texts, from, to }: { texts: string[]; from: Place; to: Place | undefined },
): Pass | undefined {
  if (!to) return undefined;
  return async () => {
    await lines.append(texts);
    return inTransaction(database.upkeep, (tx) => advance(tx, cursor, from, to));
  };
}

function eventLines(services: Services, lines: Lines): Follower {
  const { config, database } = services;
  const all = (kind: 'admin' | 'login') => (config.auditEvents.includes(kind) ? [] : undefined);
  const wanted = { realmId: undefined, logins: all('login'), writes: all('admin') };
  return {
    cursor: 'file',
    begin: () => eventHorizon(database),
    async next(from) {
      const horizon = await eventHorizon(database);
      const events = await eventsOf(database.upkeep.read, wanted, from, horizon, atOnce);
      return appending(services, lines, 'file', { texts: events.map(lineOf), from, to: events.at(-1) });
    },
  };
}

function blockLines(services: Services, lines: Lines): Follower {
  return {
    cursor: 'fileBlocks',
    // blocks from the time before the file also prove the events of that time
    begin: async () => 0n,
    async next(from) {
      const blocks = await blocksAfter(services.database.upkeep.read, Number(from.position), atOnce);
      const last = blocks.at(-1);
      const to = last && { position: BigInt(last.number), time: 0n, id: last.id };
      return appending(services, lines, 'fileBlocks', { texts: blocks.map(lineOfBlock), from, to });
    },
  };
}
