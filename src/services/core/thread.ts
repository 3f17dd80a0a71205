import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../config/project.js';

/** Milliseconds, the start of the thread included. */
const longest = 10_000;
const mostMegabytes = 128;

/**
 * Runs a new thread with data and returns its answer, see `threadFile`. Undefined if the thread ran out of time (ten
 * seconds) or memory.
 */
export async function answerOfThread<A>(name: string, workerData: unknown): Promise<A | undefined> {
  const worker = new Worker(threadFile(name), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  // also after the time limit, when nobody waits for an answer
  worker.on('error', () => undefined);
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(longest) });
    return answer as A;
  } catch {
    return undefined;
  } finally {
    await worker.terminate();
  }
}
