import type { IncomingMessage } from 'node:http';
import { longestKey } from '../services/core/idempotency.js';
import type { Managed } from '../services/core/managed.js';
import type { Outcome, WriteOptions } from '../services/core/perform.js';
import { Refusal } from '../services/core/refusal.js';
import type { Answer } from './answer.js';

/**
 * What the headers of a write ask for: `If-Match`, `Idempotency-Key`, and `Prefer: dry-run`. Old clients do not know of them, and nothing
 * changes for these. Throws `stale` or `invalid`, naming the header.
 */
export function optionsOf({ headers }: Pick<IncomingMessage, 'headers'>): WriteOptions {
  const options: WriteOptions = {};
  const match = headers['if-match'];
  if (match && match !== '*') {
    const version = /^(?:W\/)?"(\d+)(?:-[\w-]+)?"$/.exec(match.trim())?.[1];
    if (version === undefined)
      throw new Refusal('stale', 'If-Match must be an ETag of this server', { field: 'If-Match' });
    options.expectedVersion = Number(version);
  }
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key.length > 0) {
    if (key.length > longestKey)
      throw new Refusal('invalid', 'Idempotency-Key is too long', { field: 'Idempotency-Key' });
    options.idempotencyKey = key;
  }
  const prefer = headers.prefer;
  if (prefer && [prefer].flat().some((value) => /\bdry-run\b/.test(value))) options.dryRun = true;
  return options;
}

/** Which file describes what was changed: its source and its version, each without spaces and line breaks. */
const managedHeader = ({ source, revision }: Managed): string =>
  [source, revision].flatMap((text) => (text === undefined ? [] : [encodeURI(text)])).join(' ');

/** An answer that says by headers whether it is a repeated one, and which file describes what was changed. */
export function marked(answer: Answer, outcome: Outcome<unknown>): Answer {
  const { replayed, managed } = outcome;
  if (!replayed && !managed) return answer;
  const headers = {
    ...answer.headers,
    ...(replayed && { 'idempotency-replayed': 'true' }),
    ...(managed && { 'realmgate-managed': managedHeader(managed) }),
  };
  return { ...answer, headers };
}
