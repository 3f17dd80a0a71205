import { randomUUID } from 'node:crypto';
import { decode } from '../../src/services/core/shape.js';
import { plainPasswords } from '../../src/services/realms/assemble/credentials.js';
import type { AssemblyContext, RealmRows } from '../../src/services/realms/assemble/draft.js';
import { assembleRealm, newClientSecret } from '../../src/services/realms/assemble/realm.js';
import { RealmRepresentation } from '../../src/services/realms/representation.js';

/** The rows of a realm as it would be imported; secrets are sealed visibly and passwords hashed to nothing. */
export async function build(
  representation: unknown,
  master: AssemblyContext['master'] = { realmId: 'master', adminRoleId: 'admin' },
): Promise<RealmRows> {
  const input = decode(RealmRepresentation, representation);
  const passwords = new Map(
    plainPasswords(input).map(({ credential }) => [
      credential,
      { credentialData: '{"algorithm":"none"}', secretData: '{"value":"hash"}' },
    ]),
  );
  return assembleRealm(input, {
    newId: randomUUID,
    newSecret: newClientSecret,
    seal: (text) => `sealed:${text}`,
    now: 1_700_000_000_000,
    passwords,
    takesKeys: true,
    ...(master && { master }),
  });
}

/** Column of a model that refers to another one. */
const references: Record<string, Record<string, keyof RealmRows>> = {
  AuthenticationExecution: {
    flowId: 'AuthenticationFlow',
    subflowId: 'AuthenticationFlow',
    configId: 'AuthenticatorConfig',
  },
  ClientScopeAssignment: { clientId: 'Client', clientScopeId: 'ClientScope' },
  ProtocolMapper: { clientId: 'Client', clientScopeId: 'ClientScope' },
  Role: { clientId: 'Client' },
  RoleAttribute: { roleId: 'Role' },
  CompositeRole: { parentId: 'Role', childId: 'Role' },
  ClientScopeMapping: { clientId: 'Client', roleId: 'Role' },
  ClientScopeScopeMapping: { clientScopeId: 'ClientScope', roleId: 'Role' },
  Group: { parentId: 'Group' },
  GroupAttribute: { groupId: 'Group' },
  GroupRole: { groupId: 'Group', roleId: 'Role' },
  User: { serviceAccountClientId: 'Client' },
  UserAttribute: { userId: 'User' },
  Credential: { userId: 'User' },
  FederatedIdentity: { userId: 'User' },
  UserConsent: { userId: 'User', clientId: 'Client' },
  UserGroup: { userId: 'User', groupId: 'Group' },
  UserRole: { userId: 'User', roleId: 'Role' },
};

/** References that point to no row, or to one that comes later. The realm and the master realm's own ids may be outside. */
export function dangling(rows: RealmRows): string[] {
  const realms = new Set(['master', ...rows.Realm.map((realm) => realm.id)]);
  const seen: Record<string, Set<unknown>> = {};
  const found: string[] = [];
  for (const [model, list] of Object.entries(rows) as [keyof RealmRows, Record<string, unknown>[]][]) {
    const ids = seen[model] ?? new Set();
    seen[model] = ids;
    for (const row of list) {
      if ('realmId' in row && !realms.has(row.realmId as string)) found.push(`${model}.realmId ${row.realmId}`);
      for (const [column, target] of Object.entries(references[model] ?? {})) {
        const value = row[column];
        if (value === null || value === 'admin' || seen[target]?.has(value)) continue;
        found.push(`${model}.${column} ${value}`);
      }
      if ('id' in row) ids.add(row.id);
    }
  }
  return found;
}

/** Number of rows by model, without the models that have none. */
export const counts = (rows: RealmRows): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).flatMap(([model, list]) => (list.length > 0 ? [[model, list.length]] : [])));
