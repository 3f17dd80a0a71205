import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../config/project.js';

/** Milliseconds, the start of the thread included. */
const longest = 10_000;
const mostMegabytes = 128;

/**
 * What a thread that was started for it answers to its data, see `threadFile`. Undefined where it had no time left, or no memory: it
 * is ended after ten seconds.
 */
export async function answerOfThread<A>(name: string, workerData: unknown): Promise<A | undefined> {
  const worker = new Worker(threadFile(name), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  // also after its time is over, when nobody waits for an answer any more
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
