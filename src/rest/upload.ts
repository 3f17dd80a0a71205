import type { IncomingMessage } from 'node:http';
import { invalid, Refusal } from '../services/core/refusal.js';
import { readBody } from './request.js';

/** A form with a file, RFC 7578. */
export interface Upload {
  /** name that the sender gave the file */
  name: string;
  bytes: Buffer;
  /** the other parts, which are texts */
  fields: Record<string, string>;
}

/** What the part with the file is called: by the documents, and by existing tools. */
const partNames = ['input', 'file'];

/** The form of a request. Throws `unsupportedMediaType`, `tooLarge`, `malformed`, or `invalid` without a file. */
export async function readUpload(message: IncomingMessage, limit: number): Promise<Upload> {
  const type = message.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new Refusal('unsupportedMediaType', `Send multipart/form-data, not ${type || 'nothing'}`);
  }
  const body = await readBody(message, limit);
  const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Refusal('malformed', 'The body is not a valid form', { field: 'body' });
  });
  const fields: Record<string, string> = {};
  for (const [name, value] of parts) if (typeof value === 'string') fields[name] = value;
  for (const partName of partNames) {
    const part = parts.get(partName);
    // a part without a file name is a file's content all the same
    if (typeof part === 'string') return { name: partName, bytes: Buffer.from(part), fields };
    if (part) return { name: part.name, bytes: Buffer.from(await part.arrayBuffer()), fields };
  }
  throw invalid('The form has no part with the file', 'file');
}
