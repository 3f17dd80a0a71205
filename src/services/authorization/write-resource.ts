import type { Db } from '../../database/db.js';
import { ownId } from '../core/own-id.js';
import { invalid, Refusal } from '../core/refusal.js';
import { type ResourceInput, type ScopeInput, sentId } from './representation.js';
import { resourceColumns, scopeColumns, urisOf } from './rows.js';
import { forgetPoliciesOf, type ResourceRow, resourceSelect } from './store.js';

/** Creates the IDs of new rows. */
export interface Maker {
  readonly services: { newId(): string };
}

/** The refusal of something without a name, as recorded. */
export const nameMissing = (what: string): Refusal =>
  new Refusal('conflict', `${what} requires a name`, { field: 'name', body: { error: 'unknown_error' } });

/** The scopes with these names; missing ones are created. */
export async function scopesNamed(
  tx: Db,
  ctx: Maker,
  serverId: string,
  scopes: readonly ScopeInput[],
): Promise<string[]> {
  if (scopes.length === 0) return [];
  const wanted = new Map(scopes.map((scope) => [scope.name ?? '', scope]));
  if (wanted.has('')) throw invalid('`name` of the scope is required', 'scopes');
  const known = await tx.authorizationScope.findMany({
    where: { resourceServerId: serverId, name: { in: [...wanted.keys()] } },
    select: { id: true, name: true },
  });
  for (const { name } of known) wanted.delete(name);
  const made = [...wanted].map(([name, scope]) => ({
    id: ctx.services.newId(),
    resourceServerId: serverId,
    ...scopeColumns(scope, name),
  }));
  if (made.length > 0) await tx.authorizationScope.createMany({ data: made });
  return [...known, ...made].map(({ id }) => id);
}

/** Creates a resource for a user or for the server itself. */
export async function insertResource(
  tx: Db,
  ctx: Maker,
  serverId: string,
  input: ResourceInput,
  userId: string | null,
): Promise<ResourceRow> {
  if (input.name === undefined) throw nameMissing('A resource');
  const id = await ownId(tx, sentId(input), ctx.services, '_id');
  const scopes = await scopesNamed(tx, ctx, serverId, input.scopes ?? []);
  await tx.authorizationResource.createMany({
    data: {
      id,
      resourceServerId: serverId,
      ownerId: userId ?? serverId,
      userId,
      attributes: {},
      ...resourceColumns(input, input.name),
    },
  });
  await addParts(tx, id, input, scopes);
  return tx.authorizationResource.findUniqueOrThrow({ where: { id }, select: resourceSelect });
}

async function addParts(tx: Db, resourceId: string, input: ResourceInput, scopes: string[]): Promise<void> {
  const uris = urisOf(input).map((value) => ({ resourceId, value }));
  if (uris.length > 0) await tx.authorizationResourceUri.createMany({ data: uris });
  const links = [...new Set(scopes)].map((scopeId) => ({ resourceId, scopeId }));
  if (links.length > 0) await tx.authorizationResourceScope.createMany({ data: links });
}

/** Changes a resource: fields that are not given are cleared, except for the attributes. */
export async function replaceResource(
  tx: Db,
  ctx: Maker,
  { id, resourceServerId }: Pick<ResourceRow, 'id' | 'resourceServerId'>,
  input: ResourceInput,
): Promise<ResourceRow> {
  if (input.name === undefined) throw invalid('`name` of the resource is required', 'name');
  const scopes = await scopesNamed(tx, ctx, resourceServerId, input.scopes ?? []);
  await tx.later.authorizationResource.updateMany({
    where: { id },
    data: { ...resourceColumns(input, input.name), version: { increment: 1 } },
  });
  await tx.later.authorizationResourceUri.deleteMany({ where: { resourceId: id } });
  await tx.later.authorizationResourceScope.deleteMany({ where: { resourceId: id } });
  await addParts(tx, id, input, scopes);
  return tx.authorizationResource.findUniqueOrThrow({ where: { id }, select: resourceSelect });
}

/** Deletes resources with the permissions that apply only to them. */
export async function deleteResources(tx: Db, ids: string[]): Promise<void> {
  await forgetPoliciesOf(tx, 'resource', ids);
  await tx.later.authorizationResource.deleteMany({ where: { id: { in: ids } } });
}
