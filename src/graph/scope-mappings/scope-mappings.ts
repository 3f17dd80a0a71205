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
  [Client, 'client', 'also its own ones and those through composite roles; all of them for a client with full scope'],
  [ClientScope, 'clientScope', 'also through composite roles'],
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
        args: { ...pageArgs, filter: t.arg({ type: RoleFilter, description: 'Which of them.' }) },
        ...of,
      } as never);
    return {
      scopeRoles: list('The roles that were put into its scope, by name.', direct as object),
      effectiveScopeRoles: list(`The roles in its scope, ${reached}.`, effective as object),
      availableScopeRoles: list(
        'The roles that are not in its scope. Empty for callers who may not put them there.',
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
    description: 'The clients into whose scope it was put. Empty for callers without view-clients.',
    args: pageArgs,
    ...(clients as object),
  } as never),
  scopedClientScopes: t.field({
    type: ClientScopeConnection,
    nullable: true,
    description: 'The client scopes into whose scope it was put. Empty for callers without view-clients.',
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
      owner: t.id({ required: true, description: 'Id of the client or client scope.' }),
      roles: t.idList({ required: true, description: 'Ids of the roles.' }),
    }),
    locate: async ({ owner }, ctx) => inRealm(await ownerTarget(ctx, owner)),
    send: ({ roles }) => roles.map((id) => ({ id: parseId(id, 'roles', 'Role').id })),
    fieldOf: () => 'roles',
    returns: {
      client: {
        type: Client,
        model: 'client',
        description: 'The client as it is now, if it is one.',
        id: ownerIf('client'),
      },
      clientScope: {
        type: ClientScope,
        model: 'clientScope',
        description: 'The client scope as it is now, if it is one.',
        id: ownerIf('client-scope'),
      },
    },
  });
}

scopeMutation(
  'scopeMappingAdd',
  'Puts roles of the realm and its clients into the scope of a client or client scope.',
  add,
);
scopeMutation('scopeMappingRemove', 'Takes roles out of the scope of a client or client scope.', remove);
