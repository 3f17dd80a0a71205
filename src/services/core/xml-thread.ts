import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriorityOfThread } from '../../database/thread-priority.js';
import { documentOf } from './xml-document.js';

// The body of a worker thread: reads one XML document, and ends.
lowerPriorityOfThread();
parentPort?.postMessage(documentOf(workerData as string));
