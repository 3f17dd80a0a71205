import type { ClientBase } from 'pg';
import { connectionOf, isIdle } from './pg-internals.js';

/**
 * Ends the connection when the server has been silent for so many milliseconds in the middle of a statement: it is
 * frozen, or the network between is cut. Waiting queries fail with a lost connection, and the pool makes another one.
 */
export function endWhenSilent(client: ClientBase, milliseconds: number): void {
  const { stream } = connectionOf(client);
  stream.setTimeout(milliseconds, () => {
    if (isIdle(client)) return;
    stream.destroy(Object.assign(new Error('The database server does not respond'), { code: 'ETIMEDOUT' }));
  });
}
