import type { Answer } from '../http/answer.js';
import { failure } from '../http/errors.js';
import type { Services } from '../services/core/context.js';
import { databaseRefusal } from '../services/core/database-refusal.js';
import { faultsOf, Refusal, type RefusalKind } from '../services/core/refusal.js';
import { ScimRefusal, type ScimType } from './refusals.js';
import { scimType } from './request.js';

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error';

const reasons: Partial<Record<RefusalKind, ScimType>> = {
  invalid: 'invalidValue',
  unknownField: 'invalidSyntax',
  malformed: 'invalidSyntax',
  conflict: 'uniqueness',
  tooCostly: 'tooMany',
};

/** Statuses that differ from those of the REST contract. */
const statuses: Partial<Record<RefusalKind, number>> = { tooCostly: 400 };

/** Attributes for the fields of the contract that messages name. */
const attributes: Readonly<Record<string, string>> = {
  username: 'userName',
  firstName: 'name.givenName',
  lastName: 'name.familyName',
  email: 'emails',
  enabled: 'active',
  credentials: 'password',
  name: 'displayName',
  users: 'members',
};

const texts: Partial<Record<RefusalKind, string>> = {
  unauthenticated: 'An access token of the realm is required',
  forbidden: 'The caller lacks the permission',
  malformed: 'The body must be valid JSON',
};

/** The message for a refusal: each fault with its attribute. */
function detailOf(refusal: Refusal): string {
  const fixed = texts[refusal.kind];
  if (fixed && (refusal.kind !== 'forbidden' || refusal.message === 'unknown_error')) return fixed;
  const faults = faultsOf(refusal).map(({ path = [], message }) => {
    const [first = '', ...others] = path;
    const place = [attributes[first] ?? first, ...others].join('.');
    return place === '' || message.includes(place) ? message : `${place}: ${message}`;
  });
  return faults.slice(0, 20).join('; ');
}

function reasonOf(refusal: Refusal): ScimType | undefined {
  if (refusal instanceof ScimRefusal) return refusal.scimType;
  const { code } = refusal.details;
  if (code === 'READ_ONLY' || code === 'LAST_ADMIN' || code === 'BUILT_IN') return 'mutability';
  return reasons[refusal.kind];
}

/** The refusal of a member that does not exist: the resource of the request is there. */
const isOfValue = (refusal: Refusal): boolean =>
  refusal.kind === 'notFound' && faultsOf(refusal).some(({ path }) => path?.[0] === 'users');

/** The body of an error, RFC 7644 section 3.12. */
export const errorBody = (status: number, detail: string, reason?: ScimType): object => ({
  schemas: [errorUrn],
  status: String(status),
  ...(reason && { scimType: reason }),
  detail,
});

/** The answer to a request that failed. */
export function errorAnswer(error: unknown, { log }: Pick<Services, 'log'>, requestId: string): Answer {
  const answer = failure(error, log, requestId);
  const known = databaseRefusal(error);
  if (!(known instanceof Refusal)) {
    const { errorId } = answer.body as { errorId: string };
    return { ...answer, body: JSON.stringify(errorBody(500, `Internal error ${errorId}`)), type: scimType };
  }
  const isValue = isOfValue(known);
  const status = isValue ? 400 : (statuses[known.kind] ?? answer.status);
  const reason = isValue ? 'invalidValue' : reasonOf(known);
  return {
    status,
    headers: { ...answer.headers, ...(status === 401 && { 'www-authenticate': 'Bearer' }) },
    body: JSON.stringify(errorBody(status, detailOf(known), reason)),
    type: scimType,
  };
}
