import type { IncomingMessage } from 'node:http';
import { chunksOf } from '../../http/body.js';
import { formParts, malformedForm } from '../../http/form-parts.js';
import { isObject } from '../../services/core/json.js';
import { parsedJson } from '../../services/core/json-file.js';
import { Refusal } from '../../services/core/refusal.js';
import { UploadedFile } from '../core/uploaded-file.js';

/** A request with files: what is to be done, and which file is which variable. */
export interface MultipartRequest {
  operations: object;
  /** files by the paths of their variables, such as `variables.input.upload` */
  files: Map<string, UploadedFile>;
}

/** Most files in one request. */
const mostFiles = 10;
/** The parts that are texts. */
const textNames = ['operations', 'map'];

/** Whether a request comes with files. */
export const isMultipart = (message: IncomingMessage): boolean =>
  /^multipart\/form-data\s*;/i.test(message.headers['content-type'] ?? '');

/**
 * Reads a request by the GraphQL multipart request convention; its files go to the disk. The caller closes them. All of
 * it may have `limit` bytes, its texts `textLimit`. Throws `tooLarge` or `malformed`, and then keeps no file.
 */
export async function readMultipart(
  message: IncomingMessage,
  limit: number,
  textLimit: number,
): Promise<MultipartRequest> {
  const texts: Record<string, unknown> = {};
  const parts = new Map<string, UploadedFile>();
  try {
    const type = message.headers['content-type'] ?? '';
    for await (const { name, fileName = name, content } of formParts(chunksOf(message, limit), type)) {
      if (Object.hasOwn(texts, name) || parts.has(name)) throw malformedForm(`The form has two parts "${name}"`);
      if (textNames.includes(name)) texts[name] = await jsonOf(name, content, textLimit);
      else if (parts.size === mostFiles) throw malformedForm('The form has too many parts');
      else {
        const file = await UploadedFile.empty(fileName);
        parts.set(name, file);
        for await (const chunk of content) await file.append(chunk);
      }
    }
    return assigned(texts, parts);
  } catch (error) {
    for (const file of parts.values()) await file.close();
    throw error;
  }
}

/** The JSON value of a part that may have so many bytes. */
async function jsonOf(name: string, content: AsyncIterable<Buffer>, limit: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > limit) throw new Refusal('tooLarge', `The part "${name}" is larger than ${limit} bytes`);
    chunks.push(chunk);
  }
  try {
    return parsedJson(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw malformedForm(`The part "${name}" is not valid JSON`);
  }
}

function assigned(texts: Record<string, unknown>, parts: Map<string, UploadedFile>): MultipartRequest {
  const { operations, map } = texts;
  if (!isObject(operations)) throw malformedForm('The form requires a part "operations" with one operation');
  if (!isObject(map)) throw malformedForm('The form requires a part "map"');
  const files = new Map<string, UploadedFile>();
  for (const [part, paths] of Object.entries(map)) {
    const file = parts.get(part);
    if (!file) throw malformedForm(`The form has no file "${part}"`);
    if (!Array.isArray(paths)) throw malformedForm(`The part "map" must have a list for "${part}"`);
    for (const path of paths) files.set(String(path), file);
  }
  for (const part of parts.keys())
    if (!Object.hasOwn(map, part)) throw malformedForm(`No variable uses the file "${part}"`);
  return { operations, files };
}

/** Variables with files in the places of the nulls that stand for them. Throws `malformed` for other places. */
export function withFiles(
  variables: Record<string, unknown> | undefined,
  files: ReadonlyMap<string, UploadedFile>,
): Record<string, unknown> {
  const root = { variables: variables ?? {} };
  for (const [path, file] of files) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    let at: unknown = root;
    for (const step of steps) at = isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (!isContainer(at) || !Object.hasOwn(at, last) || at[last] !== null) {
      throw malformedForm(`The variable at "${path}" must be null to be replaced by a file`);
    }
    at[last] = file;
  }
  return root.variables;
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
