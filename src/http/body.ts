import type { IncomingMessage } from 'node:http';
import { readJsonBody, readJsonFile, readLargeJson } from '../services/core/json-file.js';
import { Refusal } from '../services/core/refusal.js';

/** The pieces of a body up to `limit` bytes. Throws `tooLarge`, or `unsupportedMediaType` for a compressed one. */
export async function* chunksOf(message: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  const declared = Number(message.headers['content-length'] ?? 0);
  const tooLarge = () => new Refusal('tooLarge', `The body must be at most ${limit} bytes`);
  const encoding = message.headers['content-encoding'] ?? 'identity';
  // a compressed body may be a thousand times as large as what was sent
  if (!/^\s*identity\s*$/i.test(encoding)) {
    throw new Refusal('unsupportedMediaType', 'The body must be sent without Content-Encoding', {
      field: 'Content-Encoding',
    });
  }
  if (declared > limit) throw tooLarge();
  let size = 0;
  for await (const chunk of message) {
    size += (chunk as Buffer).length;
    if (size > limit) throw tooLarge();
    yield chunk as Buffer;
  }
}

/** Reads a body up to `limit` bytes. */
export async function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(message, limit)) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

const mediaType = (message: IncomingMessage): string =>
  (message.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Media type of a JSON merge patch, RFC 7396. */
export const mergePatchType = 'application/merge-patch+json';
const jsonTypes = ['application/json', mergePatchType];

/** The text of a body of one of these media types. */
export async function readText(message: IncomingMessage, limit: number, types: string[]): Promise<string> {
  requireType(message, types);
  return (await readBody(message, limit)).toString('utf8');
}

function requireType(message: IncomingMessage, types: string[]): void {
  const type = mediaType(message);
  if (!types.includes(type))
    throw new Refusal('unsupportedMediaType', `Content-Type must be ${types.join(' or ')}, got ${type || 'none'}`);
}

/** The JSON value of a merge patch. */
export async function readMergePatch(message: IncomingMessage, limit: number): Promise<unknown> {
  if (mediaType(message) !== mergePatchType) {
    const headers = { 'accept-patch': mergePatchType };
    throw new Refusal('unsupportedMediaType', `Content-Type of a PATCH must be ${mergePatchType}`, { headers });
  }
  return readJsonBody(chunksOf(message, limit));
}

/** The JSON value of a body whose field `list` is put aside where it is large. */
export async function readFileBody(message: IncomingMessage, limit: number, list: string): Promise<unknown> {
  requireType(message, jsonTypes);
  return readJsonFile(chunksOf(message, limit), list);
}

/** The JSON value of a body of one of these media types. */
export async function readJson(message: IncomingMessage, limit: number, types = jsonTypes): Promise<unknown> {
  requireType(message, types);
  return readJsonBody(chunksOf(message, limit));
}

/** The JSON value of a body that can have files in it. */
export async function readJsonWithFiles(message: IncomingMessage, limit: number): Promise<unknown> {
  requireType(message, jsonTypes);
  return readLargeJson(chunksOf(message, limit));
}
