import type { TestServer } from '../support/server.js';

/** One message of a subscription, as the server sent it. */
export interface Message {
  data?: Record<string, { cursor: string; event: Record<string, unknown> | null }> | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

export interface Subscription {
  status: number;
  /** what has come until now */
  messages: Message[];
  /** whether the server has ended it */
  ended(): boolean;
  close(): void;
}

/** Subscribes by server-sent events, as the GraphQL over SSE protocol has it in its distinct connections mode. */
export async function subscribe(
  server: TestServer,
  token: string | undefined,
  query: string,
  variables: object = {},
): Promise<Subscription> {
  const aborting = new AbortController();
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query, variables }),
    signal: aborting.signal,
  });
  const messages: Message[] = [];
  let ended = false;
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: ?(.+)$/m.exec(part)?.[1];
        if (/^event: ?next$/m.test(part) && data) messages.push(JSON.parse(data) as Message);
      }
    }
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  return { status: response.status, messages, ended: () => ended, close: () => aborting.abort() };
}
