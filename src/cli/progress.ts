import { clearLine, cursorTo } from 'node:readline';
import { Transform } from 'node:stream';
import type { Spool } from '../services/core/spool.js';

/** Characters of a bar. */
const width = 40;
/** Milliseconds from one drawing to the next. */
const shortestPause = 100;

interface Bar {
  update(value: number, total?: number): void;
  increment(): void;
  /** Clears the line. */
  stop(): void;
}

/** A bar on the standard error stream, which is only drawn on a terminal. */
function barOf(what: string, unit: string, total: number): Bar {
  const { stderr } = process;
  let value = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => {
    cursorTo(stderr, 0);
    clearLine(stderr, 0);
  };
  const update = (present: number, whole = total) => {
    value = present;
    const now = performance.now();
    if (!stderr.isTTY || now - drawnAt < shortestPause) return;
    drawnAt = now;
    const done = whole > 0 ? Math.min(Math.round((value / whole) * width), width) : 0;
    clear();
    stderr.write(`${what} ${'='.repeat(done)}${'-'.repeat(width - done)} ${value} of ${whole} ${unit}`);
  };
  update(0);
  return {
    update,
    increment: () => update(value + 1),
    stop: () => {
      if (stderr.isTTY) clear();
    },
  };
}

const megabyte = 1_000_000;

/** Passes all bytes on and shows their number, of `total` if that is known. */
export function byteProgress(what: string, total: number | undefined): Transform {
  let passed = 0;
  const megabytes = (bytes: number) => Math.round(bytes / megabyte);
  const bar = barOf(what, 'MB', megabytes(total ?? 0));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      bar.update(megabytes(passed), megabytes(total ?? passed));
      done(undefined, chunk);
    },
    flush(done) {
      bar.stop();
      done();
    },
  });
}

/** Shows the progress in a number of items. */
export function countProgress(what: string, unit: string, total: number): { step(): void; end(): void } {
  const bar = barOf(what, unit, total);
  return { step: () => bar.increment(), end: () => bar.stop() };
}

/** Returns the values and shows how many of them were read. */
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
      const bar = barOf(what, '', spool.size);
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
