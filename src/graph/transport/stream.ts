import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { protectiveHeaders } from '../../http/protective-headers.js';

/** Whether an answer is a stream without a fixed end. */
export const isStream = ({ headers, body }: Response): boolean =>
  body !== null && /^(text\/event-stream|multipart\/mixed)\b/.test(headers.get('content-type') ?? '');

/**
 * Sends an answer piece by piece and returns at once. Ends with its source, with the client, or when the client reads
 * nothing for `patience` milliseconds.
 */
export function sendStream(answer: Response, response: ServerResponse, patience: number): void {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  response.once('close', cancel);
  if (response.destroyed) {
    cancel();
    return;
  }
  response.writeHead(answer.status, protectiveHeaders({ headers: Object.fromEntries(answer.headers) }));
  response.flushHeaders();
  const taken = async (): Promise<void> => {
    const late = setTimeout(() => response.destroy(), patience);
    await once(response, 'drain').catch(() => undefined);
    clearTimeout(late);
  };
  const pump = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await taken();
    }
    response.end();
  };
  pump().catch(() => response.destroy());
}
