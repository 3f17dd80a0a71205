import { Transform } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { Spool } from '../services/core/spool.js';

/** A bar on the standard error stream, which is only drawn on a terminal. */
const barOf = (what: string, unit: string): SingleBar =>
  new SingleBar({
    stream: process.stderr,
    format: `${what} {bar} {value} of {total} ${unit}`,
    hideCursor: true,
    clearOnComplete: true,
    noTTYOutput: false,
  });

const megabyte = 1_000_000;

/** Passes all bytes on and shows how many there were, of `total` where that is known. */
export function byteProgress(what: string, total: number | undefined): Transform {
  const bar = barOf(what, 'MB');
  let passed = 0;
  const megabytes = (bytes: number) => Math.round(bytes / megabyte);
  bar.start(megabytes(total ?? 0), 0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      if (total === undefined) bar.setTotal(megabytes(passed));
      bar.update(megabytes(passed));
      done(undefined, chunk);
    },
    flush(done) {
      bar.stop();
      done();
    },
  });
}

/** Shows how much of so many things is done. */
export function countProgress(what: string, unit: string, total: number): { step(): void; end(): void } {
  const bar = barOf(what, unit);
  bar.start(total, 0);
  return { step: () => bar.increment(), end: () => bar.stop() };
}

/** The same values; shows how many of them were read. */
export function countedSpool(what: string, spool: Spool): Spool {
  return {
    get size() {
      return spool.size;
    },
    add: (value) => spool.add(value),
    flush: () => spool.flush(),
    clear: () => spool.clear(),
    digest: () => spool.digest(),
    close: () => spool.close(),
    async *values() {
      const bar = barOf(what, '');
      bar.start(spool.size, 0);
      try {
        for await (const value of spool.values()) {
          yield value;
          bar.increment();
        }
      } finally {
        bar.stop();
      }
    },
  };
}
