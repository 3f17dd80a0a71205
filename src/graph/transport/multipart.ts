import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { limit } from '../../config/limits.js';
import { chunksOf } from '../../http/body.js';
import { isObject, setMember } from '../../services/core/json.js';
import { parsedJson } from '../../services/core/json-file.js';
import { Refusal } from '../../services/core/refusal.js';
import { UploadedFile } from '../core/uploaded-file.js';

/** A request with files: its operations, and the variable of each file. */
export interface MultipartRequest {
  operations: object;
  /** files by the paths of their variables, such as `variables.input.upload` */
  files: Map<string, UploadedFile>;
}

/** Maximum files in one request. */
const mostFiles = limit('GraphQL', 'Files of a request', 10, 'files');

const malformed = (message: string) => new Refusal('malformed', message, { field: 'body' });

/** Whether a request contains files. */
export const isMultipart = (message: IncomingMessage): boolean =>
  /^multipart\/form-data\s*;/i.test(message.headers['content-type'] ?? '');

/**
 * Reads a request by the GraphQL multipart request convention; its files are written to the disk. The caller closes
 * them. The whole request may have `limit` bytes, its texts `textLimit`. Throws `tooLarge` or `malformed`, and then
 * keeps no file.
 */
export async function readMultipart(
  message: IncomingMessage,
  limit: number,
  textLimit: number,
): Promise<MultipartRequest> {
  const texts: Record<string, unknown> = {};
  const parts = new Map<string, UploadedFile>();
  const streams: Readable[] = [];
  const writing: Promise<void>[] = [];
  try {
    const form = new Busboy({
      headers: message.headers as { 'content-type': string },
      limits: { fields: 2, fieldSize: textLimit, files: mostFiles, parts: mostFiles + 2 },
    });
    const refuse = (refusal: Refusal) => form.destroy(refusal);
    form.on('field', (name, value, _nameCut, isCut) => {
      if (isCut) return refuse(new Refusal('tooLarge', `The part "${name}" is larger than ${textLimit} bytes`));
      try {
        setMember(texts, name, parsedJson(value));
      } catch {
        refuse(malformed(`The part "${name}" is not valid JSON`));
      }
    });
    form.on('file', (part, stream, filename) => {
      // a form that is cut within a file, also before that is read
      stream.on('error', (error: Error) => form.destroy(error));
      streams.push(stream);
      const done = keep(stream, filename).then((file) => void parts.set(part, file));
      writing.push(done);
      done.catch((error: Error) => form.destroy(error));
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      form.on(event, () => refuse(malformed('The form has too many parts')));
    }
    await pipeline(Readable.from(chunksOf(message, limit)), form).catch((error: unknown) => {
      throw error instanceof Refusal ? error : malformed('The body must be a valid multipart form');
    });
    await Promise.all(writing);
    return assigned(texts, parts);
  } catch (error) {
    // the parser leaves them open if the connection is dropped
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(writing);
    for (const file of parts.values()) await file.close();
    throw error;
  }
}

async function keep(stream: AsyncIterable<Buffer>, name: string): Promise<UploadedFile> {
  const file = await UploadedFile.empty(name);
  try {
    for await (const chunk of stream) await file.append(chunk);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function assigned(texts: Record<string, unknown>, parts: Map<string, UploadedFile>): MultipartRequest {
  const { operations, map } = texts;
  if (!isObject(operations)) throw malformed('The form requires a part "operations" with one operation');
  if (!isObject(map)) throw malformed('The form requires a part "map"');
  const files = new Map<string, UploadedFile>();
  for (const [part, paths] of Object.entries(map)) {
    const file = parts.get(part);
    if (!file) throw malformed(`The form has no file "${part}"`);
    if (!Array.isArray(paths)) throw malformed(`The part "map" must have a list for "${part}"`);
    for (const path of paths) files.set(String(path), file);
  }
  for (const part of parts.keys())
    if (!Object.hasOwn(map, part)) throw malformed(`No variable uses the file "${part}"`);
  return { operations, files };
}

/** Variables with files in place of nulls. Throws `malformed` for other places. */
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
      throw malformed(`The variable at "${path}" must be null to be replaced by a file`);
    }
    at[last] = file;
  }
  return root.variables;
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
