import { Worker } from 'node:worker_threads';
import { DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import { threadFile } from '../config/project.js';
import type { ReadAnswer, ReadRequest, ReadThread } from './read-thread.js';

/** Runs statements of SQLite that may take long in threads. */
export interface LongReads {
  /** Runs a statement that reads. Fails with SQLITE_INTERRUPT after the time that statements have, or if too many wait. */
  queryRaw(query: SqlQuery): Promise<SqlResultSet>;
  /** Tells the threads to plan with new statistics. */
  renew(): void;
  /**
   * Refuses waiting statements and ends the threads. A thread that stays busy for longer than five seconds is
   * abandoned.
   */
  close(): Promise<void>;
}

/** More threads would take the processors from other requests. */
const mostThreads = 2;
/** Limit of threads, including threads whose statement has run out of time. */
const mostWithLate = 4;
/** Statements that wait for a thread. */
const mostWaiting = 500;
/** Milliseconds that the end of a thread is waited for. */
const patience = 5000;

/** A statement whose caller still waits for the answer. */
interface Asked {
  query: SqlQuery;
  /** when its time is over, by the clock of `performance` */
  until: number;
  answer(answer: ReadAnswer): void;
  refuse(error: Error): void;
}

interface Thread {
  worker: Worker;
  /** the running statement; `late`: its caller was already refused because its time was over */
  runs?: Asked | 'late' | undefined;
}

/**
 * Runs statements in threads with separate connections, two at a time. SQLite computes within the call, so in the main
 * thread it would block all other requests. Threads are started when they are needed, and stay. SQLite cannot be
 * interrupted from outside: a statement that has run out of time ends with its current row. Until then, up to two other
 * threads take its place. `deadline` is in milliseconds and includes the time in the queue.
 */
export function longReads(settings: ReadThread, deadline: number): LongReads {
  const threads = new Set<Thread>();
  const waiting = new Set<Asked>();
  let isClosed = false;

  const start = (): Thread => {
    const thread: Thread = { worker: new Worker(threadFile('read'), { workerData: settings }) };
    thread.worker.unref();
    thread.worker.on('message', (answer: ReadAnswer) => {
      const { runs } = thread;
      thread.runs = undefined;
      if (typeof runs === 'object') runs.answer(answer);
      next();
    });
    thread.worker.on('error', () => undefined); // its end follows
    thread.worker.on('exit', () => {
      threads.delete(thread);
      if (typeof thread.runs === 'object') thread.runs.refuse(interrupted('The thread of a statement has ended'));
      next();
    });
    threads.add(thread);
    return thread;
  };
  const free = (): Thread | undefined => {
    const all = [...threads];
    const idle = all.find(({ runs }) => runs === undefined);
    if (idle || all.length >= mostWithLate) return idle;
    return all.filter(({ runs }) => runs !== 'late').length < mostThreads ? start() : undefined;
  };
  const next = (): void => {
    const [asked] = waiting;
    const thread = asked && !isClosed ? free() : undefined;
    if (!asked || !thread) return;
    waiting.delete(asked);
    thread.runs = asked;
    const { query, until } = asked;
    thread.worker.postMessage({ query, timeLeft: until - performance.now() } satisfies ReadRequest);
  };

  return {
    queryRaw(query) {
      return new Promise((resolve, reject) => {
        const over = (error: Error): void => {
          clearTimeout(timer);
          waiting.delete(asked);
          for (const thread of threads) if (thread.runs === asked) thread.runs = 'late';
          reject(error);
          next();
        };
        const late = (): void => over(interrupted('A statement took too long'));
        const timer = setTimeout(late, deadline);
        const asked: Asked = {
          query,
          until: performance.now() + deadline,
          refuse: over,
          answer(answer) {
            if (answer === 'late') return late();
            clearTimeout(timer);
            if ('result' in answer) resolve(answer.result);
            else reject(answer.cause ? new DriverAdapterError(answer.cause) : new Error(answer.message));
          },
        };
        if (isClosed || waiting.size >= mostWaiting) {
          over(interrupted(isClosed ? 'The database is closed' : 'Too many statements wait'));
          return;
        }
        waiting.add(asked);
        next();
      });
    },
    renew() {
      for (const { worker } of threads) worker.postMessage('renew' satisfies ReadRequest);
    },
    async close() {
      isClosed = true;
      for (const { refuse } of [...waiting]) refuse(interrupted('The database is closed'));
      const ended = [...threads].map(({ worker }) => {
        worker.postMessage('close' satisfies ReadRequest);
        return new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      // a thread that is terminated within a call of SQLite can end the process
      await Promise.race([Promise.all(ended), late]);
      clearTimeout(timer);
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
