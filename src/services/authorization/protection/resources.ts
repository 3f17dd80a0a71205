import type { Db } from '../../../database/db.js';
import { databaseFault } from '../../../database/errors.js';
import { storeNotice } from '../../core/notice.js';
import { invalid } from '../../core/refusal.js';
import { decode } from '../../core/shape.js';
import { retried } from '../../core/transaction.js';
import { oauthError } from '../../tokens/oauth-error.js';
import { encodeResource, scopesOf } from '../encode.js';
import { type ResourceInput, ResourceRepresentation } from '../representation.js';
import { pageOfResources, type ResourceFilter, resourcesMatching } from '../resources.js';
import { type ResourceRow, resourceSelect } from '../store.js';
import { deleteResources, insertResource, replaceResource } from '../write-resource.js';
import { nothingThere, type Protected, requireProtection } from './bearer.js';

/** Runs a write of the protection API in one transaction, and tells everybody of it. */
export async function written<T>(by: Protected, operation: string, work: (tx: Db) => Promise<T>): Promise<T> {
  const { context, realm, server } = by;
  const touches = [`authorization:${server.id}`, `client:${server.id}`];
  const { result, notice } = await retried(context.database, async (tx) => {
    const done = await work(tx);
    return { result: done, notice: await storeNotice(tx, context, { realmId: realm.id, operation, touches }) };
  });
  context.publish(notice);
  return result;
}

const maker = ({ context }: Protected) => ({ services: { newId: () => context.newId() } });

/** The contract's scopes of the protection API count where both names are given only as `scopes`. */
function inputOf(body: unknown): ResourceInput {
  const input = decode(ResourceRepresentation, body);
  return { ...input, scopes: input.scopes ?? input.resource_scopes };
}

const duplicate = (name: string | undefined) =>
  oauthError(409, 'invalid_request', `Resource with name [${name}] already exists.`);

async function withoutDuplicate<T>(name: string | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (databaseFault(error)?.kind === 'duplicate') throw duplicate(name);
    throw error;
  }
}

/** Registers a resource of the server, or of one of its users. */
export async function registerResource(by: Protected, body: unknown): Promise<object> {
  requireProtection(by);
  if (!by.server.allowRemoteResourceManagement) {
    throw oauthError(400, 'not_supported', 'Remote management is disabled.');
  }
  const input = inputOf(body);
  const row = await withoutDuplicate(
    input.name,
    written(by, 'authorizationResource.register', async (tx) => {
      const userId = await ownerOf(tx, by, input);
      return insertResource(tx, maker(by), by.server.id, input, userId);
    }),
  );
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
  if (!user) throw invalid(`There is no user ${wanted}`, 'owner');
  return user.id;
}

async function find(by: Protected, id: string): Promise<ResourceRow> {
  const row = await by.context.database.read.authorizationResource.findFirst({
    where: { id, resourceServerId: by.server.id },
    select: resourceSelect,
  });
  if (!row) throw nothingThere();
  return row;
}

/** One resource, as the protection API shows it. */
export async function readResource(by: Protected, id: string): Promise<object> {
  requireProtection(by);
  const row = await find(by, id);
  const { owner, scopes: _, ...rest } = encodeResource(row);
  const scopes = scopesOf(row).map(({ name }) => ({ name }));
  return { ...rest, owner: { id: owner.id }, ...(scopes.length > 0 && { scopes }), resource_scopes: scopes };
}

/** Replaces a resource. */
export async function changeResource(by: Protected, id: string, body: unknown): Promise<void> {
  requireProtection(by);
  const row = await find(by, id);
  const input = inputOf(body);
  await withoutDuplicate(
    input.name,
    written(by, 'authorizationResource.change', (tx) => replaceResource(tx, maker(by), row, input)),
  );
}

/** Deletes a resource. */
export async function unregisterResource(by: Protected, id: string): Promise<void> {
  requireProtection(by);
  const row = await find(by, id);
  await written(by, 'authorizationResource.unregister', (tx) => deleteResources(tx, [row.id]));
}

/** The ids of resources, or with `deep` the resources. */
export async function listProtected(
  by: Protected,
  filter: ResourceFilter & { matchingUri?: boolean; deep?: boolean; skip?: number; take?: number },
): Promise<unknown[]> {
  requireProtection(by);
  const db = by.context.database.read;
  const { matchingUri, deep, skip, take, ...wanted } = filter;
  const rows =
    matchingUri && wanted.uri
      ? await resourcesMatching(db, by.server.id, wanted.uri)
      : await pageOfResources(db, by.server.id, wanted, { skip, take });
  return deep ? rows.map(encodeResource) : rows.map(({ id }) => id);
}
