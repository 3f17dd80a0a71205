import type { Logger } from 'pino';
import { createOutages } from '../telemetry/outages.js';
import { databaseFault } from './errors.js';

/** Receives the outcomes of statements. */
export interface StatementWatch {
  failed(error: unknown, isWrite: boolean): void;
  succeeded(isWrite: boolean): void;
}

/** The condition of a database, derived from the outcomes of its statements. */
export interface DatabaseCondition extends StatementWatch {
  /** Whether the last write was stored. True before the first one. */
  takesWrites(): boolean;
}

/**
 * Logs when the database cannot be used, is full, or is slow, and when it has recovered. Until then requests are
 * answered with 503.
 */
export function watchStatements(log: Logger): DatabaseCondition {
  const unavailable = createOutages(log, {
    failed: 'the database cannot be reached: requests are answered with 503',
    continues: 'the database still cannot be reached',
    recovered: 'the database can be reached again',
  });
  const full = createOutages(log, {
    failed: 'the disk of the database is full: writes are answered with 503',
    continues: 'the disk of the database is still full',
    recovered: 'the database takes writes again',
  });
  const late = createOutages(log, {
    failed: 'the database answers too late: requests are answered with 503',
    continues: 'the database still answers too late',
    recovered: 'the database answers in time again',
  });
  const byKind = { unavailable, full, late };
  let takesWrites = true;
  return {
    takesWrites: () => takesWrites,
    failed(error, isWrite) {
      const kind = databaseFault(error)?.kind;
      if (kind === 'full' || (isWrite && kind === 'unavailable')) takesWrites = false;
      if (kind === 'unavailable' || kind === 'full' || kind === 'late')
        byKind[kind].failed({ reason: reasonOf(error) });
    },
    succeeded(isWrite) {
      unavailable.succeeded();
      late.succeeded();
      if (!isWrite) return;
      takesWrites = true;
      full.succeeded();
    },
  };
}

/** The message of the database or of the network. Neither has values of statements. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { cause } = error;
  if (typeof cause === 'object' && cause !== null && 'originalMessage' in cause) return String(cause.originalMessage);
  return error.message;
}
