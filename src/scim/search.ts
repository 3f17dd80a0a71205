import type { Answer } from '../http/answer.js';
import { readGroups } from './groups.js';
import { type ListQuery, listQuery, type Page, pageAnswer } from './list.js';
import { invalidPath, invalidValue, ScimRefusal } from './refusals.js';
import type { ScimRequest } from './request.js';
import { readUsers } from './users.js';

type ReadPage = (request: ScimRequest, query: ListQuery) => Promise<Page>;

/** Answers a query for resources of one type. */
export const answering =
  (read: ReadPage) =>
  async (request: ScimRequest, sent: unknown = request.query): Promise<Answer> => {
    const query = listQuery(sent);
    return pageAnswer(await read(request, query), query);
  };

const none: Page = { resources: [], totalResults: 0, nextCursor: undefined };

/** A page of one type in a query for all types. A type without an attribute of the filter has no such resource. */
async function pageOf(read: ReadPage, request: ScimRequest, query: ListQuery): Promise<Page> {
  try {
    return await read(request, query);
  } catch (error) {
    const isForeign = error instanceof ScimRefusal && error.scimType === 'invalidFilter' && query.filter !== undefined;
    if (isForeign) return none;
    throw error;
  }
}

/** Answers a query for resources of all types, RFC 7644 section 3.4.3: users come before groups. */
export async function searchAnswer(request: ScimRequest): Promise<Answer> {
  const query = listQuery(await request.body());
  if (query.cursor !== undefined) throw invalidValue('A query for all types is paged by `startIndex`');
  if (query.sortBy !== undefined) throw invalidPath('A query for all types cannot be sorted');
  const users = await pageOf(readUsers, request, query);
  const groups = await pageOf(readGroups, request, {
    ...query,
    startIndex: Math.max(1, query.startIndex - users.totalResults),
    count: query.count - users.resources.length,
  });
  const page = {
    resources: [...users.resources, ...groups.resources],
    totalResults: users.totalResults + groups.totalResults,
    nextCursor: undefined,
  };
  return pageAnswer(page, query);
}
