import { isDriverAdapterError } from '@prisma/driver-adapter-utils';
import { ServerRefused } from './fence.js';

/** A filter that is too large to run. The message is for the caller. */
export class FilterTooLarge extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FilterTooLarge';
  }
}

/** The reason for the failure of a statement, as far as callers can act on it. */
export type DatabaseFault =
  | { kind: 'duplicate'; model?: string; columns: string[] }
  | { kind: 'missingReference' }
  | { kind: 'tooLong' }
  | { kind: 'unstorable' }
  | { kind: 'retry' }
  | { kind: 'full' }
  | { kind: 'late' }
  | { kind: 'unavailable' };

/** Codes of SQLite and PostgreSQL that a second attempt may get past. */
const retryable = /SQLITE_BUSY|SQLITE_LOCKED|database is locked|^(40001|40P01|55P03)$/;
/** The codes for NUL and halves of surrogate pairs. PostgreSQL has one for bytes, and others for JSON. */
const unstorable = /^22021|^22P05|^22P02 .*type json|^SQLITE_MISMATCH/s;
/** A statement took too long, or was cancelled: 57014 of PostgreSQL. */
const late = /^57014$|SQLITE_INTERRUPT/;
/** The disk has no room: 53100 of PostgreSQL. */
const full = /^53100$|SQLITE_FULL/;
/**
 * Codes of an unusable database. PostgreSQL's classes 08 (connection), 53 (resources), 57 (operator intervention), 58
 * (its files), 25P03 (a transaction was idle for too long), 25006 (a write on a new standby).
 * SQLite's codes of its file and its disk.
 */
const unavailable = /^(08|53|57|58|25P03|25006)|SQLITE_(IOERR|CANTOPEN|READONLY|PROTOCOL|NOMEM)/;
/** Messages of PostgreSQL's driver and its pool, without a code, for a lost connection or when none is available. */
const connectionLost =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error))/;
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const routeCodes = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE']);

/** Classifies an error that the database threw; undefined for any other error, which then is a bug. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (!isDriverAdapterError(error)) return isConnectionLoss(error) ? { kind: 'unavailable' } : undefined;
  const cause = error.cause;
  const code = cause.originalCode ?? ('code' in cause ? String(cause.code) : '');
  switch (cause.kind) {
    case 'UniqueConstraintViolation':
      return { kind: 'duplicate', ...duplicate(cause.constraint, cause.originalMessage) };
    case 'ForeignKeyConstraintViolation':
      return { kind: 'missingReference' };
    case 'LengthMismatch':
    case 'ValueOutOfRange':
      return { kind: 'tooLong' };
    case 'TransactionWriteConflict':
      return { kind: 'retry' };
    // also a SQLite file that another process has locked: the adapter has already waited
    case 'SocketTimeout':
    case 'DatabaseNotReachable':
    case 'ConnectionClosed':
    case 'TooManyConnections':
    case 'TlsConnectionError':
    case 'TransactionAlreadyClosed':
      return { kind: 'unavailable' };
    default: {
      const text = `${code} ${cause.originalMessage ?? ''}`;
      if (retryable.test(code) || retryable.test(text)) return { kind: 'retry' };
      if (unstorable.test(text)) return { kind: 'unstorable' };
      if (full.test(code)) return { kind: 'full' };
      if (late.test(code)) return { kind: 'late' };
      if (unavailable.test(code)) return { kind: 'unavailable' };
      return undefined;
    }
  }
}

/**
 * Whether PostgreSQL itself has refused a statement, so that certainly nothing was done. A lost connection does not
 * count.
 */
export function wasRefused(error: unknown): boolean {
  const code = isDriverAdapterError(error) ? error.cause.originalCode : undefined;
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}

/**
 * The adapter of PostgreSQL passes on errors that it does not recognize. If all of several addresses fail, they come as
 * one error.
 */
function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ServerRefused) return true;
  const code = 'code' in error ? String(error.code) : '';
  return socketCodes.has(code) || routeCodes.has(code) || connectionLost.test(error.message);
}

/** The unique key at fault: SQLite names its columns, PostgreSQL the index (`User_realmId_username_key`). */
function duplicate(constraint: unknown, message?: string): { model?: string; columns: string[] } {
  if (typeof constraint === 'object' && constraint !== null) {
    if ('fields' in constraint && Array.isArray(constraint.fields)) {
      const named = constraint.fields.map((field) => String(field).replace(/^.*\./, '').replaceAll('"', ''));
      const model = message?.match(/failed: (\w+)\./)?.[1];
      return model ? { model, columns: named } : { columns: named };
    }
    if ('index' in constraint && typeof constraint.index === 'string') {
      const [model, ...columns] = constraint.index.replace(/_(key|pkey)$/, '').split('_');
      return model ? { model, columns } : { columns };
    }
  }
  return { columns: [] };
}
