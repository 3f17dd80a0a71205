import type { FileHandle } from 'node:fs/promises';
import { Refusal } from '../../services/core/refusal.js';
import { namelessFile } from '../../services/core/spool.js';

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

  /** The content from the beginning. Can be called repeatedly. */
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
