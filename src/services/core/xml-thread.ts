import { parentPort, workerData } from 'node:worker_threads';
import { documentOf } from './xml-document.js';

// The body of a worker thread: reads one XML document, and ends.
parentPort?.postMessage(documentOf(workerData as string));
