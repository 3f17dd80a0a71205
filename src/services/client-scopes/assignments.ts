import type { Prisma } from '../../generated/sqlite/client.js';
import { type AuditRecord, list, write } from '../core/operation.js';
import { conflict } from '../core/refusal.js';
import { flag, representation } from '../core/shape.js';
import type { Target } from '../core/target.js';
import type { ScopedClient, ScopeTarget } from './locate.js';

/** Which of the two lists of assigned client scopes: the optional one, or else the default one. */
const AssignmentFilter = representation('AssignmentFilter', { optional: flag });

const listName = (optional: boolean | undefined) => (optional ? 'optional' : 'default');

export const listRealmScopes = list({
  name: 'clientScope.realmDefaults',
  summary: 'Returns the default or optional client scopes that new clients of a realm get.',
  input: AssignmentFilter,
  allow: 'view:clients',
  model: 'ClientScope',
  where: ({ realm }: Target, { optional }): Prisma.ClientScopeWhereInput => ({
    realmId: realm.id,
    assignment: listName(optional),
  }),
  orderBy: [{ name: 'asc' }],
});

export const listClientScopes = list({
  name: 'client.scopes',
  summary: 'Returns the default or optional client scopes of a client. Scopes of another protocol have no effect.',
  input: AssignmentFilter,
  allow: 'view:clients',
  model: 'ClientScope',
  where: ({ client }: ScopedClient, { optional = false }): Prisma.ClientScopeWhereInput => ({
    clients: { some: { clientId: client.id, optional } },
    // those of another protocol have no effect
    protocol: client.protocol ?? 'openid-connect',
  }),
  orderBy: [{ name: 'asc' }],
});

const lock = ({ scope }: ScopeTarget) => ({ model: 'ClientScope' as const, id: scope.id });
const touches = (_: unknown, { realm, scope }: ScopeTarget) => [
  `client-scopes:${realm.id}`,
  `client-scope:${scope.id}`,
];
const changed = (
  operationType: AuditRecord['operationType'],
  { scope }: ScopeTarget,
  optional: boolean | undefined,
): AuditRecord => ({
  operationType,
  resourceType: 'CLIENT_SCOPE',
  resourcePath: `default-${listName(optional)}-client-scopes/${scope.id}`,
});

export const addRealmScope = write({
  name: 'clientScope.addToRealm',
  summary: 'Makes a client scope a default or optional client scope of a realm, which new clients get.',
  input: AssignmentFilter,
  allow: 'manage:realm',
  lock,
  run: async (tx, { scope }: ScopeTarget, { optional }) => {
    const { count } = await tx.clientScope.updateMany({
      where: { id: scope.id, assignment: null },
      data: { assignment: listName(optional), version: { increment: 1 } },
    });
    if (count === 0) throw conflict(`The client scope ${scope.name} is already assigned to new clients`);
    return scope.id;
  },
  event: (_id, target, { optional }) => changed('CREATE', target, optional),
  touches,
});

export const removeRealmScope = write({
  name: 'clientScope.removeFromRealm',
  summary: 'Removes a client scope from the default and optional client scopes of a realm. Existing clients keep it.',
  input: AssignmentFilter,
  allow: 'manage:realm',
  lock,
  run: async (tx, { scope: { id } }: ScopeTarget) => {
    const before = await tx.clientScope.findUnique({ where: { id }, select: { assignment: true } });
    await tx.later.clientScope.updateMany({
      where: { id, assignment: { not: null } },
      data: { assignment: null, version: { increment: 1 } },
    });
    return { id, wasOptional: before?.assignment === 'optional' };
  },
  event: ({ wasOptional }, target, { optional = wasOptional }) => changed('DELETE', target, optional),
  touches,
});
