import { parentPort, workerData } from 'node:worker_threads';
import { sqliteDriver } from './sqlite-driver.js';

// The thread of checkpoints.ts: whenever it is asked to, it moves what is committed from the log into the database.

export interface CheckpointThread {
  file: string;
  synchronous: 'FULL' | 'NORMAL';
}

const { file, synchronous } = workerData as CheckpointThread;
const Sqlite = await sqliteDriver();
const connection = new Sqlite(file);
connection.pragma(`synchronous = ${synchronous}`);

parentPort?.on('message', () => {
  const [told] = connection.pragma('wal_checkpoint(PASSIVE)') as [{ log: number }];
  parentPort?.postMessage(told.log);
});
