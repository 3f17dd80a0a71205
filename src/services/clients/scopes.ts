import { write } from '../core/operation.js';
import { flag, representation } from '../core/shape.js';
import type { ClientScopeOfClientTarget } from './locate.js';
import { touched } from './operations.js';

/** Whether the scope is only given on request. */
const ScopeAssignment = representation('ScopeAssignment', { optional: flag });

const pathOf = ({ client, scope }: ClientScopeOfClientTarget, optional: boolean | undefined) =>
  `clients/${client.id}/${optional ? 'optional' : 'default'}-client-scopes/${scope.id}`;

const altersOwner = ({ client }: ClientScopeOfClientTarget) => ({ clients: [client.id] });

export const assignScope = write({
  name: 'client.assignScope',
  summary:
    'Assigns a client scope to a client. No effect if it is already assigned; a scope of another protocol is never used.',
  input: ScopeAssignment,
  allow: 'manage:clients',
  alters: altersOwner,
  lock: ({ client }: ClientScopeOfClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client, scope }, { optional = false }): Promise<string> => {
    if (scope.protocol === (client.protocol ?? 'openid-connect')) {
      const row = { clientId: client.id, clientScopeId: scope.id, optional };
      const added = await tx.insertNew('ClientScopeAssignment', [row]);
      if (added > 0) {
        await tx.later.client.updateMany({ where: { id: client.id }, data: { version: { increment: 1 } } });
      }
    }
    return client.id;
  },
  event: (_id, target, { optional }) => ({
    operationType: 'CREATE',
    resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING',
    resourcePath: pathOf(target, optional),
  }),
  touches: (id, { realm }) => touched({ id, realmId: realm.id }),
});

export const unassignScope = write({
  name: 'client.unassignScope',
  summary: 'Removes a default or optional client scope from a client.',
  input: ScopeAssignment,
  allow: 'manage:clients',
  alters: altersOwner,
  lock: ({ client }: ClientScopeOfClientTarget) => ({ model: 'Client', id: client.id }),
  run: async (tx, { client, scope }): Promise<string> => {
    const where = { clientId: client.id, clientScopeId: scope.id };
    const { count } = await tx.clientScopeAssignment.deleteMany({ where });
    if (count > 0) await tx.later.client.updateMany({ where: { id: client.id }, data: { version: { increment: 1 } } });
    return client.id;
  },
  event: (_id, target, { optional }) => ({
    operationType: 'DELETE',
    resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING',
    resourcePath: pathOf(target, optional),
  }),
  touches: (id, { realm }) => touched({ id, realmId: realm.id }),
});
