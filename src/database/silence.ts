import type { ClientBase } from 'pg';
import { connectionOf, isIdle } from './pg-internals.js';

/**
 * Ends the connection if the server is silent for this number of milliseconds during a statement: it is frozen, or the
 * network is cut. Waiting queries fail with a lost connection, and the pool makes another one.
 */
export function endWhenSilent(client: ClientBase, milliseconds: number): void {
  const { stream } = connectionOf(client);
  stream.setTimeout(milliseconds, () => {
    if (isIdle(client)) return;
    stream.destroy(Object.assign(new Error('The database server does not respond'), { code: 'ETIMEDOUT' }));
  });
}
