const cleanups: (() => Promise<void> | void)[] = [];

/** Calls `cleanup` at the end of the test file, before what was registered earlier. */
export function atEndOfFile(cleanup: () => Promise<void> | void): void {
  cleanups.push(cleanup);
}

/** Calls what was registered since the last call, the newest first. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
