import { parentPort, workerData } from 'node:worker_threads';
import { sqliteDriver } from './sqlite-driver.js';

// The thread of checkpoints.ts. On each message it moves committed pages from the log into the database.

export interface CheckpointThread {
  file: string;
  synchronous: 'FULL' | 'NORMAL';
}

/** `close` ends the thread. */
export type CheckpointRequest = 'checkpoint' | 'close';

const { file, synchronous } = workerData as CheckpointThread;
const connection = (await sqliteDriver()).open(file);
connection.exec(`PRAGMA synchronous = ${synchronous}`);
const checkpoint = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)');

parentPort?.on('message', (request: CheckpointRequest) => {
  if (request === 'close') {
    connection.close();
    parentPort?.close();
    return;
  }
  // whether it was busy, the pages in the log, and how many of them are in the database
  const [, log] = checkpoint.all([])[0] ?? [];
  parentPort?.postMessage(Number(log));
});
