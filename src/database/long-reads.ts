import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import { threadFile } from '../config/project.js';
import type { ReadAnswer, ReadRequest, ReadThread } from './read-thread.js';

/** Statements of SQLite that may take long, in threads. */
export interface LongReads {
  /** Runs a statement that reads. Fails with SQLITE_INTERRUPT after the time that statements have. */
  queryRaw(query: SqlQuery): Promise<SqlResultSet>;
  /** Has the threads plan by statistics that have changed. */
  renew(): void;
  close(): Promise<void>;
}

/** More would take the processors from what everybody waits for. */
const mostThreads = 2;
/** Statements that wait for a thread. */
const mostWaiting = 500;

/**
 * Runs statements in threads with connections of their own, two at a time: SQLite calculates within the call, and nobody else would be
 * answered meanwhile. Threads are started when they are needed, and stay. SQLite cannot be interrupted from outside, so
 * a thread whose statement has run out of time is busy until SQLite is done, while its caller has been told. `deadline` is in
 * milliseconds and counts the time before it is a statement's turn.
 */
export function longReads(settings: ReadThread, deadline: number): LongReads {
  const all = new Set<Worker>();
  const free: Worker[] = [];
  const waiting: ((worker: Worker) => void)[] = [];
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(threadFile('read'), { workerData: settings });
    worker.unref();
    // who waits for its answer is told by its end, and the next one gets another thread
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      all.delete(worker);
      free.splice(0, free.length, ...free.filter((one) => one !== worker));
      const [next] = waiting;
      if (next && !isClosed) waiting.shift()?.(start());
    });
    all.add(worker);
    return worker;
  };
  const worker = async (): Promise<Worker> => {
    const idle = free.pop();
    if (idle) return idle;
    if (all.size < mostThreads) return start();
    if (waiting.length >= mostWaiting) throw interrupted('Too many statements wait');
    return new Promise((resolve) => waiting.push(resolve));
  };
  const released = (worker: Worker): void => {
    const next = waiting.shift();
    if (next) next(worker);
    else free.push(worker);
  };

  const run = async (query: SqlQuery): Promise<SqlResultSet> => {
    const mine = await worker();
    mine.postMessage(query satisfies ReadRequest);
    const ended = new AbortController();
    try {
      const [answer] = (await Promise.race([
        once(mine, 'message', { signal: ended.signal }),
        once(mine, 'exit', { signal: ended.signal }).then(() => {
          throw interrupted('The thread of a statement has ended');
        }),
      ])) as [ReadAnswer];
      released(mine);
      if ('result' in answer) return answer.result;
      throw answer.cause ? new DriverAdapterError(answer.cause) : new Error(answer.message);
    } finally {
      ended.abort();
    }
  };

  return {
    async queryRaw(query) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(interrupted('A statement took too long')), deadline);
      });
      const running = run(query);
      running.catch(() => undefined); // what comes of it after the deadline
      try {
        return await Promise.race([running, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    renew() {
      for (const worker of all) worker.postMessage('renew' satisfies ReadRequest);
    },
    async close() {
      isClosed = true;
      // a thread that is terminated within a call of SQLite can end the process
      await Promise.all(
        [...all].map((worker) => {
          const ended = once(worker, 'exit');
          worker.ref();
          worker.postMessage('close' satisfies ReadRequest);
          return ended;
        }),
      );
    },
  };
}

const interrupted = (message: string): DriverAdapterError =>
  new DriverAdapterError({
    kind: 'sqlite',
    extendedCode: 9,
    message,
    originalCode: 'SQLITE_INTERRUPT',
    originalMessage: message,
  });
