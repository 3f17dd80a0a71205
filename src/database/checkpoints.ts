import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../config/project.js';
import type { CheckpointRequest, CheckpointThread } from './checkpoint-thread.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** After how many changed rows a checkpoint is due: about four megabytes of the log. */
const dueAfter = 300;
/** Bytes of the first log that is worth a thread. One transaction writes a page once, for however many rows. */
const firstLog = 4 * 1024 * 1024;
/** Pages of the log from which on it has to begin anew, 16 MiB. */
const longLog = 4096;
/** What SQLite does by itself without a thread. */
const byItself = 1000;

/** Moves what is committed from the log of SQLite's into the database. */
export interface Checkpoints {
  /** To be called after a commit on the writer. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * Checkpoints in a thread of their own. SQLite would make them within a COMMIT, which holds up the whole process for as long as the
 * pages of, say, an import take to get to their places: hundreds of milliseconds. The thread is started when the log is first
 * long, and if it fails, SQLite does it by itself again. `whenIdle` runs a function when nobody is writing.
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
  // a log to which something is added during each checkpoint never ends; what is left of it after one is little
  const beginLogAnew = (): void => {
    const done = whenIdle(() => {
      if (!isClosed) writer.exec('PRAGMA wal_checkpoint(PASSIVE)');
    });
    // what keeps it from that, such as a full disk, writers are told; it is tried again after the next checkpoint
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
