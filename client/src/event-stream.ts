import { ConnectionLostError, type ServerAnswer } from './errors.js';

/**
 * The messages of an answer in the protocol GraphQL over server-sent events. Returns if the server ends the subscription, and
 * throws if the connection ends or nothing arrives for `silence` milliseconds.
 */
export async function* messagesOf(response: Response, silence: number): AsyncGenerator<ServerAnswer, void, void> {
  if (response.body === null) throw new ConnectionLostError('The answer has no body');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await within(silence, reader.read().catch(lost));
    if (done) throw new ConnectionLostError('The connection of the subscription ended');
    text += decoder.decode(value, { stream: true }).replaceAll('\r', '');
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const { event, data } = fieldsOf(part);
      if (event === 'complete') return;
      if (event === 'next' && data) yield JSON.parse(data) as ServerAnswer;
    }
  }
}

const lost = (cause: unknown): never => {
  throw new ConnectionLostError('The connection of the subscription was lost', { cause });
};

function fieldsOf(part: string): { event: string; data: string } {
  const valuesOf = (name: string): string[] =>
    part.split('\n').flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  return { event: valuesOf('event').at(-1) ?? 'message', data: valuesOf('data').join('\n') };
}

/** The result of `work`. Throws a ConnectionLostError if it takes longer: the server sends a comment every 12 seconds, if nothing else. */
export async function within<R>(silence: number, work: Promise<R>): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionLostError(`Nothing arrived for ${silence} milliseconds`)), silence);
  });
  try {
    return await Promise.race([work, silent]);
  } finally {
    clearTimeout(timer);
  }
}
