import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** whether all cases run: `npm run test:thorough` */
    thorough: boolean;
  }
}

/** Whether all cases run: `npm run test:thorough`. */
export const isThorough: boolean = inject('thorough');

let leftOut = 0;

/**
 * Cases of a test that repeats one mechanism over a long list: all in a thorough run, otherwise `count` of them, spread evenly
 * over the list. The end of a run states how many were left out.
 */
export function sampled<T>(cases: readonly T[], count: number): readonly T[] {
  if (isThorough || cases.length <= count) return cases;
  leftOut += cases.length - count;
  return Array.from({ length: count }, (_, at) => cases[Math.floor((at * cases.length) / count)] as T);
}

/** How many cases were left out since the last call. */
export function takeLeftOut(): number {
  const count = leftOut;
  leftOut = 0;
  return count;
}
