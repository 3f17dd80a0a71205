import { parentPort, workerData } from 'node:worker_threads';
import { type Signed, signedBytes } from './signed-bytes.js';

// The body of a worker thread: verifies one signature, and ends.
parentPort?.postMessage({ bytes: await signedBytes(workerData as Signed) });
