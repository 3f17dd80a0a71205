import { type FileHandle, open, stat } from 'node:fs/promises';

/** The output for lines. */
export interface Lines {
  /** Appends lines, which are on the disk when it resolves. */
  append(lines: readonly string[]): Promise<void>;
  /** Writes the next lines to the file that then has the path. */
  reopen(): void;
  close(): Promise<void>;
}

/** Only the owner reads and writes. */
const ownersOnly = 0o600;

const standardOutput = (): Lines => ({
  append: (lines) =>
    new Promise((done, failed) =>
      process.stdout.write(lines.map((line) => `${line}\n`).join(''), (error) => (error ? failed(error) : done())),
    ),
  reopen: () => undefined,
  close: async () => undefined,
});

/**
 * The lines of the file at this path, `-` for the standard output. A file that was renamed or removed is created again.
 */
export function linesOf(path: string): Lines {
  if (path === '-') return standardOutput();
  let file: FileHandle | undefined;
  let isOld = false;

  async function current(): Promise<FileHandle> {
    if (file && (isOld || !(await isAt(file, path)))) {
      await file.close();
      file = undefined;
    }
    isOld = false;
    file ??= await open(path, 'a+', ownersOnly);
    return file;
  }
  return {
    async append(lines) {
      const to = await current();
      // a line that was cut off by a full disk or the end of a process stays a separate line
      const start = (await endsWithin(to)) ? '\n' : '';
      await to.appendFile(`${start}${lines.join('\n')}\n`);
      await to.datasync();
    },
    reopen: () => {
      isOld = true;
    },
    close: async () => {
      await file?.close();
      file = undefined;
    },
  };
}

async function isAt(file: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return own.ino === there?.ino && own.dev === there.dev;
}

/** Whether the last line of the file has no end. */
async function endsWithin(file: FileHandle): Promise<boolean> {
  const entry = await file.stat();
  if (entry.size === 0 || !entry.isFile()) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, entry.size - 1);
  return buffer.toString() !== '\n';
}
