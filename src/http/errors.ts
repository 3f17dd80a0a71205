import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { databaseRefusal } from '../services/core/database-refusal.js';
import { Refusal, type RefusalKind, toldFaults } from '../services/core/refusal.js';
import { type Answer, unavailable } from './answer.js';

interface Form {
  status: number;
  member: 'error' | 'errorMessage';
  /** fixed text of the contract where it tells nothing more */
  text?: string;
}

/** The one table from refusals to the contract's answers. */
const forms: Record<RefusalKind, Form> = {
  unauthenticated: { status: 401, member: 'error', text: 'HTTP 401 Unauthorized' },
  forbidden: { status: 403, member: 'error' },
  notFound: { status: 404, member: 'error' },
  invalid: { status: 400, member: 'errorMessage' },
  unknownField: { status: 400, member: 'error' },
  malformed: { status: 400, member: 'error', text: 'unknown_error' },
  unsupportedMediaType: { status: 415, member: 'error' },
  tooLarge: { status: 413, member: 'errorMessage' },
  conflict: { status: 409, member: 'errorMessage' },
  stale: { status: 412, member: 'errorMessage' },
  tooCostly: { status: 422, member: 'errorMessage' },
  busy: { status: unavailable.status, member: 'errorMessage' },
};

const typeOfText = (text: string): string => `text/${/[<>&]/.test(text) ? 'plain' : 'html'};charset=UTF-8`;

/** The answer to a request that failed. Whatever is not a refusal is logged under an id, and only the id is told. */
export function failure(error: unknown, log: Logger, requestId: string): Answer {
  const known = databaseRefusal(error);
  if (!(known instanceof Refusal)) {
    const id = randomUUID();
    log.error({ err: error, errorId: id, requestId }, 'unexpected error');
    return { status: 500, body: { error: 'unknown_error', errorId: id } };
  }
  const form = forms[known.kind];
  const status = known.details.status ?? form.status;
  const faults = toldFaults(known);
  // the reference server gives this text the type of a page; what was sent and could be markup is none
  if (known.kind === 'unknownField' && !faults) return { status, body: known.message, type: typeOfText(known.message) };
  const headers = known.kind === 'busy' ? unavailable.headers : known.details.headers;
  if (known.details.body === null) return { status };
  const body = known.details.body ?? {
    // tools tell by this member that the body was not understood
    ...(known.details.isUnreadable && { error: 'unknown_error' }),
    [known.details.member ?? form.member]: form.text ?? known.message,
  };
  return { status, body: { ...body, ...(faults && { faults }) }, ...(headers && { headers }) };
}
