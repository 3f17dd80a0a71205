import { clientById } from '../../services/clients/locate.js';
import type { Context } from '../../services/core/context.js';
import type { Permission } from '../../services/core/permissions.js';
import { groupById } from '../../services/groups/locate.js';
import {
  ofClient,
  ofGroup,
  ofProvider,
  ofRole,
  ofUsers,
  type PermissionTarget,
} from '../../services/permissions/locate.js';
import { update } from '../../services/permissions/operations.js';
import { type PermissionRow, permissionSelect, scopePermissions } from '../../services/permissions/representation.js';
import { roleById } from '../../services/roles/locate.js';
import { Client } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { mutation } from '../core/mutation.js';
import { type About, type LocatedNode, locatedNode, nodeId, requireAllowed } from '../core/node.js';
import { Group } from '../groups/groups.js';
import { IdentityProvider } from '../identity-providers/identity-providers.js';
import { providerTarget } from '../identity-providers/mutations.js';
import { Realm } from '../realms/realms.js';
import { Role } from '../roles/roles.js';

const ScopePermission = builder.objectRef<[scope: string, permissionId: string]>('ScopePermission').implement({
  description: 'The permission that decides about one scope of an object.',
  fields: (t) => ({
    scope: t.string({
      description: 'Scope that the permission decides about, e.g. `map-role`.',
      resolve: ([scope]) => scope,
    }),
    permissionId: t.string({
      description: 'ID of the permission in the authorization services of the client realm-management.',
      resolve: ([, id]) => id,
    }),
  }),
});

const ManagementPermission = builder.objectRef<PermissionRow>('ManagementPermission').implement({
  description: 'Fine-grained permissions for one object, which apply in addition to administration roles.',
  fields: (t) => ({
    resourceId: t.exposeString('id', {
      description: 'ID of the resource in the authorization services of the client realm-management.',
    }),
    scopes: t.field({
      type: [ScopePermission],
      description: 'Scopes with their permissions, ordered by name.',
      resolve: (row) => Object.entries(scopePermissions(row)),
    }),
  }),
});

interface Parent {
  id: string;
  realmId?: string;
  clientId?: string | null;
  managementResource: PermissionRow[];
}

const field = (description: string, permission: (parent: Parent) => Permission, kind?: About['kind']) => ({
  type: ManagementPermission,
  nullable: true,
  description: `${description} Null if they are disabled.`,
  select: { managementResource: { select: permissionSelect, take: 1 } },
  async resolve(parent: Parent, _args: object, ctx: Context) {
    await requireAllowed(ctx, parent.realmId ?? parent.id, permission(parent), kind && { ...parent, kind });
    return parent.managementResource[0] ?? null;
  },
});

builder.prismaObjectField(Role, 'managementPermission', (t) =>
  t.field(
    field(
      'Fine-grained permissions for this role.',
      ({ clientId }) => (clientId === null ? 'view:realm' : 'view:clients'),
      'role',
    ) as never,
  ),
);
builder.prismaObjectField(Group, 'managementPermission', (t) =>
  t.field(field('Fine-grained permissions for this group and its members.', () => 'view:groups', 'group') as never),
);
builder.prismaObjectField(Client, 'managementPermission', (t) =>
  t.field(field('Fine-grained permissions for this client and its roles.', () => 'view:clients', 'client') as never),
);
builder.prismaObjectField(IdentityProvider, 'managementPermission', (t) =>
  t.field(field('Fine-grained permissions for this identity provider.', () => 'view:identity-providers') as never),
);
builder.prismaObjectField(Realm, 'usersManagementPermission', (t) =>
  t.field(field('Fine-grained permissions for all users of the realm.', () => 'view:realm') as never),
);

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
    id: t.id({
      required: true,
      description: 'ID of the role, group, client, or identity provider. The ID of a realm stands for all its users.',
    }),
    enabled: t.boolean({ required: true, description: 'Whether the permissions are enabled after the change.' }),
  }),
  locate: async ({ id }, ctx) => {
    return subject(ctx, await locatedNode(ctx, id, 'id', 'Role', 'Group', 'Client', 'IdentityProvider', 'Realm'));
  },
  send: ({ enabled }) => ({ enabled }),
  values: {
    managementPermission: {
      type: ManagementPermission,
      description: 'The permissions after the change. Null if they are disabled.',
      of: (row) => row,
    },
  },
});
