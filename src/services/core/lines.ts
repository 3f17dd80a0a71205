import { StringDecoder } from 'node:string_decoder';

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * The lines of a stream of UTF-8. Only line feeds end them: newer versions of `node:readline` also split at U+2028 and U+2029, which
 * texts in JSON can have.
 */
export async function* linesIn(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  for await (const chunk of stream) {
    const parts = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      // a long line is joined only once
      yield withoutReturn(begun.length === 0 ? part : begun.join('') + part);
      begun = [];
    }
    if (last !== '') begun.push(last);
  }
  const rest = begun.join('') + decoder.end();
  if (rest !== '') yield withoutReturn(rest);
}
