import type { FileHandle } from 'node:fs/promises';
import { GraphQLError } from 'graphql';
import type { Context } from '../services/core/context.js';
import { invalid, Refusal } from '../services/core/refusal.js';
import { namelessFile } from '../services/core/spool.js';
import { builder } from './builder.js';

const readAtOnce = 64 * 1024;

/** A file that came with a request. It is on the disk, under no name, until it is closed. */
export class UploadedFile {
  readonly name: string;
  readonly #handle: FileHandle;
  #size = 0;

  constructor(name: string, handle: FileHandle) {
    this.name = name;
    this.#handle = handle;
  }

  static async empty(name: string): Promise<UploadedFile> {
    return new UploadedFile(name, await namelessFile());
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      at += (await this.#handle.write(chunk, at, chunk.length - at, this.#size + at)).bytesWritten;
    }
    this.#size += chunk.length;
  }

  /** The content from the begin on, as often as wanted. */
  async *chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; position < this.#size; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(readAtOnce), 0, readAtOnce, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** The content, up to `limit` bytes. Throws `tooLarge`. */
  async bytes(limit: number): Promise<Buffer> {
    if (this.#size > limit)
      throw new Refusal('tooLarge', `The file is larger than ${limit} bytes`, { field: 'upload' });
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks()) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

builder.scalarType('Upload', {
  description:
    'A file that comes with the request, by the GraphQL multipart request convention (github.com/jaydenseric/graphql-multipart-request-spec). Only as a variable.',
  serialize: () => {
    throw new GraphQLError('Files are not answered');
  },
  parseValue(value) {
    if (value instanceof UploadedFile) return value;
    throw new GraphQLError('A file is sent as a part of a multipart request that the part "map" names');
  },
  parseLiteral() {
    throw new GraphQLError('A file is sent as a variable');
  },
});

/** What was sent of a text and of a file that may take its place. Throws `invalid` for both and for neither. */
export function eitherOf<T>(
  field: string,
  text: T | null | undefined,
  upload: UploadedFile | null | undefined,
): { text: T; upload?: never } | { text?: never; upload: UploadedFile } {
  if (text != null && upload != null) throw invalid(`Send either ${field} or upload, not both`, 'upload');
  if (upload != null) return { upload };
  if (text == null) throw invalid(`Send ${field} or upload`, field);
  return { text };
}

/** The text of a document that came as such or as a file. Throws `invalid` or `tooLarge`. */
export async function documentOf(
  args: { document?: string | null | undefined; upload?: UploadedFile | null | undefined },
  { services }: Context,
): Promise<string> {
  const { text, upload } = eitherOf('document', args.document, args.upload);
  return text ?? (await upload.bytes(services.config.bodyLimit)).toString('utf8');
}
