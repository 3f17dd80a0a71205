import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventHorizon } from '../../database/event-positions.js';
import type { Services } from '../core/context.js';
import { eventsOf, lineOf } from '../webhooks/messages.js';
import { type Lines, linesOf } from './file.js';
import { advance, beginAt, claim, placeOfFile, release } from './store.js';

/** Most events that are read, and written, at once. */
const atOnce = 200;
/** How often new events are looked for, in milliseconds. */
const interval = 250;
/** How long another attempt waits after a failure, in milliseconds. */
const afterFailure = 2000;

/**
 * Appends committed events to `AUDIT_FILE`, in the order of their positions, until the returned function is called. Of all
 * processes on the database, one writes at a time. The place it has come to is stored after the lines are on the disk, so
 * that a process that ends in between repeats lines and loses none.
 */
export function startAuditFile(services: Services): () => Promise<void> {
  const { auditFile } = services.config;
  if (auditFile === undefined) return async () => undefined;
  const lines = linesOf(auditFile);
  const { reopen } = lines;
  process.on('SIGHUP', reopen);
  const running = follow(services, lines);
  return async () => {
    await running;
    process.off('SIGHUP', reopen);
    await lines.close();
  };
}

async function follow(services: Services, lines: Lines): Promise<void> {
  const { database, log, stopping } = services;
  const owner = randomUUID();
  let hasBegun = false;
  while (!stopping.aborted) {
    let wait = interval;
    try {
      if (!hasBegun) await beginAt(database, await eventHorizon(database));
      hasBegun = true;
      await writeNew(services, lines, owner);
    } catch (error) {
      wait = afterFailure;
      log.error({ err: error }, 'the audit file cannot be written; retrying from where it ends');
    }
    await sleep(wait, undefined, { signal: stopping }).catch(() => undefined);
  }
  await release(database, owner).catch(() => undefined); // the lease ends by itself
}

/** Writes what is there, if no other process does. */
async function writeNew({ database, config, stopping }: Services, lines: Lines, owner: string): Promise<void> {
  const all = (kind: 'admin' | 'login') => (config.auditEvents.includes(kind) ? [] : undefined);
  const wanted = { realmId: undefined, logins: all('login'), writes: all('admin') };
  while (!stopping.aborted) {
    const horizon = await eventHorizon(database);
    const place = await placeOfFile(database.upkeep.read);
    const events = await eventsOf(database.upkeep.read, wanted, place, horizon, atOnce);
    const last = events.at(-1);
    if (!last || !(await claim(database, owner))) return;
    // another process may have written them before it let the file go
    const now = await placeOfFile(database.upkeep.read);
    if (now.id !== place.id || now.position !== place.position) continue;
    await lines.append(events.map(lineOf));
    if (!(await advance(database, owner, last))) return;
  }
}
