import { limit } from '../config/limits.js';
import { inTurns } from '../database/turns.js';
import { type Answer, noContent } from '../http/answer.js';
import { marked } from '../http/write-headers.js';
import { type Context, within } from '../services/core/context.js';
import { isEmpty } from '../services/core/operation.js';
import { replacing } from '../services/core/patch.js';
import { perform, performList, performWrite } from '../services/core/perform.js';
import { Refusal } from '../services/core/refusal.js';
import type { Target } from '../services/core/target.js';
import { inUnitOfWork } from '../services/core/unit-of-work.js';
import { importMatches } from '../services/user-storage/read/look-up.js';
import { listGroups } from '../services/users/groups.js';
import { getUser, listUsers } from '../services/users/list.js';
import { type UserTarget, userById } from '../services/users/locate.js';
import { createUser, patchUser, removeUser } from '../services/users/operations.js';
import { full } from '../services/users/store.js';
import type { FullUser } from '../services/users/views.js';
import { compileFilter, type SpecialConditions } from './compile-filter.js';
import { idWhere, linkWhere, timeWhere } from './conditions.js';
import { criteriaOf } from './criteria.js';
import { type Document, decodeDocument, storedOf } from './document.js';
import { type ListQuery, type Page, readPage } from './list.js';
import { applyChange, changesIn } from './patch.js';
import { projectionOf } from './projection.js';
import { invalidValue } from './refusals.js';
import { baseOf, noteFor, realmOf, resourceAnswer, type ScimRequest, writeOptions } from './request.js';
import { customSchema, userType } from './schemas.js';
import type { Stored } from './stored.js';
import { type GroupLink, userDocument } from './user-document.js';

const mostGroups = limit('SCIM', 'Groups that a user shows', 1000, 'groups', 'only so many are shown');

interface ListedUser extends FullUser {
  groups?: { group: GroupLink }[];
}

const special: SpecialConditions = {
  id: idWhere,
  'meta.created': (test) => timeWhere('createdTimestamp', test),
  groups: (test) => linkWhere('groups', 'groupId', test),
  'groups.value': (test) => linkWhere('groups', 'groupId', test),
};

const sorts = {
  id: 'id',
  username: 'username',
  'name.givenname': 'firstName',
  'name.familyname': 'lastName',
  emails: 'email',
  'emails.value': 'email',
  active: 'enabled',
  'meta.created': 'createdTimestamp',
};

const locateUser =
  (request: ScimRequest) =>
  async (at: Context): Promise<UserTarget> =>
    userById(at, await realmOf(request, at), request.id);

/** The user of a request, for callers who may view it. */
async function readableUser(request: ScimRequest): Promise<UserTarget> {
  const target = await locateUser(request)(request.ctx);
  await perform(request.ctx, getUser, async () => target, {});
  return target;
}

async function groupsOf({ ctx }: ScimRequest, target: UserTarget): Promise<GroupLink[]> {
  const { where } = await performList(ctx, listGroups, async () => target, {});
  return ctx.db.group.findMany({
    where,
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: mostGroups,
  });
}

/** Answers with a user. */
async function userAnswer(request: ScimRequest, status = 200): Promise<Answer> {
  const projection = projectionOf(request.query);
  const target = await readableUser(request);
  const groups = projection.wants('groups') ? await groupsOf(request, target) : undefined;
  const document = userDocument(baseOf(request), target.user, target.realm, groups);
  return resourceAnswer(request, document, projection.apply(document), status);
}

export const getUserAnswer = (request: ScimRequest): Promise<Answer> => userAnswer(request);

/** Reads a page of users. */
export async function readUsers(request: ScimRequest, query: ListQuery): Promise<Page> {
  const { ctx } = request;
  const { where, target } = await performList(
    ctx,
    listUsers,
    async (at): Promise<Target> => ({ realm: await realmOf(request, at) }),
    {},
  );
  const filter = query.filter ? compileFilter(userType, query.filter, special) : {};
  if (query.filter) await importMatches(ctx.services, target.realm, criteriaOf(query.filter));
  const withGroups = query.projection.wants('groups');
  const links = {
    groups: {
      select: { group: { select: { id: true, name: true } } },
      orderBy: [{ group: { name: 'asc' } }],
      take: mostGroups,
    },
  };
  return readPage<ListedUser>(
    request,
    {
      model: 'User',
      where: { AND: [...where.AND, ...(isEmpty(filter) ? [] : [filter])] },
      select: { ...full, ...(withGroups && links) },
      order: ['username'],
      sorts,
      encode: async () => {
        const base = baseOf(request);
        return (user) =>
          userDocument(
            base,
            user,
            target.realm,
            user.groups?.map(({ group }) => group),
          );
      },
    },
    query,
  );
}

const passwordOf = (document: Document) =>
  document.password === undefined
    ? {}
    : { credentials: [{ type: 'password', value: document.password, temporary: false }] };

/** Texts of the attributes that have any. */
const givenAttributes = ({ attributes }: Stored) =>
  Object.fromEntries(Object.entries(attributes).filter(([, values]) => values !== undefined));

const requireUsername = ({ fields }: Stored): void => {
  if (fields.username === undefined) throw invalidValue('`userName` must have a value');
};

/** Creates a user. */
export async function createUserAnswer(request: ScimRequest): Promise<Answer> {
  const { ctx } = request;
  const note = noteFor(request);
  const locate = async (at: Context): Promise<Target> => ({ realm: await realmOf(request, at) });
  const body = async () => {
    const document = decodeDocument(userType, await request.body(), note);
    const stored = storedOf(userType, document, note);
    requireUsername(stored);
    const { enabled = true, ...fields } = stored.fields;
    return { ...fields, enabled, attributes: givenAttributes(stored), ...passwordOf(document) };
  };
  const options = writeOptions(request);
  const outcome = await performWrite(ctx, createUser, locate, body, options);
  if (options.dryRun) return noContent;
  return marked(await userAnswer({ ...request, id: outcome.result.id }, 201), outcome);
}

/** The fields of the contract that are cleared by null if they have no value. */
const clearable = ({ firstName, lastName, email }: Stored['fields']) => ({
  firstName: firstName ?? null,
  lastName: lastName ?? null,
  email: email ?? null,
});

/** Replaces a user. Custom attributes without a schema of their own stay unless the extension with them is sent. */
export async function replaceUserAnswer(request: ScimRequest): Promise<Answer> {
  const note = noteFor(request);
  const body = async () => {
    const document = decodeDocument(userType, await request.body(), note);
    const stored = storedOf(userType, document, note);
    requireUsername(stored);
    const { username, enabled } = stored.fields;
    const attributes = Object.hasOwn(document, customSchema.urn)
      ? replacing(givenAttributes(stored))
      : Object.fromEntries(Object.entries(stored.attributes).map(([name, values]) => [name, values ?? null]));
    return {
      username,
      ...(enabled !== undefined && { enabled }),
      ...clearable(stored.fields),
      attributes,
      ...passwordOf(document),
    };
  };
  const options = writeOptions(request);
  const outcome = await performWrite(request.ctx, patchUser, locateUser(request), body, options);
  return options.dryRun ? noContent : marked(await userAnswer(request), outcome);
}

/** The merge patch that turns the stored values of a user into others. */
function differences(before: Stored, after: Stored) {
  const fields = Object.entries({
    ...clearable(after.fields),
    username: after.fields.username,
    enabled: after.fields.enabled,
  }).filter(
    ([name, value]) => (value ?? undefined) !== before.fields[name as keyof Stored['fields']] && value !== undefined,
  );
  const names = [...new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])];
  const attributes = names.flatMap((name) => {
    const [one, other] = [before, after].map((stored) =>
      Object.hasOwn(stored.attributes, name) ? stored.attributes[name] : undefined,
    );
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [[name, other ?? null] as const];
  });
  return {
    ...Object.fromEntries(fields),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  };
}

/** Times that a PATCH is derived again because somebody else changed the user in between. */
const mostAttempts = 5;

/** Changes attributes of a user. The change is derived from the version that it is written to. */
export async function patchUserAnswer(request: ScimRequest): Promise<Answer> {
  const sent = await request.body();
  const options = writeOptions(request, sent);
  const patched = async (at: ScimRequest) => {
    const target = await readableUser(at);
    const note = noteFor(at);
    const document = userDocument(baseOf(at), target.user, target.realm, undefined);
    const before = storedOf(userType, document, () => undefined);
    await inTurns(changesIn(sent), (change) => applyChange(userType, document, change, note));
    const after = storedOf(userType, document, note);
    requireUsername(after);
    const patch = { ...differences(before, after), ...passwordOf(document) };
    const expectedVersion = options.expectedVersion ?? target.user.version;
    return performWrite(at.ctx, patchUser, locateUser(at), patch, { ...options, expectedVersion });
  };
  // the writer that was faster may not have committed yet: a unit of work waits for that, and reads the result
  const patchedAfterOthers = () =>
    inUnitOfWork(request.ctx.services, (unit) => patched({ ...request, ctx: within(request.ctx, unit) }), {
      dryRun: options.dryRun ?? false,
    });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await (attempt === 1 ? patched(request) : patchedAfterOthers());
      return options.dryRun ? noContent : marked(await userAnswer(request), outcome);
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.kind === 'stale' && options.expectedVersion === undefined;
      if (!isOvertaken || attempt === mostAttempts) throw error;
    }
  }
}

/** Deletes a user. */
export async function removeUserAnswer(request: ScimRequest): Promise<Answer> {
  const outcome = await performWrite(request.ctx, removeUser, locateUser(request), undefined, writeOptions(request));
  return marked(noContent, outcome);
}
