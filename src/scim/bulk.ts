import type { Answer } from '../http/answer.js';
import { ignoredFields } from '../services/core/ignored-fields.js';
import { isObject, withLeaves } from '../services/core/json.js';
import { Refusal } from '../services/core/refusal.js';
import { mostBulkOperations } from './bulk-limits.js';
import { errorAnswer } from './errors.js';
import type { FindRoute } from './find-route.js';
import { invalidSyntax, invalidValue } from './refusals.js';
import { baseOf, message, type ScimRequest, writeOptions } from './request.js';

const requestUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const responseUrn = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

interface Operation {
  method: string;
  path: string;
  bulkId: string | undefined;
  version: string | undefined;
  data: unknown;
}

const reference = /bulkId:([^\s"/\]]{1,200})/g;

function operationIn(sent: unknown, at: number): Operation {
  if (!isObject(sent)) throw invalidSyntax(`Operations.${at} must be an object`);
  const { method, path, bulkId, version, data } = sent;
  if (typeof method !== 'string' || typeof path !== 'string')
    throw invalidSyntax(`Operations.${at} must have a method and a path`);
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { method: method.toUpperCase(), path, bulkId: text(bulkId), version: text(version), data };
}

/** The bulk IDs that an operation refers to. */
function referencesIn({ path, data }: Operation): Set<string> {
  const found = new Set<string>();
  const add = (value: unknown): unknown => {
    if (typeof value === 'string') for (const [, id = ''] of value.matchAll(reference)) found.add(id);
    return value;
  };
  add(path);
  withLeaves(data, add);
  return found;
}

/** The operations in an order in which those that create a resource come before those that refer to it. References in a circle stay. */
function ordered(operations: readonly Operation[]): Operation[] {
  const creating = new Map(operations.flatMap((one) => (one.bulkId === undefined ? [] : [[one.bulkId, one] as const])));
  const waiting = new Map(
    operations.map((one) => [one, [...referencesIn(one)].flatMap((id) => creating.get(id) ?? [])] as const),
  );
  const result: Operation[] = [];
  const visited = new Set<Operation>();
  // no recursion: a chain of references may be as long as the request
  for (const start of operations) {
    const path = [start];
    while (path.length > 0) {
      const one = path.at(-1) as Operation;
      visited.add(one);
      const next = waiting.get(one)?.find((other) => !visited.has(other));
      if (next) path.push(next);
      else {
        path.pop();
        if (waiting.delete(one)) result.push(one);
      }
    }
  }
  return result;
}

/** Performs the operations one after the other, each in a transaction of its own, RFC 7644 section 3.7. */
export async function bulkAnswer(request: ScimRequest, find: FindRoute): Promise<Answer> {
  const sent = await request.body();
  if (!isObject(sent) || !Array.isArray(sent.Operations))
    throw invalidSyntax('`Operations` must be a list of operations');
  if (!Array.isArray(sent.schemas) || !sent.schemas.includes(requestUrn))
    throw invalidSyntax(`\`schemas\` must have ${requestUrn}`);
  const { failOnErrors, Operations: all } = sent;
  if (failOnErrors !== undefined && (!Number.isInteger(failOnErrors) || Number(failOnErrors) < 1))
    throw invalidValue('`failOnErrors` must be a positive integer');
  if (all.length > mostBulkOperations)
    throw new Refusal('tooLarge', `A bulk request must have at most ${mostBulkOperations} operations`);
  if (writeOptions(request).dryRun) throw invalidValue('A bulk request cannot be a dry run');
  // the operations share them
  ignoredFields(request.ctx);
  const ids = new Map<string, string>();
  const results: object[] = [];
  let errors = 0;
  for (const operation of ordered(all.map(operationIn))) {
    if (failOnErrors !== undefined && errors >= Number(failOnErrors)) break;
    const answer = await answerOf(request, find, operation, ids).catch((error) =>
      errorAnswer(error, request.ctx.services, request.ctx.requestId),
    );
    if (answer.status >= 400) errors += 1;
    results.push(resultOf(request, operation, answer, ids));
  }
  return message({ schemas: [responseUrn], Operations: results });
}

/** A value with the IDs of created resources in place of their bulk IDs. */
const resolved = (value: unknown, ids: ReadonlyMap<string, string>): unknown =>
  typeof value === 'string' ? value.replace(reference, (text, id: string) => ids.get(id) ?? text) : value;

async function answerOf(
  request: ScimRequest,
  find: FindRoute,
  operation: Operation,
  ids: ReadonlyMap<string, string>,
): Promise<Answer> {
  const { method, path, version, bulkId } = operation;
  const missing = [...referencesIn(operation)].find((id) => !ids.has(id));
  if (missing !== undefined) throw invalidValue(`No operation has created a resource with the bulkId ${missing}`);
  const { route, id } = find(method, String(resolved(path, ids)));
  if (!route || method === 'GET' || path.endsWith('/.search'))
    throw invalidSyntax(`A bulk request cannot have the operation ${method} ${path.slice(0, 200)}`);
  if (method === 'POST' && bulkId === undefined) throw invalidSyntax('A POST operation must have a `bulkId`');
  const headers = version === undefined ? {} : { 'if-match': version };
  const data = withLeaves(operation.data, (value) => resolved(value, ids));
  // an operation before it may have changed the rights of the caller, and the objects that were read
  const ctx = { ...request.ctx, permits: new Map(), loaders: new Map(request.ctx.loaders) };
  return route.handle({ ...request, ctx, id, query: {}, headers, body: async () => data });
}

/** The result of an operation. Resources are not part of it. */
function resultOf(
  request: ScimRequest,
  { method, path, bulkId }: Operation,
  { status, headers, body }: Answer,
  ids: Map<string, string>,
): object {
  const resource: unknown = typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined;
  const isError = status >= 400;
  if (!isError && method === 'POST' && bulkId !== undefined && isObject(resource)) ids.set(bulkId, String(resource.id));
  const location = headers?.location ?? (method === 'POST' ? undefined : baseOf(request) + String(resolved(path, ids)));
  return {
    method,
    ...(bulkId !== undefined && { bulkId }),
    ...(location !== undefined && { location }),
    ...(headers?.etag && { version: headers.etag }),
    status: String(status),
    ...(isError && { response: resource }),
  };
}
