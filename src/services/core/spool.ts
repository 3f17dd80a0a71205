import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** JSON values in a temporary file, one a line. */
export interface Spool {
  /** number of values */
  readonly size: number;
  /** Adds a value; it stays in memory until `flush`. */
  add(value: unknown): void;
  /** Writes the added values to the file. */
  flush(): Promise<void>;
  /** Forgets all values. */
  clear(): Promise<void>;
  /** The values from the first on. They must have been flushed. Can be called repeatedly. */
  values(): AsyncGenerator<unknown>;
  /** SHA-256 of all values so far, in base64url. */
  digest(): string;
  /** Frees the disk space. */
  close(): Promise<void>;
}

/** Bytes that are read at once. */
const chunkSize = 256 * 1024;
const newline = 0x0a;

/**
 * A file that nobody else can open. Its name is deleted at once, so that no part of it stays on the disk, however this
 * process ends.
 */
export async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'realmgate-'));
  try {
    return await open(join(folder, 'spool'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An empty spool. The creator closes it. */
export async function createSpool(): Promise<Spool> {
  const file = await namelessFile();
  let hash = createHash('sha256');
  let pending: string[] = [];
  let length = 0;
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(value) {
      pending.push(`${JSON.stringify(value)}\n`);
      size += 1;
    },
    async flush() {
      if (pending.length === 0) return;
      const bytes = Buffer.from(pending.join(''));
      pending = [];
      hash.update(bytes);
      // after the current end, even if other parts were read in the meantime
      for (let at = 0; at < bytes.length; )
        at += (await file.write(bytes, at, bytes.length - at, length + at)).bytesWritten;
      length += bytes.length;
    },
    async clear() {
      await file.truncate(0);
      hash = createHash('sha256');
      pending = [];
      length = 0;
      size = 0;
    },
    async *values() {
      for await (const line of linesOf(file, length)) yield JSON.parse(line);
    },
    digest: () => hash.copy().digest('base64url'),
    close: () => file.close(),
  };
}

async function* linesOf(file: FileHandle, length: number): AsyncGenerator<string> {
  const chunk = Buffer.allocUnsafe(chunkSize);
  let begun: Buffer[] = [];
  for (let position = 0; position < length; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunkSize, length - position), position);
    if (bytesRead === 0) throw new Error('A temporary file is shorter than what was written to it');
    position += bytesRead;
    const read = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let to = read.indexOf(newline); to >= 0; to = read.indexOf(newline, from)) {
      yield Buffer.concat([...begun, read.subarray(from, to)]).toString('utf8');
      begun = [];
      from = to + 1;
    }
    // the chunk is used again
    begun.push(Buffer.from(read.subarray(from)));
  }
}

/** The values of a spool in portions, each with the number of earlier values. */
export async function* batchesOf(
  spool: Pick<Spool, 'values'>,
  atOnce: number,
): AsyncGenerator<{ from: number; values: unknown[] }> {
  let from = 0;
  let values: unknown[] = [];
  for await (const value of spool.values()) {
    if (values.push(value) < atOnce) continue;
    yield { from, values };
    from += values.length;
    values = [];
  }
  if (values.length > 0) yield { from, values };
}

/**
 * An input with one long list that was written to a file. The caller who performs a write with it closes it. The list
 * is not decoded: `prepare` does that.
 */
export class SpooledInput {
  readonly rest: unknown;
  readonly list: Spool;
  constructor(rest: unknown, list: Spool) {
    this.rest = rest;
    this.list = list;
  }
}
