import type { z } from 'zod';
import { listScopes } from '../../services/client-scopes/operations.js';
import { listClients } from '../../services/clients/operations.js';
import type { Write } from '../../services/core/operation.js';
import { roleKind } from '../../services/roles/locate.js';
import { get } from '../../services/roles/operations.js';
import { inRealm, type ScopeMappingTarget } from '../../services/scope-mappings/locate.js';
import { listAvailable, listDirect, listEffective } from '../../services/scope-mappings/operations.js';
import { add, type ChangedScope, remove } from '../../services/scope-mappings/writes.js';
import { ClientScope, clientScopeLists } from '../client-scopes/client-scopes.js';
import { Client, ClientConnection } from '../clients/clients.js';
import { clientList } from '../clients/filter.js';
import { entriesOf } from '../core/input-path.js';
import { mutation } from '../core/mutation.js';
import { parseIds } from '../core/node.js';
import { relatedField } from '../core/related.js';
import { ownerTarget } from '../protocol-mappers/protocol-mappers.js';
import { Role, roleLists } from '../roles/roles.js';

for (const [type, reached] of [
  [
    Client,
    'including the roles of the client and roles through composite roles; all roles if `allowsFullScope` is true',
  ],
  [ClientScope, 'including roles through composite roles'],
] as const) {
  relatedField(type, 'scopeRoles', {
    ...roleLists,
    relation: 'scopeMappings',
    through: 'role',
    listing: listDirect,
    description: 'Role scope mappings, ordered by name.',
  });
  relatedField(type, 'effectiveScopeRoles', {
    ...roleLists,
    relation: 'effectiveScopeRoles',
    listing: listEffective,
    description: `Effective role scope mappings, ${reached}.`,
  });
  relatedField(type, 'availableScopeRoles', {
    ...roleLists,
    relation: 'availableScopeRoles',
    listing: listAvailable,
    emptyWithout: add,
    description: 'Roles that can be added to the role scope mappings.',
  });
}

relatedField(Role, 'scopedClients', {
  relation: 'clientsWithInScope',
  through: 'client',
  listing: listClients,
  requires: { operation: get, kind: roleKind },
  list: clientList,
  connection: ClientConnection,
  description: 'Clients with a scope mapping of this role, ordered by clientId.',
});

relatedField(Role, 'scopedClientScopes', {
  relation: 'clientScopes',
  through: 'clientScope',
  listing: listScopes,
  requires: { operation: get, kind: roleKind },
  ...clientScopeLists,
  description: 'Client scopes with a scope mapping of this role, ordered by name.',
});

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
    send: ({ roles }) => parseIds(roles, 'roles', 'Role').map((id) => ({ id })),
    fieldOf: entriesOf('roles'),
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
