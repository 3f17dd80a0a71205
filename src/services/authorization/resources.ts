import type { Db } from '../../database/db.js';
import { textsInOrder } from '../../database/like.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import { list, read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import { found, invalid, Refusal } from '../core/refusal.js';
import { flag, type Input, int, representation, text } from '../core/shape.js';
import { encodeResource } from './encode.js';
import { altersServer, type ResourceTarget, type ServerTarget } from './locate.js';
import { ResourceRepresentation } from './representation.js';
import { touchesServer } from './server.js';
import { type ResourceRow, resourceSelect } from './store.js';
import { matchesUri } from './uri-pattern.js';
import { deleteResources, insertResource, replaceResource } from './write-resource.js';

const filterFields = { _id: text, name: text, exactName: flag, uri: text, type: text, scope: text, owner: text };

/** The filters of lists of resources. */
const ResourceFilter = representation('ResourceFilter', filterFields);
export type ResourceFilter = Input<typeof ResourceFilter>;

/**
 * Finds resources by a part of the name or the type, ignoring case. The search column has each of them on a separate
 * line.
 */
const inName = (name: string) => ({ search: { contains: textsInOrder(name.toLowerCase(), '\n', '\n') } });
const inType = (type: string) => ({ search: { contains: textsInOrder('\n', type.toLowerCase()) } });

/** The condition of a filter. */
export function resourceWhere(serverId: string, filter: ResourceFilter): Prisma.AuthorizationResourceWhereInput {
  const { _id, name, exactName, uri, type, scope, owner } = filter;
  return {
    resourceServerId: serverId,
    AND: [
      ...(_id ? [{ id: _id }] : []),
      ...(name ? [exactName ? { name } : inName(name)] : []),
      ...(type ? [inType(type)] : []),
      ...(uri ? [{ uris: { some: { value: uri } } }] : []),
      ...(scope ? [{ scopes: { some: { scope: { search: { contains: scope.toLowerCase() } } } } }] : []),
      ...(owner ? [ownedBy(serverId, owner)] : []),
    ],
  };
}

/** Finds resources by the ID of the owner, or by the name of the user or of the client itself. */
const ownedBy = (serverId: string, owner: string): Prisma.AuthorizationResourceWhereInput => ({
  OR: [
    { ownerId: owner },
    { user: { username: owner.toLowerCase() } },
    { ownerId: serverId, resourceServer: { client: { clientId: owner } } },
  ],
});

/** The parameters of a list of resources. `matchingUri` requests only the best match of `uri`, including patterns. */
const ResourceSearch = representation('ResourceSearch', {
  ...filterFields,
  matchingUri: flag,
  skip: int,
  take: int,
  brief: flag,
});

export const listResources = read({
  name: 'authorizationResource.list',
  summary: 'Returns the resources of a resource server, of all owners.',
  input: ResourceSearch,
  allow: 'view:authorization',
  run: async (ctx, { server }: ServerTarget, { skip, take, matchingUri, brief = false, ...filter }) => ({
    brief,
    rows:
      matchingUri && filter.uri
        ? await resourcesMatching(ctx.db, server.id, filter.uri)
        : await pageOfResources(ctx.db, server.id, filter, { skip, take }),
  }),
});

/** A page of the resources that a filter leaves. */
export async function pageOfResources(
  db: Db,
  serverId: string,
  filter: ResourceFilter,
  { skip, take }: { skip?: number | undefined; take?: number | undefined },
): Promise<ResourceRow[]> {
  if (take === 0) return [];
  return db.authorizationResource.findMany({
    where: resourceWhere(serverId, filter),
    select: resourceSelect,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    ...(skip !== undefined && { skip }),
    ...(take !== undefined && { take }),
  });
}

/** The resource of the server with the best match of URI or pattern: two statements. */
export async function resourcesMatching(db: Db, serverId: string, uri: string): Promise<ResourceRow[]> {
  const candidates = await db.authorizationResourceUri.findMany({
    where: {
      resource: { resourceServerId: serverId },
      OR: [{ value: uri }, { value: { contains: '*' } }, { value: { contains: '{' } }],
    },
    select: { value: true, resourceId: true },
  });
  const best = matchesUri(
    candidates.map(({ value }) => value),
    uri,
  );
  const ids = candidates.filter(({ value }) => value === best).map(({ resourceId }) => resourceId);
  if (ids.length === 0) return [];
  return db.authorizationResource.findMany({
    where: { id: { in: ids } },
    select: resourceSelect,
    orderBy: [{ name: 'asc' }],
  });
}

const ByName = representation('SearchByName', { name: text });

export const findResource = read({
  name: 'authorizationResource.find',
  summary: 'Returns the resource that the resource server owns with exactly the given name.',
  input: ByName,
  allow: 'view:authorization',
  run: (ctx, { server }: ServerTarget, { name }): Promise<ResourceRow | null> => {
    if (name === undefined) throw invalid('`name` is required for a search', 'name', { body: null });
    return ctx.db.authorizationResource.findFirst({
      where: { resourceServerId: server.id, ownerId: server.id, name },
      select: resourceSelect,
    });
  },
});

export const getResource = read({
  name: 'authorizationResource.get',
  summary: 'Returns a resource of a resource server.',
  allow: 'view:authorization',
  run: async (_ctx, { resource }: ResourceTarget) => resource,
});

/** The permissions that apply to a resource: directly, by its type, or by its scopes. */
export const permissionsOfResource = list({
  name: 'authorizationResource.permissions',
  summary: 'Returns the permissions that apply to a resource: directly, through its type, or through its scopes.',
  allow: 'view:authorization',
  model: 'AuthorizationPolicy',
  where: ({ server, resource }: ResourceTarget): Prisma.AuthorizationPolicyWhereInput => ({
    resourceServerId: server.id,
    type: { in: ['resource', 'scope'] },
    OR: [
      { resources: { some: { resourceId: resource.id } } },
      // as in the reference server, also permissions of other resources with the type
      ...(resource.type === null
        ? []
        : [
            { resourceType: resource.type },
            { resources: { some: { resource: { resourceServerId: server.id, type: resource.type } } } },
          ]),
      {
        resources: { none: {} },
        scopes: { some: { scopeId: { in: resource.scopes.map(({ scope }) => scope.id) } } },
      },
    ],
  }),
  orderBy: [{ name: 'asc' }],
});

const duplicate = (name: string | undefined): Refusal =>
  new Refusal('conflict', `Resource with name [${name}] already exists.`, {
    field: 'name',
    code: 'NAME_TAKEN',
    body: { error: 'invalid_request', error_description: `Resource with name [${name}] already exists.` },
  });

const describe = (target: ServerTarget, resource: ResourceRow) => ({
  resourceType: 'AUTHORIZATION_RESOURCE',
  resourcePath: `${target.path}/resource/${resource.id}`,
});

export const createResource = write({
  name: 'authorizationResource.create',
  summary: 'Creates a resource. Missing scopes are created too.',
  input: ResourceRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  run: async (tx, { realm, server }: ServerTarget, input, { ctx }): Promise<ResourceRow> => {
    const { owner } = input;
    if (owner && owner.id === undefined) {
      throw invalid('You must specify the resource owner.', 'owner', {
        body: { error: 'invalid_request', error_description: 'You must specify the resource owner.' },
      });
    }
    const ownerId = owner?.id === server.id ? undefined : owner?.id;
    if (ownerId !== undefined) {
      const found = await tx.user.count({ where: { id: ownerId, realmId: realm.id } });
      if (found === 0) throw invalid(`User ${ownerId} not found`, 'owner.id');
    }
    return insertResource(tx, ctx, server.id, input, ownerId ?? null);
  },
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => duplicate(name),
  event: (resource, target) => ({
    operationType: 'CREATE',
    ...describe(target, resource),
    representation: encodeResource(resource),
  }),
  touches: touchesServer,
});

export const updateResource = write({
  name: 'authorizationResource.update',
  summary: 'Replaces a resource. Omitted attributes keep their values.',
  input: ResourceRepresentation,
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ resource }: ResourceTarget) => ({ model: 'AuthorizationResource', id: resource.id }),
  refresh: async (tx, target: ResourceTarget) => {
    const { id } = target.resource;
    const resource = await tx.authorizationResource.findUnique({ where: { id }, select: resourceSelect });
    return { ...target, resource: found(resource, 'Not found') };
  },
  run: (tx, { resource }: ResourceTarget, input, { ctx }): Promise<ResourceRow> =>
    replaceResource(tx, ctx, resource, input),
  refuses: ['NAME_TAKEN'],
  conflict: ({ name }) => duplicate(name),
  event: (resource, target) => ({
    operationType: 'UPDATE',
    ...describe(target, resource),
    representation: encodeResource(resource),
    before: encodeResource(target.resource),
  }),
  touches: touchesServer,
});

export const patchResource = patchOf(updateResource, {
  current: ({ resource }) => encodeResource(resource),
  empty: { displayName: undefined, type: undefined, icon_uri: undefined, uris: [], scopes: [], attributes: {} },
});

export const removeResource = write({
  name: 'authorizationResource.delete',
  summary: 'Deletes a resource, and the permissions that apply to no other resource.',
  allow: 'manage:authorization',
  alters: altersServer,
  lock: ({ resource }: ResourceTarget) => ({ model: 'AuthorizationResource', id: resource.id }),
  run: async (tx, { resource }: ResourceTarget): Promise<ResourceRow> => {
    await deleteResources(tx, [resource.id]);
    return resource;
  },
  event: (resource, target) => ({
    operationType: 'DELETE',
    ...describe(target, resource),
    before: encodeResource(resource),
  }),
  touches: touchesServer,
});
