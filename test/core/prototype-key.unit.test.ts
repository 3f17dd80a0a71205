import { describe, expect, it } from 'vitest';
import { parsedJson, readJsonFile } from '../../src/services/core/json-file.js';
import { SpooledInput } from '../../src/services/core/spool.js';

/** The key as it is, and with each of its characters escaped in both cases of hexadecimal digits. */
const written = [
  '__proto__',
  ...[...'__proto__'].flatMap((one, at, all) => {
    const code = one.charCodeAt(0).toString(16);
    const escaped = (digits: string) => [...all.slice(0, at), `\\u00${digits}`, ...all.slice(at + 1)].join('');
    return [escaped(code), escaped(code.toUpperCase())];
  }),
];

async function* inPieces(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

describe('the key __proto__', () => {
  it.each(written)('is refused with its path: %s', (key) => {
    const text = `{"desired":{"clients":[{"attributes":{"${key}":"x"}}]}}`;
    const path = 'desired.clients.0.attributes.__proto__';
    expect(() => parsedJson(text)).toThrow(`The key \`${path}\` is not allowed`);
  });

  it.each(written)('of a large file is refused with its line: %s', async (key) => {
    const fill = `${'\n'.repeat(400_000)}${' '.repeat(200_000)}`;
    for (const size of [1000, 65_536]) {
      const reading = readJsonFile(inPieces(`{"a":1,${fill}\n"b":{"${key}":1}}`, size), 'users');
      await expect(reading).rejects.toThrow('The key `__proto__` in line 400002 is not allowed');
    }
  });

  it('is a text as any other where it is a value', () => {
    expect(parsedJson('{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  });

  it('does not keep files from having other keys with escapes', async () => {
    const large = `{"b":"${' '.repeat(600_000)}","\\u005f\\u0070":"\\u005f"}`;
    const read = await readJsonFile(inPieces(large, 65_536), 'users');
    expect(read instanceof SpooledInput && Object.keys(read.rest as object)).toEqual(['b', '_p']);
    if (read instanceof SpooledInput) await read.list.close();
  });
});
