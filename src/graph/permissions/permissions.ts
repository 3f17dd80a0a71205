import type { ObjectRef } from '@pothos/core';
import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import { groupById } from '../../services/groups/locate.js';
import {
  ofClient,
  ofGroup,
  ofProvider,
  ofRole,
  ofUsers,
  type PermissionTarget,
} from '../../services/permissions/locate.js';
import { get, update } from '../../services/permissions/operations.js';
import { type PermissionRow, permissionSelect, scopePermissions } from '../../services/permissions/representation.js';
import { roleById, roleKind } from '../../services/roles/locate.js';
import { Client } from '../clients/clients.js';
import { type BuilderTypes, builder } from '../core/builder.js';
import type { Demand } from '../core/demand.js';
import { addField } from '../core/field.js';
import { mutation } from '../core/mutation.js';
import { type LocatedNode, locatedNode, type ModelRef, nodeId } from '../core/node.js';
import { Group } from '../groups/groups.js';
import { IdentityProvider } from '../identity-providers/identity-providers.js';
import { providerTarget } from '../identity-providers/mutations.js';
import { Realm } from '../realms/realms.js';
import { Role } from '../roles/roles.js';

const ScopePermission = builder.objectRef<[scope: string, permissionId: string]>('ScopePermission').implement({
  description: 'The permission that decides about one scope of an object.',
  fields: (t) => ({
    scopeName: t.string({
      description: 'Name of the scope that the permission decides about, e.g. `map-role`.',
      resolve: ([scope]) => scope,
    }),
    permissionId: t.id({
      description: 'ID of the permission in the authorization services of the client realm-management.',
      resolve: ([, id]) => nodeId('ScopeAuthorizationPermission', id),
    }),
  }),
});

const ManagementPermission = builder.objectRef<PermissionRow>('ManagementPermission').implement({
  description: 'Fine-grained permissions for one object, which apply in addition to administration roles.',
  fields: (t) => ({
    resourceId: t.id({
      description: 'ID of the resource in the authorization services of the client realm-management.',
      resolve: ({ id }) => nodeId('AuthorizationResource', id),
    }),
    scopes: t.field({
      type: [ScopePermission],
      description: 'Scopes with their permissions, ordered by name.',
      resolve: (row) => Object.entries(scopePermissions(row)),
    }),
  }),
});

/** Declares the management permissions of an object as a field. */
function managementPermissionField<P extends object>(
  parent: ModelRef & ObjectRef<BuilderTypes, P>,
  name: string,
  { kind, about }: { kind: Demand<P>['kind']; about: string },
): void {
  const kinds = typeof kind === 'string' ? undefined : (['realm role', 'client role'] as const);
  const field = {
    type: ManagementPermission,
    nullable: true,
    description: `Fine-grained permissions for ${about}. Null if they are disabled.`,
    requires: { operation: get, kind, ...(kinds && { kinds }) },
    select: { managementResource: { select: permissionSelect, take: 1 } },
    resolve: ({ managementResource }: { managementResource: PermissionRow[] }) => managementResource[0] ?? null,
  };
  addField(parent, name, () => field);
}

managementPermissionField(Role, 'managementPermission', { kind: roleKind, about: 'this role' });
managementPermissionField(Group, 'managementPermission', { kind: 'group', about: 'this group and its members' });
managementPermissionField(Client, 'managementPermission', { kind: 'client', about: 'this client and its roles' });
managementPermissionField(IdentityProvider, 'managementPermission', {
  kind: 'identity provider',
  about: 'this identity provider',
});
managementPermissionField(Realm, 'usersManagementPermission', { kind: 'all users', about: 'all users of the realm' });

async function subject(ctx: Context, { typename, id, realm }: LocatedNode): Promise<PermissionTarget> {
  switch (typename) {
    case 'Role':
      return ofRole(await roleById(ctx, realm, id));
    case 'Group':
      return ofGroup(await groupById(ctx, realm, id));
    case 'Client':
      return ofClient(await clientById(ctx, realm, id));
    case 'IdentityProvider':
      return ofProvider(await providerTarget(ctx, nodeId(typename, id), 'id'));
    default:
      return ofUsers({ realm });
  }
}

mutation('managementPermissionUpdate', {
  description:
    'Enables or disables fine-grained permissions for a role, group, client, or identity provider, or for all users of a realm.',
  operation: update,
  input: (t) => ({
    target: t.id({
      required: true,
      description: 'ID of the role, group, client, or identity provider. The ID of a realm stands for all its users.',
    }),
    isEnabled: t.boolean({ required: true, description: 'Whether the permissions are enabled after the change.' }),
  }),
  locate: async ({ target }, ctx) => {
    return subject(
      ctx,
      await locatedNode(ctx, target, 'target', 'Role', 'Group', 'Client', 'IdentityProvider', 'Realm'),
    );
  },
  send: ({ isEnabled }) => ({ enabled: isEnabled }),
  values: {
    managementPermission: {
      type: ManagementPermission,
      description: 'The permissions after the change. Null if they are disabled.',
      of: (row) => row,
    },
  },
});
