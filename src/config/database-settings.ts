import { z } from 'zod';
import { optional, required, type Setting } from './setting.js';
import { databaseUrl, flag, postgresqlForm, wholeNumber } from './setting-values.js';

/** The settings of the database, and of the processes that share it. */
export const databaseDefinitions = {
  databaseUrl: required(
    'DATABASE_URL',
    'file:./data/realmgate.db',
    databaseUrl,
    `"file:" and the path of a SQLite file, or ${postgresqlForm}`,
    'Database: a SQLite file, which is created if missing, or a PostgreSQL database. Several hosts, separated by commas: the one that takes writes is used (`postgresql://one,two/realmgate`).',
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    databaseUrl.refine((url) => !url.startsWith('file:')),
    postgresqlForm,
    'PostgreSQL without the pooler, if `DATABASE_URL` leads to a pooler such as PgBouncer in transaction mode. Used for migrations and notifications.',
  ),
  databaseReadUrl: optional(
    'DATABASE_READ_URL',
    databaseUrl.refine((url) => !url.startsWith('file:')),
    postgresqlForm,
    'Standbys of the PostgreSQL database, separated by commas (`postgresql://one,two/realmgate`). Long reads go there, and see what was committed before they were asked for.',
  ),
  databasePool: required(
    'DATABASE_POOL',
    '10',
    wholeNumber(1, 1000),
    'a number from 1 to 1000',
    'Maximum number of PostgreSQL connections of one process, in addition to one for change notifications and one for each of several hosts.',
  ),
  databaseStatementTimeout: required(
    'DATABASE_STATEMENT_TIMEOUT',
    '60',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'Seconds after which a statement is given up: PostgreSQL cancels it, and SQLite ends searches. If the connection to PostgreSQL does not respond, it is closed too.',
  ),
  databaseSharedTransactions: required(
    'DATABASE_SHARED_TRANSACTIONS',
    'true',
    flag,
    'true or false',
    'Whether short writes that arrive at the same time share a PostgreSQL transaction.',
  ),
  workers: required(
    'WORKERS',
    '1',
    wholeNumber(1, 64),
    'a number from 1 to 64',
    'Number of server processes on this machine. With more than one, an additional process starts and restarts them.',
  ),
  sqliteSynchronous: required(
    'SQLITE_SYNCHRONOUS',
    'FULL',
    z.enum(['FULL', 'NORMAL']),
    'FULL or NORMAL',
    '`FULL`: every committed write survives a power failure. `NORMAL`: faster, but the last writes can be lost.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;
