import { ConnectionLostError, RequestError } from './errors.js';

/**
 * Whether a request can be sent again without a second effect: a query, a dry run, or a mutation in which each input is a
 * variable with an `idempotencyKey`.
 */
export function isRepeatable(text: string, variables: Readonly<Record<string, unknown>>): boolean {
  if (!/\bmutation\b/.test(text) || /\bmutation\b[^{]*@dryRun\b/.test(text)) return true;
  const inputs = [...text.matchAll(/\(\s*input\s*:\s*(?:\$(\w+))?/g)];
  return inputs.length > 0 && inputs.every(([, name]) => name !== undefined && hasKey(variables[name]));
}

const hasKey = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'idempotencyKey' in input && typeof input.idempotencyKey === 'string';

/** Whether the data of a mutation contains a user error with the code `BUSY`. */
export function isBusy(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some(
    (payload: { userErrors?: { code?: string }[] } | null) =>
      Array.isArray(payload?.userErrors) && payload.userErrors.some(({ code }) => code === 'BUSY'),
  );
}

/** Whether the same request can succeed later. `fetch` throws a TypeError if there is no connection. */
export function isPassing(error: unknown): boolean {
  if (error instanceof RequestError) return error.code === 'BUSY' || [502, 503, 504].includes(error.status);
  return error instanceof TypeError || error instanceof ConnectionLostError;
}

/** Waits before a further attempt: about 0.2 seconds after the first one, then twice as long each time, at most 10 seconds. */
export function pause(attempt: number, signal?: AbortSignal): Promise<void> {
  const longest = Math.min(200 * 2 ** (attempt - 1), 10_000);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      longest * (0.5 + Math.random() / 2),
    );
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
