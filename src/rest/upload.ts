import type { IncomingMessage } from 'node:http';
import { chunksOf, wholeOf } from '../http/body.js';
import { formParts } from '../http/form-parts.js';
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
  const fields: Record<string, string> = {};
  const files = new Map<string, Pick<Upload, 'name' | 'bytes'>>();
  for await (const { name, fileName, content } of formParts(chunksOf(message, limit), type)) {
    const bytes = await wholeOf(content);
    // the file is bytes with or without a file name, which some senders leave out
    if (fileName !== undefined || partNames.includes(name)) files.set(name, { name: fileName ?? name, bytes });
    else setMember(fields, name, bytes.toString('utf8'));
  }
  for (const partName of partNames) {
    const file = files.get(partName);
    if (file) return { ...file, fields };
  }
  throw invalid('The form requires a part with the file', 'file');
}
