/** The answer to a step. */
export interface Played {
  name: string;
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Plays all steps at a server; `base` ends with `/auth`. */
export function play(base: string, administrator: { username: string; password: string }): Promise<Played[]>;
