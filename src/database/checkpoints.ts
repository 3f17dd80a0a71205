import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../config/project.js';
import type { CheckpointRequest, CheckpointThread } from './checkpoint-thread.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** After how many changed rows a checkpoint is due: about four megabytes of the log. */
const dueAfter = 300;
/**
 * Bytes of the smallest log that is worth a thread. A transaction writes each page once, regardless of the number of
 * rows.
 */
const firstLog = 4 * 1024 * 1024;
/** Pages of the log above which it must be restarted, 16 MiB. */
const longLog = 4096;
/** SQLite's own default for automatic checkpoints, in pages. */
const byItself = 1000;

/** Moves committed pages from SQLite's log into the database. */
export interface Checkpoints {
  /** Call this after each commit on the writer. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * Runs checkpoints in a separate thread. SQLite would run them within a COMMIT and block the whole process for hundreds
 * of milliseconds, for example after an import. The thread is started when the log is long for the first time. If the
 * thread fails, SQLite makes the checkpoints itself again. `whenIdle` runs a function when nobody is writing.
 */
export function checkpointsOf(
  writer: SqliteConnection,
  settings: CheckpointThread,
  whenIdle: (work: () => void) => Promise<void>,
): Checkpoints {
  writer.exec('PRAGMA wal_autocheckpoint = 0');
  const totalChanges = writer.prepare('SELECT total_changes()');
  let thread: Worker | undefined;
  let seen = 0;
  let isBusy = false;
  let isClosed = false;
  let hasEnded = false;

  const logSize = (): number => statSync(`${settings.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const giveUp = (): void => {
    if (isClosed) return;
    isClosed = true;
    writer.exec(`PRAGMA wal_autocheckpoint = ${byItself}`);
  };
  // a log that grows during each checkpoint never ends; little is left in it after a checkpoint
  const beginLogAnew = (): void => {
    const done = whenIdle(() => {
      if (!isClosed) writer.exec('PRAGMA wal_checkpoint(PASSIVE)');
    });
    // writers receive the reason for a failure, such as a full disk; the next checkpoint tries again
    done.catch(() => undefined);
  };
  const started = (): Worker => {
    const worker = new Worker(threadFile('checkpoint'), { workerData: settings });
    worker.unref();
    worker.on('error', giveUp);
    worker.on('exit', () => {
      hasEnded = true;
      giveUp();
    });
    worker.on('message', (log: number) => {
      isBusy = false;
      if (log > longLog) beginLogAnew();
    });
    return worker;
  };
  return {
    committed() {
      if (isBusy || isClosed) return;
      const now = Number(totalChanges.all([])[0]?.[0]);
      if (now - seen < dueAfter) return;
      seen = now;
      // without a thread nothing has left the log: it is as long as its file
      if (!thread && logSize() < firstLog) return;
      isBusy = true;
      thread ??= started();
      thread.postMessage('checkpoint' satisfies CheckpointRequest);
    },
    async close() {
      isClosed = true;
      if (!thread || hasEnded) return;
      // a thread that is terminated within a call of SQLite can end the process
      const ended = once(thread, 'exit');
      thread.ref();
      thread.postMessage('close' satisfies CheckpointRequest);
      await ended;
    },
  };
}
