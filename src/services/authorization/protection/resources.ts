import { z } from 'zod';
import type { Db } from '../../../database/db.js';
import type { Context } from '../../core/context.js';
import { read, write } from '../../core/operation.js';
import { invalid } from '../../core/refusal.js';
import { flag, int, text } from '../../core/shape.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { encodeResource, scopesOf } from '../encode.js';
import { type ResourceInput, ResourceRepresentation } from '../representation.js';
import { pageOfResources, resourcesMatching } from '../resources.js';
import { type ResourceRow, resourceSelect } from '../store.js';
import { deleteResources, insertResource, replaceResource } from '../write-resource.js';
import { nothingThere, type Protected, pathOfServer, requireProtection, touchesServer } from './bearer.js';

// The token is the permission for these operations: the locators have checked it.
const allow = 'any:caller';

interface ProtectedResource extends Protected {
  resource: ResourceRow;
}

/** The resource server, for a bearer that manages its resources. */
export async function asManager(by: Protected): Promise<Protected> {
  await requireProtection(by);
  return by;
}

/** A resource of the server, for a bearer that manages its resources. */
export async function protectedResource({ db }: Context, by: Protected, id: string): Promise<ProtectedResource> {
  await requireProtection(by);
  const resource = await db.authorizationResource.findFirst({
    where: { id, resourceServerId: by.server.id },
    select: resourceSelect,
  });
  if (!resource) throw nothingThere();
  return { ...by, resource };
}

/** The scopes of a resource: `scopes` takes precedence over `resource_scopes`, the protection API's field. */
const withScopes = (input: ResourceInput): ResourceInput => ({
  ...input,
  scopes: input.scopes ?? input.resource_scopes,
});

const duplicate = ({ name }: ResourceInput) =>
  oauthError(409, 'invalid_request', `Resource with name [${name}] already exists.`);

const about = (by: Protected, { id }: { id: string }) => ({
  resourceType: 'AUTHORIZATION_RESOURCE',
  resourcePath: `${pathOfServer(by)}/resource/${id}`,
});

/** Refuses a server that may not manage its resources by this API, by its settings. */
function remotely(_permit: unknown, { server }: Protected): void {
  if (!server.allowRemoteResourceManagement) throw oauthError(400, 'not_supported', 'Remote management is disabled.');
}

export const registerResource = write({
  name: 'umaResource.create',
  summary:
    'Registers a resource of the resource server or of one of its users (UMA 2.0 Federated Authorization, section 3.2.1).',
  input: ResourceRepresentation,
  allow,
  check: remotely,
  run: async (tx, by: Protected, input, { ctx }): Promise<ResourceRow> => {
    const userId = await ownerOf(tx, by, input);
    return insertResource(tx, ctx, by.server.id, withScopes(input), userId);
  },
  refuses: ['NAME_TAKEN'],
  conflict: duplicate,
  event: (row, by) => ({ operationType: 'CREATE', ...about(by, row), representation: encodeResource(row) }),
  touches: touchesServer,
});

/** A resource as the answer to its registration shows it. */
export function registered(row: ResourceRow): object {
  const { attributes: _, scopes, ...resource } = encodeResource(row);
  return { ...resource, ...(scopes && { scopes }), resource_scopes: scopes ?? [] };
}

async function ownerOf(tx: Db, { realm, server }: Protected, { owner }: ResourceInput): Promise<string | null> {
  const wanted = owner?.id ?? owner?.name;
  if (wanted === undefined || wanted === server.id || wanted === server.clientId) return null;
  const user = await tx.user.findFirst({
    where: { realmId: realm.id, OR: [{ id: wanted }, { username: wanted.toLowerCase() }] },
    select: { id: true },
  });
  if (!user) throw invalid(`User ${wanted} not found`, 'owner');
  return user.id;
}

export const readResource = read({
  name: 'umaResource.get',
  summary: 'Returns a resource of the resource server (UMA 2.0 Federated Authorization, section 3.2.2).',
  allow,
  run: async (_ctx, { resource }: ProtectedResource): Promise<object> => {
    const { owner, scopes: _, ...rest } = encodeResource(resource);
    const scopes = scopesOf(resource).map(({ name }) => ({ name }));
    return { ...rest, owner: { id: owner.id }, ...(scopes.length > 0 && { scopes }), resource_scopes: scopes };
  },
});

export const changeResource = write({
  name: 'umaResource.update',
  summary: 'Replaces a resource (UMA 2.0 Federated Authorization, section 3.2.3).',
  input: ResourceRepresentation,
  allow,
  check: remotely,
  run: (tx, { resource }: ProtectedResource, input, { ctx }) => replaceResource(tx, ctx, resource, withScopes(input)),
  refuses: ['NAME_TAKEN'],
  conflict: duplicate,
  event: (row, by) => ({
    operationType: 'UPDATE',
    ...about(by, row),
    representation: encodeResource(row),
    before: encodeResource(by.resource),
  }),
  touches: touchesServer,
});

export const unregisterResource = write({
  name: 'umaResource.delete',
  summary: 'Deletes a resource (UMA 2.0 Federated Authorization, section 3.2.4).',
  allow,
  check: remotely,
  run: (tx, { resource }: ProtectedResource) => deleteResources(tx, [resource.id]),
  event: (_, by) => ({
    operationType: 'DELETE',
    ...about(by, by.resource),
    before: encodeResource(by.resource),
  }),
  touches: touchesServer,
});

export const listProtected = read({
  name: 'umaResource.list',
  summary:
    'Returns the IDs of resources, or the resources themselves with `deep` (UMA 2.0 Federated Authorization, section 3.2.5).',
  input: z.object({
    _id: text.optional(),
    name: text.optional(),
    uri: text.optional(),
    type: text.optional(),
    scope: text.optional(),
    owner: text.optional(),
    exactName: flag.optional(),
    matchingUri: flag.optional(),
    deep: flag.optional(),
    skip: int.optional(),
    take: int.optional(),
  }),
  allow,
  run: async ({ db }, { server }: Protected, { matchingUri, deep, skip, take, ...wanted }): Promise<unknown[]> => {
    const rows =
      matchingUri && wanted.uri
        ? await resourcesMatching(db, server.id, wanted.uri)
        : await pageOfResources(db, server.id, wanted, { skip, take });
    return deep ? rows.map(encodeResource) : rows.map(({ id }) => id);
  },
});
