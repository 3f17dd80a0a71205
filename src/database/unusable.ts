/** The database cannot be opened, or holds what this build cannot work with. The message is one sentence. */
export class DatabaseUnusable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseUnusable';
  }
}
