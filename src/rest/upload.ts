import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { readBody } from '../http/body.js';
import { setMember } from '../services/core/json.js';
import { invalid, Refusal } from '../services/core/refusal.js';

/** A form with a file, RFC 7578. */
export interface Upload {
  /** name that the sender gave the file */
  name: string;
  bytes: Buffer;
  /** the other parts, which are texts */
  fields: Record<string, string>;
}

/** Names of the part with the file: that of the documents, and that of existing tools. */
const partNames = ['input', 'file'];

/** The form of a request. Throws `unsupportedMediaType`, `tooLarge`, `malformed`, or `invalid` without a file. */
export async function readUpload(message: IncomingMessage, limit: number): Promise<Upload> {
  const type = message.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal('unsupportedMediaType', `Content-Type must be multipart/form-data, got ${type || 'none'}`);
  }
  const body = await readBody(message, limit);
  const { fields, files } = await partsOf(body, type).catch(() => {
    throw new Refusal('malformed', 'The body must be a valid multipart form', { field: 'body' });
  });
  for (const partName of partNames) {
    const file = files.get(partName);
    if (file) return { ...file, fields };
  }
  throw invalid('The form requires a part with the file', 'file');
}

/** The parts of a form. That of the file is bytes with or without a file name, which some senders leave out. */
async function partsOf(body: Buffer, type: string) {
  const fields: Record<string, string> = {};
  const files = new Map<string, Pick<Upload, 'name' | 'bytes'>>();
  const form = new Busboy({
    headers: { 'content-type': type },
    limits: { fieldSize: body.length, fileSize: body.length },
    isPartAFile: (part, _type, filename) => filename !== undefined || (part !== undefined && partNames.includes(part)),
  });
  form.on('field', (name, value) => {
    setMember(fields, name, value);
  });
  form.on('file', (part, stream, filename) => {
    const chunks: Buffer[] = [];
    // of a form that is cut within a file
    stream.on('error', (error: Error) => form.destroy(error));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => files.set(part, { name: filename ?? part, bytes: Buffer.concat(chunks) }));
  });
  await pipeline(Readable.from([body]), form);
  return { fields, files };
}
