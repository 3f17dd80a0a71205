import type { Db } from '../../database/db.js';
import { resourceColumns } from '../authorization/rows.js';
import { deleteResources, scopesNamed } from '../authorization/write-resource.js';
import type { Context } from '../core/context.js';
import { read, write } from '../core/operation.js';
import { patchOf } from '../core/patch.js';
import type { RealmRecord } from '../core/realm.js';
import { Refusal } from '../core/refusal.js';
import { kinds, permissionNames, resourceName } from './kinds.js';
import { manageSubject, type PermissionTarget, viewSubject } from './locate.js';
import {
  encodePermission,
  ManagementPermissionReference,
  type PermissionRow,
  permissionSelect,
  scopePermissions,
} from './representation.js';
import { administrationClient } from './server.js';

const find = async (db: Db, { realm, subject }: PermissionTarget): Promise<PermissionRow | null> =>
  db.authorizationResource.findFirst({
    where: { name: resourceName(subject), resourceServer: { client: administrationClient(realm) } },
    select: permissionSelect,
  });

export const get = read({
  name: 'managementPermission.get',
  summary: 'Returns whether fine-grained permissions are enabled for an object, and the permission of each scope.',
  allow: viewSubject,
  run: async (ctx, target: PermissionTarget) => find(ctx.db, target),
});

export const update = write({
  name: 'managementPermission.update',
  summary: 'Enables or disables fine-grained permissions for an object.',
  input: ManagementPermissionReference,
  allow: manageSubject,
  queue: ({ realm }) => ({ model: 'Realm', id: realm.id }),
  refresh: async (tx, target: PermissionTarget) => ({ ...target, isEnabled: (await find(tx, target)) !== null }),
  run: async (tx, target: PermissionTarget, { enabled = false }, { ctx }): Promise<PermissionRow | null> => {
    const known = await find(tx, target);
    if (enabled) {
      if (known && isWhole(known, target)) return known;
      await switchOn(tx, ctx, target, known?.id);
      return find(tx, target);
    }
    if (known) await deleteResources(tx, [known.id]);
    return null;
  },
  event: (row, { resourceType, path }) => ({
    operationType: 'UPDATE',
    resourceType,
    resourcePath: path,
    representation: encodePermission(row),
  }),
  touches: (_, { subject, realm }) => [`${subject.kind}:${subject.id}`, `realm:${realm.id}`, 'rights'],
});

export const patch = patchOf(update, { current: ({ isEnabled = false }) => ({ enabled: isEnabled }), empty: {} });

/** Whether there is a permission for each scope: they can be deleted manually. */
const isWhole = (row: PermissionRow, { subject }: PermissionTarget): boolean => {
  const permissions = scopePermissions(row);
  return Object.keys(kinds[subject.kind].scopes).every((scope) => permissions[scope] !== undefined);
};

/**
 * Creates the resource, its scopes, and a permission for each, without policies. Existing parts are reused, such as a
 * permission that was manually removed from its resource.
 */
async function switchOn(
  tx: Db,
  ctx: Context,
  { realm, subject }: PermissionTarget,
  known: string | undefined,
): Promise<void> {
  const { newId } = ctx.services;
  const serverId = await administrationServer(tx, realm);
  const { type, scopes, decisionStrategy } = kinds[subject.kind];
  const name = resourceName(subject);
  const resourceId = known ?? newId();
  if (known === undefined) {
    await tx.authorizationResource.createMany({
      data: { id: resourceId, resourceServerId: serverId, ownerId: serverId, ...resourceColumns({ type }, name) },
    });
  }
  const scopeNames = Object.keys(scopes);
  await scopesNamed(
    tx,
    ctx,
    serverId,
    scopeNames.map((scope) => ({ name: scope })),
  );
  const rows = await tx.authorizationScope.findMany({
    where: { resourceServerId: serverId, name: { in: scopeNames } },
    select: { id: true, name: true },
  });
  const names = permissionNames(subject);
  const present = await tx.authorizationPolicy.findMany({
    where: { resourceServerId: serverId, name: { in: [...names.values()] } },
    select: { id: true, name: true },
  });
  const permissions = rows.map((scope) => {
    const permissionName = names.get(scope.name) ?? scope.name;
    const found = present.find((one) => one.name === permissionName);
    return { scope, isNew: !found, policyId: found?.id ?? newId(), name: permissionName };
  });
  const missing = permissions.filter(({ isNew }) => isNew);
  if (missing.length > 0) {
    await tx.authorizationPolicy.createMany({
      data: missing.map((permission) => ({
        id: permission.policyId,
        resourceServerId: serverId,
        name: permission.name,
        type: 'scope',
        decisionStrategy,
        search: permission.name.toLowerCase(),
      })),
    });
  }
  await tx.later.insertNew(
    'AuthorizationResourceScope',
    rows.map(({ id }) => ({ resourceId, scopeId: id })),
  );
  await tx.later.insertNew(
    'AuthorizationPolicyResource',
    permissions.map(({ policyId }) => ({ policyId, resourceId })),
  );
  await tx.later.insertNew(
    'AuthorizationPolicyScope',
    permissions.map(({ policyId, scope }) => ({ policyId, scopeId: scope.id })),
  );
}

/** The resource server of the client for administration, made when it is first needed. */
async function administrationServer(tx: Db, realm: RealmRecord): Promise<string> {
  const client = await tx.client.findFirst({
    where: administrationClient(realm),
    select: { id: true, resourceServer: { select: { id: true } } },
  });
  // it can be deleted, and go by another name
  if (!client)
    throw new Refusal(
      'conflict',
      'Fine-grained permissions require the client realm-management, which the realm does not have',
    );
  if (client.resourceServer) return client.id;
  await tx.resourceServer.createMany({ data: { id: client.id, allowRemoteResourceManagement: false } });
  await tx.later.client.updateMany({
    where: { id: client.id },
    data: { authorizationServicesEnabled: true, version: { increment: 1 } },
  });
  return client.id;
}
