import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile, temporaryFolder } from '../support/database.js';
import { type Cluster, startPostgresql } from '../support/postgresql.mjs';

/** A file system of its own. */
export interface Disk {
  folder: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
}

/**
 * A disk of so many megabytes, in memory, until the end of the test file. Undefined where this process may not mount
 * one: that takes root on Linux.
 */
export function smallDisk(megabytes: number): Disk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined; // a container without the right to
  }
  atEndOfFile(() => void execFileSync('umount', ['--lazy', folder]));
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a');
      for (let size = 1024 * 1024; size >= 4096; ) {
        try {
          writeSync(file, Buffer.alloc(size, 1));
        } catch {
          size /= 2;
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(ballast),
  };
}

/** A PostgreSQL server whose files are in the folder, until the end of the test file. */
export async function postgresqlIn(
  folder: string,
  options: Parameters<typeof startPostgresql>[0] = {},
): Promise<Cluster> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder; // where the server keeps its files
  try {
    const cluster = await startPostgresql(options);
    atEndOfFile(() => cluster.stop());
    return cluster;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
