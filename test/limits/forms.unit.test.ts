import { describe, expect, it } from 'vitest';
import { formParts } from '../../src/http/form-parts.js';

const type = 'multipart/form-data; boundary="b b"';
const parts = [
  ['operations', undefined, '{"a":null}'],
  ['0', 'file.txt', 'line\r\n--b\r\n\r\n-- b b--\r\nend\r\n'],
  ['1', 'ü"%.bin', ''],
  ['map', undefined, '\r\n'],
] as const;
const body = [
  'preamble',
  ...parts.map(([name, fileName, content]) => {
    const file = fileName === undefined ? '' : `; filename="C:\\\\x\\\\${fileName.replace('"', '%22')}"`;
    return `--b b \t\r\nX-Other: y\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}`;
  }),
  '--b b\r\n\r\na part without a header',
  '--b b\r\nContent-Disposition: attachment; name="other"\r\n\r\nx',
  '--b b--\r\nepilogue --b b\r\n',
].join('\r\n');

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number, contentType = type) {
  const found: unknown[] = [];
  for await (const { name, fileName, content } of formParts(inPieces(text, size), contentType)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    found.push([name, fileName, Buffer.concat(chunks).toString()]);
  }
  return found;
}

describe('a form', () => {
  it('is read in pieces of every size', async () => {
    for (let size = 1; size <= body.length; size += 1) expect([size, await read(body, size)]).toEqual([size, parts]);
  });

  it('is refused where it is cut, wherever that is', async () => {
    const whole = body.indexOf('--b b--') + '--b b--'.length;
    for (let length = 0; length < whole; length += 1) {
      const cut = Buffer.from(body.slice(0, length)).toString();
      for (const size of [1, 7, 1000]) {
        await expect(read(cut, size), `${length} in pieces of ${size}`).rejects.toMatchObject({ kind: 'malformed' });
      }
    }
    expect(await read(body.slice(0, whole), 3)).toEqual(parts);
  });

  it('leaves out the content that nobody reads, and reads the body to its end', async () => {
    const names: string[] = [];
    for await (const { name } of formParts(inPieces(body, 5), type)) names.push(name);
    expect(names).toEqual(parts.map(([name]) => name));
    const pieces = inPieces(body, 5);
    for await (const _ of formParts(pieces, type)) break;
    expect(await pieces.next()).toMatchObject({ done: true });
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="'])(
    'needs a boundary: %s',
    async (contentType) => {
      await expect(read(body, 9, contentType)).rejects.toMatchObject({ kind: 'malformed' });
    },
  );

  it.each([
    ['a header without an end', `--b b\r\n${'X: y\r\n'.repeat(20_000)}`],
    ['a delimiter with more in its line', `--b bc\r\n\r\n--b b--`],
  ])('is refused with %s', async (_, text) => {
    await expect(read(text, 1000)).rejects.toMatchObject({ kind: 'malformed' });
  });
});
