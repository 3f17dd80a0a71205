import { parentPort, workerData } from 'node:worker_threads';
import { isDriverAdapterError, type MappedError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import { sqliteDriver } from './sqlite-driver.js';
import { openReader } from './sqlite-open.js';
import type { Queries } from './sqlite-queries.js';
import { lowerPriorityOfThread } from './thread-priority.js';

// A thread of long-reads.ts. It runs one statement after the other on its own connection.

export interface ReadThread {
  file: string;
}

/**
 * A statement with its remaining time in milliseconds, the message that planner statistics have changed (without an
 * answer), or the end of the thread.
 */
export type ReadRequest = { query: SqlQuery; timeLeft: number } | 'renew' | 'close';

/** `late`: the statement ended because its time was over. */
export type ReadAnswer = { result: SqlResultSet } | { cause: MappedError | undefined; message: string } | 'late';

lowerPriorityOfThread();
const { file } = workerData as ReadThread;
const sqlite = await sqliteDriver();
/** the end of the running statement's time, by the clock of `performance` */
let until = 0;
let reader = open();

const isLate = (): boolean => performance.now() > until;

function open(): Queries {
  const opened = openReader(sqlite, file);
  opened.connection.define('in_time', () => {
    if (isLate()) throw new Error('A statement took too long');
    return 1;
  });
  return opened;
}

/**
 * Adds checks of the remaining time to the statement: for each row of its table, and for each nested list or count.
 * Each of these rows could take as long again.
 */
const timed = ({ sql, ...query }: SqlQuery): SqlQuery => ({
  ...query,
  sql: sql
    .replace(/ FROM "\w+" t0 WHERE /, '$&in_time() AND ')
    .replace(/ LIMIT (?:\?|\d{2,})/g, '$& * in_time()')
    .replaceAll('(SELECT count(*)', '(SELECT in_time() * count(*)'),
});

async function answerTo(query: SqlQuery): Promise<ReadAnswer> {
  try {
    return { result: await reader.queryRaw(timed(query)) };
  } catch (error) {
    if (isLate()) return 'late';
    // errors lose their class in the message
    const cause = isDriverAdapterError(error) ? error.cause : undefined;
    return { cause, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', async (request: ReadRequest) => {
  if (request === 'renew') {
    // a new connection reads the statistics without a lock
    reader.connection.close();
    reader = open();
  } else if (request === 'close') {
    reader.connection.close();
    parentPort?.close();
  } else {
    until = performance.now() + request.timeLeft;
    parentPort?.postMessage(await answerTo(request.query));
  }
});
