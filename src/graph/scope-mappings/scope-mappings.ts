import type { z } from 'zod';
import type { Write } from '../../services/core/operation.js';
import { inRealm, type ScopeMappingTarget } from '../../services/scope-mappings/locate.js';
import { add, type ChangedScope, remove } from '../../services/scope-mappings/writes.js';
import { ClientScope, ClientScopeConnection } from '../client-scopes/client-scopes.js';
import { Client, ClientConnection } from '../clients/clients.js';
import { builder } from '../core/builder.js';
import { pageArgs, related } from '../core/connection.js';
import { mutation } from '../core/mutation.js';
import { parseId } from '../core/node.js';
import { ownerTarget } from '../protocol-mappers/protocol-mappers.js';
import { Role, RoleConnection, RoleFilter, type RoleFilterValue, roleWhere } from '../roles/roles.js';

interface RoleListArgs {
  filter?: RoleFilterValue | null;
}

const where = ({ filter }: RoleListArgs): Record<string, unknown> => (filter ? { ...roleWhere(filter) } : {});
const byName = [{ path: 'name' }, { path: 'id' }];

for (const [type, parent, reached] of [
  [Client, 'client', 'including its own roles and composite roles; all roles for a client with full scope'],
  [ClientScope, 'clientScope', 'including composite roles'],
] as const) {
  const direct = related<RoleListArgs>({
    parent,
    relation: 'scopeMappings',
    through: 'role',
    where,
    order: [{ path: 'role.name' }, { path: 'roleId' }],
    permission: 'view:clients',
  });
  const effective = related<RoleListArgs>({
    parent,
    relation: 'effectiveScopeRoles',
    where,
    order: byName,
    permission: 'view:clients',
  });
  const available = related<RoleListArgs>({
    parent,
    relation: 'availableScopeRoles',
    where,
    order: byName,
    permission: 'view:clients',
    visible: 'manage:clients',
  });
  builder.prismaObjectFields(type as never, (t) => {
    const list = (description: string, of: object) =>
      t.field({
        type: RoleConnection,
        nullable: true,
        description,
        args: {
          ...pageArgs,
          filter: t.arg({ type: RoleFilter, description: 'Returns only the items that match. Omit for all.' }),
        },
        ...of,
      } as never);
    return {
      scopeRoles: list('Role scope mappings, ordered by name.', direct as object),
      effectiveScopeRoles: list(`Effective role scope mappings, ${reached}.`, effective as object),
      availableScopeRoles: list(
        'Roles without a role scope mapping here. Empty for callers who may not add one.',
        available as object,
      ),
    };
  });
}

const permission = ({ clientId }: Record<string, unknown>) => (clientId === null ? 'view:realm' : 'view:clients');

const clients = related({
  parent: 'role',
  relation: 'clientsWithInScope',
  through: 'client',
  order: [{ path: 'client.clientId' }, { path: 'clientId' }],
  permission,
  visible: 'view:clients',
});
const scopes = related({
  parent: 'role',
  relation: 'clientScopes',
  through: 'clientScope',
  order: [{ path: 'clientScope.name' }, { path: 'clientScopeId' }],
  permission,
  visible: 'view:clients',
});

builder.prismaObjectFields(Role, (t) => ({
  scopedClients: t.field({
    type: ClientConnection,
    nullable: true,
    description: 'Clients with a scope mapping of this role. Empty for callers without view-clients.',
    args: pageArgs,
    ...(clients as object),
  } as never),
  scopedClientScopes: t.field({
    type: ClientScopeConnection,
    nullable: true,
    description: 'Client scopes with a scope mapping of this role. Empty for callers without view-clients.',
    args: pageArgs,
    ...(scopes as object),
  } as never),
}));

function scopeMutation<S extends z.ZodType>(
  name: string,
  description: string,
  operation: Write<ScopeMappingTarget, S, ChangedScope>,
): void {
  const ownerIf =
    (kind: ChangedScope['owner']['kind']) =>
    ({ owner }: ChangedScope) =>
      owner.kind === kind ? owner.id : undefined;
  mutation(name, {
    description,
    operation,
    input: (t) => ({
      owner: t.id({ required: true, description: 'ID of the client or client scope.' }),
      roles: t.idList({ required: true, description: 'IDs of the roles.' }),
    }),
    locate: async ({ owner }, ctx) => inRealm(await ownerTarget(ctx, owner)),
    send: ({ roles }) => roles.map((id) => ({ id: parseId(id, 'roles', 'Role').id })),
    fieldOf: () => 'roles',
    returns: {
      client: {
        type: Client,
        model: 'client',
        description: 'The client after the change. Null if the mapping belongs to a client scope.',
        id: ownerIf('client'),
      },
      clientScope: {
        type: ClientScope,
        model: 'clientScope',
        description: 'The client scope after the change. Null if the mapping belongs to a client.',
        id: ownerIf('client-scope'),
      },
    },
  });
}

scopeMutation('scopeMappingAdd', 'Adds role scope mappings to a client or client scope.', add);
scopeMutation('scopeMappingRemove', 'Removes role scope mappings from a client or client scope.', remove);
