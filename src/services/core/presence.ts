import type { Context } from './context.js';

/**
 * Looks whether what a path names is there; throws its 404. A read that needs no more of it than its id goes on meanwhile, so that
 * both are sent to the database together, and answers only when the look is over (`whilePresent`).
 */
export async function requirePresence({ presence }: Context, look: () => Promise<unknown>): Promise<void> {
  const looked = look();
  if (!presence) {
    await looked;
    return;
  }
  // who reads hears of it at the end
  looked.catch(() => undefined);
  presence.push(looked);
}

/** Runs a read whose locators may still be looking while it reads. What is not there is told before all other failures. */
export async function whilePresent<R>(ctx: Context, read: (ctx: Context) => Promise<R>): Promise<R> {
  const presence: Promise<unknown>[] = [];
  try {
    return await read({ ...ctx, presence });
  } finally {
    for (const looked of presence) await looked;
  }
}
