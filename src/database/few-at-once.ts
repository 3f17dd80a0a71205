import { DriverAdapterError } from '@prisma/driver-adapter-utils';

/** Limits how many statements run at a time. */
export interface FewAtOnce {
  /** Runs a statement once fewer than the limit run. Fails as a statement that took too long if it waits longer than the limit allows. */
  <T>(run: () => Promise<T>): Promise<T>;
}

/** Limits the number of concurrent statements to `most`. The others wait in order, at most `patience` milliseconds. */
export function fewAtOnce(most: number, patience: number): FewAtOnce {
  const waiting = new Set<() => void>();
  let free = most;

  const place = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(tooLate());
      }, patience);
      waiting.add(start);
    });

  return async (run) => {
    if (free > 0) free -= 1;
    else await place();
    try {
      return await run();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else free += 1;
    }
  };
}

/** The error of a statement that PostgreSQL cancels because its time is over. */
const tooLate = (): DriverAdapterError =>
  new DriverAdapterError({
    kind: 'postgres',
    code: '57014',
    severity: 'ERROR',
    message: 'A statement waited too long for its turn',
    detail: undefined,
    column: undefined,
    hint: undefined,
    originalCode: '57014',
    originalMessage: 'A statement waited too long for its turn',
  });
