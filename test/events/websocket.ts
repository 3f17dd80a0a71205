import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { TestServer } from '../support/server.js';
import type { Message, Subscription } from './sse.js';

export interface SocketSubscription extends Omit<Subscription, 'status'> {
  /** the code with which the server closed the connection */
  closed(): number | undefined;
}

/** Subscribes with the client of graphql-ws. The token goes with connection_init, or as a header of the upgrade. */
export function subscribeBySocket(
  server: TestServer,
  token: string | undefined,
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): SocketSubscription {
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers });
    }
  }
  const messages: Message[] = [];
  let code: number | undefined;
  let ended = false;
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WithHeaders,
    retryAttempts: 0,
    ...(token !== undefined && { connectionParams: { Authorization: `Bearer ${token}` } }),
    on: { closed: (event) => (code = (event as { code: number }).code) },
  });
  const end = (): void => {
    ended = true;
  };
  client.subscribe(
    { query, variables },
    { next: (message) => messages.push(message as Message), error: end, complete: end },
  );
  return { messages, ended: () => ended, closed: () => code, close: () => void client.dispose() };
}
