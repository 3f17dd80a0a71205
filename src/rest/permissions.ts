import { json } from '../http/answer.js';
import { clientById } from '../services/clients/locate.js';
import { groupById } from '../services/groups/locate.js';
import { providerByAlias } from '../services/identity-providers/locate.js';
import { ofClient, ofGroup, ofProvider, ofRole, ofUsers } from '../services/permissions/locate.js';
import { patch, get as read, update } from '../services/permissions/operations.js';
import {
  encodePermission,
  ManagementPermissionReference,
  type PermissionRow,
} from '../services/permissions/representation.js';
import { child, either, ofKind } from './place.js';
import { realm } from './realm.js';
import { anyRole } from './roles.js';
import { get, mergePatch, put } from './table.js';

const place = either(
  child(anyRole, '/management/permissions', (_ctx, role) => ofRole(role)),
  ofKind(
    ['group'],
    child(realm, '/groups/{id}/management/permissions', async (ctx, parent, { id = '' }) =>
      ofGroup(await groupById(ctx, parent, id)),
    ),
  ),
  ofKind(
    ['client'],
    child(realm, '/clients/{id}/management/permissions', async (ctx, parent, { id = '' }) =>
      ofClient(await clientById(ctx, parent, id)),
    ),
  ),
  ofKind(
    ['identity provider'],
    child(realm, '/identity-provider/instances/{alias}/management/permissions', async (ctx, parent, { alias = '' }) =>
      ofProvider(await providerByAlias(ctx, parent, alias)),
    ),
  ),
  ofKind(
    ['all users'],
    child(realm, '/users-management-permissions', (_ctx, parent) => ofUsers({ realm: parent })),
  ),
);

const form = {
  answer: (row: PermissionRow | null) => json(encodePermission(row)),
  returns: ManagementPermissionReference,
};

/** Management permissions of whatever can have them. */
export const permissionRoutes = [get(place, read, form), put(place, update, form), mergePatch(place, patch)].flat();
