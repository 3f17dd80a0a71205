import type { Context } from './context.js';

/**
 * Checks that the object of a path exists; throws its 404. A read that needs only its ID goes on at the same time, so
 * that both statements are sent together. It answers only after the check (`whilePresent`).
 */
export async function requirePresence({ presence }: Context, look: () => Promise<unknown>): Promise<void> {
  const looked = look();
  if (!presence) {
    await looked;
    return;
  }
  // the reader receives the error at the end
  looked.catch(() => undefined);
  presence.push(looked);
}

/** Runs a read while checks of existence may still be running. Their 404 takes precedence over all other failures. */
export async function whilePresent<R>(ctx: Context, read: (ctx: Context) => Promise<R>): Promise<R> {
  const presence: Promise<unknown>[] = [];
  try {
    return await read({ ...ctx, presence });
  } finally {
    for (const looked of presence) await looked;
  }
}
