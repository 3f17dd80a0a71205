import { expect, it } from 'vitest';
import { linesIn } from '../../src/services/core/lines.js';

const lines = ['', 'plain', 'ü€😀', '{"text":"line\u2028paragraph\u2029next\u0085end"}', 'a\rb', '', 'y'.repeat(50)];

/** A text in chunks of so many bytes, which cut characters in the middle. */
async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number): Promise<string[]> {
  const found: string[] = [];
  for await (const line of linesIn(chunksOf(text, size))) found.push(line);
  return found;
}

it.each([1, 2, 3, 7, 1000])('only line feeds end lines, in chunks of %i bytes', async (size) => {
  for (const end of ['\n', '\r\n']) {
    expect(await read(lines.join(end), size)).toEqual(lines);
    expect(await read(lines.map((line) => line + end).join(''), size)).toEqual(lines);
  }
  expect(await read('', size)).toEqual([]);
});
