import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

/** What the driver of PostgreSQL has beyond its published type. */
type Connected = ClientBase & { readonly connection: { stream: Socket }; readonly readyForQuery: boolean };

/**
 * Ends the connection when the server has been silent for so many milliseconds in the middle of a statement: it is
 * frozen, or the network between is cut. Whoever waits hears of a lost connection, and the pool makes another one.
 */
export function endWhenSilent(client: ClientBase, milliseconds: number): void {
  const connected = client as Connected;
  const { stream } = connected.connection;
  stream.setTimeout(milliseconds, () => {
    if (connected.readyForQuery) return;
    stream.destroy(Object.assign(new Error('The database server is silent'), { code: 'ETIMEDOUT' }));
  });
}
