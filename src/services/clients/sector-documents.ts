import { limit } from '../../config/limits.js';
import type { FetchPublic } from '../core/fetch-public.js';
import { textsOf } from '../core/json.js';
import { createTurnstile } from '../core/turnstile.js';

/** Reads the documents at sector identifiers: of one request, each address once. */
export interface SectorDocuments {
  /** The redirect URIs that a document lists; undefined if it cannot be read, `late` if the time of all documents is over. */
  listedAt(address: string): Promise<readonly string[] | undefined | 'late'>;
}

/** Seconds for all documents of a request. */
export const longestReading = limit(
  'Keys and files',
  'Time for the documents of all sector identifiers that a request names',
  20,
  'seconds',
  '400',
);
/** Documents that are read at the same time. */
const together = 8;

/** Reads documents by `fetchPublic` until the time is over, which is in milliseconds from now. */
export function sectorDocuments(fetchPublic: FetchPublic, time = longestReading * 1000): SectorDocuments {
  const turnstile = createTurnstile(together, Number.POSITIVE_INFINITY);
  const known = new Map<string, ReturnType<SectorDocuments['listedAt']>>();
  let over: AbortSignal | undefined;
  const read = async (address: string, signal: AbortSignal) => {
    if (signal.aborted) return 'late';
    try {
      const answer = await fetchPublic(address, { headers: { accept: 'application/json' }, signal });
      return answer.ok ? textsOf(await answer.json()) : undefined;
    } catch {
      return signal.aborted ? 'late' : undefined;
    }
  };
  return {
    listedAt(address) {
      const before = known.get(address);
      if (before) return before;
      over ??= AbortSignal.timeout(time);
      const signal = over;
      const listed = turnstile(() => read(address, signal));
      known.set(address, listed);
      return listed;
    },
  };
}
