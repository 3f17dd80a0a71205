import type { Prisma } from '../../generated/sqlite/client.js';
import { clearable, newColumns, replacedColumns } from '../core/fields.js';
import { list, read, write } from '../core/operation.js';
import { ownId } from '../core/own-id.js';
import { patchOf } from '../core/patch.js';
import { found, invalid } from '../core/refusal.js';
import type { Target } from '../core/target.js';
import { forgetInPolicies } from '../permissions/store.js';
import { newMapperRows } from '../protocol-mappers/rows.js';
import { clientScopeSelect, encodeClientScope, type FullScope } from './encode.js';
import { clientScopeFields } from './fields.js';
import type { ScopeTarget } from './locate.js';
import { ClientScopeChanges, ClientScopeRepresentation } from './representation.js';
import { withdrawScope } from './store.js';

const longestName = 255;

/** The name as it is kept: tokens list the names of scopes between blanks, so that none may have one. */
function storedName(name: string): string {
  if (name.length > longestName)
    throw invalid(`\`name\` must be at most ${longestName} characters`, 'name', { code: 'NAME_INVALID' });
  return name.replaceAll(' ', '_');
}

const touched = ({ id }: { id: string }, { realm }: Target) => [`client-scopes:${realm.id}`, `client-scope:${id}`];
const pathOf = ({ id }: { id: string }) => `client-scopes/${id}`;
const taken = ({ name, id }: { name?: string | undefined; id?: string | undefined }) =>
  `Client Scope ${name ?? id ?? ''} already exists`;

export const listScopes = list({
  name: 'clientScope.list',
  summary: 'Returns the client scopes of a realm.',
  allow: 'list:client-scopes',
  model: 'ClientScope',
  visible: 'clients',
  where: ({ realm }: Target): Prisma.ClientScopeWhereInput => ({ realmId: realm.id }),
  orderBy: [{ name: 'asc' }],
});

export const get = read({
  name: 'clientScope.get',
  summary: 'Returns a client scope with its protocol mappers.',
  allow: 'view:clients',
  run: async (_ctx, { scope }: ScopeTarget): Promise<FullScope> => scope,
});

export const create = write({
  name: 'clientScope.create',
  summary: 'Creates a client scope, with protocol mappers if given. Spaces in its name are replaced by underscores.',
  input: ClientScopeRepresentation,
  allow: 'manage:clients',
  run: async (tx, target: Target, input, { ctx }): Promise<FullScope> => {
    if (input.name === undefined) throw invalid('`name` of the client scope is required', 'name');
    const row = {
      ...newColumns(clientScopeFields, input),
      id: await ownId(tx, input.id, ctx.services, 'id', taken(input)),
      realmId: target.realm.id,
      name: storedName(input.name),
      attributes: input.attributes ?? {},
    };
    await tx.clientScope.createMany({ data: row });
    const mappers = await newMapperRows(
      tx,
      ctx,
      { realm: target.realm, owner: { id: row.id, kind: 'client-scope' } },
      input.protocolMappers ?? [],
    );
    if (mappers.length > 0) await tx.protocolMapper.createMany({ data: mappers });
    return { ...row, version: 0, protocolMappers: mappers };
  },
  refuses: ['NAME_TAKEN'],
  conflict: taken,
  event: (scope) => ({
    operationType: 'CREATE',
    resourceType: 'CLIENT_SCOPE',
    resourcePath: pathOf(scope),
    representation: encodeClientScope(scope),
  }),
  touches: touched,
});

/** Given attributes beside those that are there; null takes one away. */
const mergedAttributes = (before: unknown, given: Record<string, string | null> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...(before as Record<string, string>), ...given }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );

export const update = write({
  name: 'clientScope.update',
  summary: 'Changes the given fields of a client scope. Protocol mappers are changed by their own operations.',
  input: ClientScopeChanges,
  allow: 'manage:clients',
  lock: ({ scope }: ScopeTarget) => ({ model: 'ClientScope', id: scope.id }),
  refresh: async (tx, target: ScopeTarget) => ({
    ...target,
    scope: found(
      await tx.clientScope.findUnique({ where: { id: target.scope.id }, select: clientScopeSelect }),
      'Could not find client scope',
    ),
  }),
  run: async (tx, { scope: before }, input): Promise<FullScope> => {
    const changes = {
      ...replacedColumns(clientScopeFields, input),
      ...(input.name !== undefined && { name: storedName(input.name) }),
      attributes: mergedAttributes(before.attributes, input.attributes),
    };
    await tx.clientScope.updateMany({
      where: { id: before.id },
      data: { ...changes, version: { increment: 1 } },
    });
    return { ...before, ...changes, version: before.version + 1 };
  },
  refuses: ['NAME_TAKEN'],
  conflict: taken,
  event: (scope, { scope: before }) => ({
    operationType: 'UPDATE',
    resourceType: 'CLIENT_SCOPE',
    resourcePath: pathOf(scope),
    representation: encodeClientScope(scope),
    before: encodeClientScope(before),
  }),
  touches: touched,
});

export const patch = patchOf(update, {
  current: ({ scope }) => encodeClientScope(scope),
  empty: { ...clearable(clientScopeFields), attributes: {} },
  keepsRest: true,
  mergedMaps: { attributes: null },
});

export const remove = write({
  name: 'clientScope.delete',
  summary: 'Deletes a client scope. It is removed from clients, realm defaults, and user consents.',
  allow: 'manage:clients',
  lock: ({ scope }: ScopeTarget) => ({ model: 'ClientScope', id: scope.id }),
  run: async (tx, { realm, scope }): Promise<FullScope> => {
    await withdrawScope(tx, realm.id, scope.id);
    await forgetInPolicies(tx, realm, 'client-scope', [scope.id]);
    await tx.later.clientScope.deleteMany({ where: { id: scope.id } });
    return scope;
  },
  event: (scope) => ({
    operationType: 'DELETE',
    resourceType: 'CLIENT_SCOPE',
    resourcePath: pathOf(scope),
    before: encodeClientScope(scope),
  }),
  touches: touched,
});
