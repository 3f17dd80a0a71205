import { parentPort, workerData } from 'node:worker_threads';
import { isDriverAdapterError, type MappedError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import { sqliteDriver } from './sqlite-driver.js';
import { openReader } from './sqlite-open.js';

// A thread of long-reads.ts: runs one statement after the other on a connection of its own.

export interface ReadThread {
  file: string;
}

/** A statement; or that the statistics by which statements are planned have changed, which has no answer; or the end of the thread. */
export type ReadRequest = SqlQuery | 'renew' | 'close';

export type ReadAnswer = { result: SqlResultSet } | { cause: MappedError | undefined; message: string };

const { file } = workerData as ReadThread;
const sqlite = await sqliteDriver();
let reader = openReader(sqlite, file);

async function answerTo(query: SqlQuery): Promise<ReadAnswer> {
  try {
    return { result: await reader.queryRaw(query) };
  } catch (error) {
    // errors lose their class on the way
    const cause = isDriverAdapterError(error) ? error.cause : undefined;
    return { cause, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', async (request: ReadRequest) => {
  if (request === 'renew') {
    // a new connection reads the statistics without a lock
    reader.connection.close();
    reader = openReader(sqlite, file);
  } else if (request === 'close') {
    reader.connection.close();
    parentPort?.close();
  } else parentPort?.postMessage(await answerTo(request));
});
