import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../../database/thread-priority.js';
import type { OpenedStore, StoreToOpen } from './open-pkcs12.js';
import { readPkcs12 } from './pkcs12.js';

// The body of a worker thread: opens one key store, and ends.
const { bytes, access } = workerData as StoreToOpen;

function opened(): OpenedStore {
  try {
    const entry = readPkcs12(Buffer.from(bytes), access);
    return entry ? { entry } : {};
  } catch (error) {
    return { fault: error instanceof Error ? error.message : '' };
  }
}

lowerPriorityOfThread();
parentPort?.postMessage(opened());
