/** Sends requests through one instance as the administrator. */
export interface Contender {
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  graphql(query: string, variables?: object): Promise<{ data: unknown; errors?: unknown[] }>;
}

export interface Contention {
  name: string;
  /** how many answers of each status, or GraphQL code of a failure, there were */
  outcomes: Record<string, number>;
  /** what was not as it should be, in words */
  wrong: string[];
}

export function contend(callers: readonly Contender[], writers: number): Promise<Contention[]>;
