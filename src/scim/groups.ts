import { type Answer, noContent } from '../http/answer.js';
import { marked } from '../http/write-headers.js';
import { type Context, within } from '../services/core/context.js';
import { isEmpty } from '../services/core/operation.js';
import { perform, performList, performWrite } from '../services/core/perform.js';
import type { Target } from '../services/core/target.js';
import { inUnitOfWork } from '../services/core/unit-of-work.js';
import { grouped } from '../services/core/view.js';
import { type GroupTarget, groupById, topLevel } from '../services/groups/locate.js';
import { get, listGroups, patch, remove } from '../services/groups/operations.js';
import { create } from '../services/groups/placing.js';
import { type FullGroup, full } from '../services/groups/store.js';
import { listUsers } from '../services/users/list.js';
import { compileFilter, type SpecialConditions } from './compile-filter.js';
import { idWhere, linkWhere, nothing, type Where } from './conditions.js';
import { type Document, decodeDocument, digestOf, documentOf, storedOf } from './document.js';
import { type ListQuery, type Page, readPage } from './list.js';
import { addChange, isOfMembers, type Member, memberIds, membersOf, noChanges, writeMembers } from './members.js';
import { mentions } from './parse-filter.js';
import { applyChange, changesIn } from './patch.js';
import { projectionOf } from './projection.js';
import { invalidValue } from './refusals.js';
import { baseOf, noteFor, realmOf, resourceAnswer, type ScimRequest, writeOptions } from './request.js';
import { groupType } from './schemas.js';
import type { Stored } from './stored.js';

const sorts = { id: 'id', displayname: 'name' };

/** A group as a document. The members are part of it, and of its version, if they were read. */
function groupDocument(
  base: string,
  group: FullGroup,
  members?: readonly Member[] | undefined,
  withNames = false,
): Document {
  const stored: Stored = { fields: { name: group.name }, attributes: grouped(group.attributes) };
  const { schemas, externalId, displayName } = documentOf(groupType, stored);
  const isMarked = members && members.length > 0;
  const version = isMarked ? `${group.version}-${digestOf(members.map(({ id }) => id))}` : `${group.version}`;
  return {
    schemas,
    id: group.id,
    ...(externalId !== undefined && { externalId }),
    displayName,
    ...(isMarked && {
      members: members.map(({ id, username }) => ({
        value: id,
        $ref: `${base}/Users/${encodeURIComponent(id)}`,
        ...(withNames && { display: username }),
        type: 'User',
      })),
    }),
    meta: {
      resourceType: 'Group',
      location: `${base}/Groups/${encodeURIComponent(group.id)}`,
      version: `W/"${version}"`,
    },
  };
}

const locateGroup =
  (request: ScimRequest) =>
  async (at: Context): Promise<GroupTarget> =>
    groupById(at, await realmOf(request, at), request.id);

const inRealm =
  (request: ScimRequest) =>
  async (at: Context): Promise<Target> => ({ realm: await realmOf(request, at) });

/** The group of a request, for callers who may view it. */
async function readableGroup(request: ScimRequest): Promise<GroupTarget> {
  const target = await locateGroup(request)(request.ctx);
  await perform(request.ctx, get, async () => target);
  return target;
}

async function groupAnswer(request: ScimRequest, status = 200): Promise<Answer> {
  const projection = projectionOf(request.query);
  const { realm, group } = await readableGroup(request);
  const members = projection.wants('members')
    ? (await membersOf(request.ctx, realm, [group.id]))?.get(group.id)
    : undefined;
  const document = groupDocument(baseOf(request), group, members, projection.asksFor('members', 'display'));
  return resourceAnswer(request, document, projection.apply(document), status);
}

export const getGroupAnswer = (request: ScimRequest): Promise<Answer> => groupAnswer(request);

/** The conditions on groups. Only members that the caller may view count. */
async function specialConditions(request: ScimRequest, isAsked: boolean): Promise<SpecialConditions> {
  const visible: Where = isAsked ? (await performList(request.ctx, listUsers, inRealm(request), {})).where : nothing;
  return {
    id: idWhere,
    members: (test) => linkWhere('users', 'userId', test, { user: visible }),
    'members.value': (test) => linkWhere('users', 'userId', test, { user: visible }),
  };
}

/** Reads a page of groups. */
export async function readGroups(request: ScimRequest, query: ListQuery): Promise<Page> {
  const { ctx } = request;
  const { where, target } = await performList(ctx, listGroups, inRealm(request));
  const special = query.filter && (await specialConditions(request, mentions(query.filter, 'members')));
  const filter = query.filter && special ? compileFilter(groupType, query.filter, special) : {};
  return readPage<FullGroup>(
    request,
    {
      model: 'Group',
      where: { AND: [...where.AND, ...(isEmpty(filter) ? [] : [filter])] },
      select: full,
      order: ['name', 'id'],
      sorts,
      encode: async (groups) => {
        const base = baseOf(request);
        const ids = groups.map(({ id }) => id);
        const members = query.projection.wants('members') ? await membersOf(ctx, target.realm, ids) : undefined;
        return (group) =>
          groupDocument(base, group, members?.get(group.id), query.projection.asksFor('members', 'display'));
      },
    },
    query,
  );
}

/** The input of the operation for the values of a group. */
function inputOf({ fields, attributes }: Stored) {
  if (fields.name === undefined) throw invalidValue('`displayName` must have a value');
  return {
    name: fields.name,
    attributes: Object.fromEntries(Object.entries(attributes).map(([name, values]) => [name, values ?? null])),
  };
}

/** The document that was sent, and the IDs of its members; undefined if it does not state members. */
async function groupIn(request: ScimRequest): Promise<{ document: Document; members: string[] | undefined }> {
  const document = decodeDocument(groupType, await request.body(), noteFor(request));
  return { document, members: document.members === undefined ? undefined : memberIds(document.members) };
}

/** Creates a group at the top level with its members. */
export async function createGroupAnswer(request: ScimRequest): Promise<Answer> {
  const options = writeOptions(request);
  const { ctx } = request;
  let members: string[] = [];
  const body = async () => {
    const given = await groupIn(request);
    members = given.members ?? [];
    const { name, attributes } = inputOf(storedOf(groupType, given.document, noteFor(request)));
    return { name, attributes: Object.fromEntries(Object.entries(attributes).filter(([, values]) => values !== null)) };
  };
  const locate = async (at: Context) => topLevel(await realmOf(request, at));
  const outcome = await inUnitOfWork(
    ctx.services,
    async (unit) => {
      const at = within(ctx, unit);
      const created = await performWrite(at, create, locate, body, options);
      await writeMembers(at, await realmOf(request, at), created.result.id, {
        ...noChanges(),
        joining: new Set(members),
      });
      return created;
    },
    { dryRun: options.dryRun ?? false },
  );
  if (options.dryRun) return noContent;
  return marked(await groupAnswer({ ...request, id: outcome.result.id }, 201), outcome);
}

/** Replaces the name, the external ID, and the members of a group. */
export async function replaceGroupAnswer(request: ScimRequest): Promise<Answer> {
  const options = writeOptions(request);
  const { ctx } = request;
  let joining = new Set<string>();
  const body = async () => {
    const { document, members } = await groupIn(request);
    joining = new Set(members);
    return inputOf(storedOf(groupType, document, noteFor(request)));
  };
  await inUnitOfWork(
    ctx.services,
    async (unit) => {
      const at = within(ctx, unit);
      await performWrite(at, patch, locateGroup(request), body, options);
      await writeMembers(at, await realmOf(request, at), request.id, { ...noChanges(), isReplaced: true, joining });
    },
    { dryRun: options.dryRun ?? false },
  );
  return options.dryRun ? noContent : groupAnswer(request);
}

/** Changes a group. Statements do not depend on the number of its members, unless these are replaced. */
export async function patchGroupAnswer(request: ScimRequest): Promise<Answer> {
  const sent = await request.body();
  const options = writeOptions(request, sent);
  const { ctx } = request;
  const changes = changesIn(sent);
  const members = noChanges();
  for (const change of changes.filter(isOfMembers)) addChange(members, change);
  const others = changes.filter((change) => !isOfMembers(change));
  await inUnitOfWork(
    ctx.services,
    async (unit) => {
      const at = within(ctx, unit);
      const target = await locateGroup(request)(at);
      if (others.length > 0 || options.expectedVersion !== undefined) {
        const input = ({ group }: GroupTarget) => {
          const document = groupDocument(baseOf(request), group);
          for (const change of others) applyChange(groupType, document, change, noteFor(request));
          return inputOf(storedOf(groupType, document, noteFor(request)));
        };
        await performWrite(at, patch, async () => target, input, options);
      }
      await writeMembers(at, target.realm, target.group.id, members);
    },
    { dryRun: options.dryRun ?? false },
  );
  return request.query.attributes === undefined ? noContent : groupAnswer(request);
}

/** Deletes a group with its subgroups. */
export async function removeGroupAnswer(request: ScimRequest): Promise<Answer> {
  await performWrite(request.ctx, remove, locateGroup(request), undefined, writeOptions(request));
  return noContent;
}
