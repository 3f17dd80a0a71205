import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createLog } from '../telemetry/log.js';
import { addressOf } from './listening.js';
import { type Closing, prepareDatabase } from './server.js';
import { gatherMetrics } from './worker-metrics.js';

/** A worker ended before it served, and has said why. */
export class WorkerFailed extends Error {
  constructor() {
    super('A worker ended while it was starting.');
    this.name = 'WorkerFailed';
  }
}

export interface RunningWorkers {
  url: string;
  log: Logger;
  /** the administrator's password when it was made up at this start */
  generatedPassword?: string;
  /** Has every worker close, after a delay if there is one, and waits for that. */
  close(closing?: Closing): Promise<void>;
}

/** A worker that lived for so long, in milliseconds, had no trouble with starting. */
const settled = 10_000;
const firstPause = 100;
const longestPause = 10_000;
/** How much longer than SHUTDOWN_TIMEOUT a worker may take, in milliseconds. */
const grace = 5000;

/** Whether this process is to start the others. */
export const startsWorkers = ({ workers }: Config): boolean => workers > 1 && cluster.isPrimary;

/** Whether another process has started this one. */
export const isWorker = (): boolean => cluster.isWorker;

/**
 * Prepares the database, starts the workers of WORKERS, which share one port, and replaces those that die: at once, or
 * after a growing pause when they die young. Resolves when all of them serve.
 */
export async function startWorkers(config: Config): Promise<RunningWorkers> {
  const log = createLog(config);
  const { generatedPassword } = await prepareDatabase(config, log);
  const port = await freePort(config);
  const living = new Set<Worker>();
  const serving = new Set<Worker>();
  const stopped = new AbortController();
  let starting = true;

  /** Starts a worker; resolves when it serves. Its place is filled again when it has ended. */
  function start(failures: number): Promise<void> {
    const worker = cluster.fork({ PORT: String(port) });
    const born = Date.now();
    let served = false;
    living.add(worker);
    gatherMetrics(worker, () => [...serving]);
    worker.on('error', (error) => log.warn({ err: error, worker: worker.process.pid }, 'a worker cannot be reached'));
    return new Promise((serves, failed) => {
      worker.once('listening', () => {
        served = true;
        serving.add(worker);
        log.info({ worker: worker.process.pid }, 'worker is serving');
        serves();
      });
      worker.once('exit', (code, signal) => {
        living.delete(worker);
        serving.delete(worker);
        failed(new WorkerFailed());
        if (stopped.signal.aborted || (starting && !served)) return;
        const early = Date.now() - born < settled ? failures + 1 : 0;
        const pause = early === 0 ? 0 : Math.min(firstPause * 2 ** early, longestPause);
        log.error({ worker: worker.process.pid, code, signal, pause }, 'a worker ended and is replaced');
        replace(early, pause);
      });
    });
  }

  function replace(failures: number, pause: number): void {
    sleep(pause, undefined, { signal: stopped.signal })
      .then(() => start(failures))
      .catch(() => undefined); // stopping, or ended again, which has been told of
  }

  async function close({ delay = 0, hurry }: Closing = {}): Promise<void> {
    stopped.abort();
    const late = setTimeout(() => signalAll('SIGKILL'), (delay + config.shutdownTimeout) * 1000 + grace);
    hurry?.addEventListener('abort', () => signalAll('SIGINT'));
    const ends = [...living].map((worker) => new Promise((ended) => worker.once('exit', ended)));
    signalAll(delay > 0 ? 'SIGTERM' : 'SIGINT');
    await Promise.all(ends);
    clearTimeout(late);
  }

  const signalAll = (signal: NodeJS.Signals): void => {
    for (const worker of living) worker.process.kill(signal);
  };
  // one of them writes the audit file, which it opens anew then
  if (config.auditFile !== undefined) process.on('SIGHUP', signalAll);

  try {
    await Promise.all(Array.from({ length: config.workers }, () => start(0)));
  } catch (error) {
    await close();
    throw error;
  }
  starting = false;
  return { url: addressOf(config, port), log, close, ...(generatedPassword !== undefined && { generatedPassword }) };
}

/** The port to serve on. Fails like the workers would, but once, when another program has it. */
async function freePort({ host, port }: Config): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  const free = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return free;
}
