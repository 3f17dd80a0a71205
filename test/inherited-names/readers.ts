import { afterAll, afterEach, beforeAll } from 'vitest';

/** The name of a member that all objects inherit in a test that notes its readers. */
export const inheritedName = 'inheritedMember';

/**
 * Gives all objects of this process one more inherited member besides `constructor` and others. Returns the files of the
 * service that have read it in the present test: they look up a text of a request in an object as if it had no prototype.
 */
export function notedReaders(): () => readonly string[] {
  const readers = new Set<string>();
  beforeAll(() => {
    Object.defineProperty(Object.prototype, inheritedName, {
      configurable: true,
      get() {
        const [, own] = /\/(?:src|dist)\/(\S+?):\d+:\d+\)?$/m.exec(new Error().stack ?? '') ?? [];
        if (own) readers.add(own);
        return undefined;
      },
      set(value: unknown) {
        Object.defineProperty(this, inheritedName, { value, configurable: true, enumerable: true, writable: true });
      },
    });
  });
  afterAll(() => Reflect.deleteProperty(Object.prototype, inheritedName));
  afterEach(() => readers.clear());
  return () => [...readers];
}
