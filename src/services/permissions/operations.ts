import type { Db } from '../../database/db.js';
import { read, write } from '../core/operation.js';
import { scopesOf } from './kinds.js';
import type { PermissionTarget } from './locate.js';
import {
  encodePermission,
  ManagementPermissionReference,
  type PermissionRow,
  permissionSelect,
} from './representation.js';

const find = (db: Db, { subject }: PermissionTarget): Promise<PermissionRow | null> =>
  db.managementPermission.findUnique({
    where: { kind_ownerId: { kind: subject.kind, ownerId: subject.id } },
    select: permissionSelect,
  });

export const get = read({
  name: 'managementPermission.get',
  summary: 'Whether management permissions are switched on for something, and the permission of each scope.',
  allow: ({ view }: PermissionTarget) => view,
  run: async (ctx, target: PermissionTarget) => find(ctx.db, target),
});

export const update = write({
  name: 'managementPermission.update',
  summary: 'Switches management permissions for something on or off.',
  input: ManagementPermissionReference,
  allow: ({ manage }: PermissionTarget) => manage,
  run: async (tx, target: PermissionTarget, { enabled = false }, { ctx }): Promise<PermissionRow | null> => {
    const { kind, id: ownerId } = target.subject;
    if (!enabled) {
      await tx.managementPermission.deleteMany({ where: { kind, ownerId } });
      return null;
    }
    const { newId } = ctx.services;
    const scopePermissions = Object.fromEntries(scopesOf[kind].map((scope) => [scope, newId()]));
    await tx.insertNew('ManagementPermission', [
      { kind, ownerId, realmId: target.realm.id, resourceId: newId(), scopePermissions },
    ]);
    return find(tx, target);
  },
  event: (row, { resourceType, path }) => ({
    operationType: 'UPDATE',
    resourceType,
    resourcePath: path,
    representation: encodePermission(row),
  }),
  touches: (_, { subject }) => [`${subject.kind}:${subject.id}`, 'rights'],
});
