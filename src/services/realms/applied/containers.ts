import { contentsOf, scopeMappingsOf } from '../../core/managed.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Json, listOf, mapOf } from '../desired/kinds.js';

/** Objects by the ids of what goes with them when they are deleted. */
type Containers = Map<string, string[]>;

function note(found: Containers, id: string, containers: readonly (string | null | undefined)[]): void {
  const given = containers.flatMap((one) => one ?? []);
  if (given.length > 0) found.set(id, [...(found.get(id) ?? []), ...given]);
}

function containersIn(rows: RealmRows): Containers {
  const found: Containers = new Map();
  for (const { id, clientId } of rows.Role) note(found, id, [clientId]);
  for (const { id, parentId } of rows.Group) note(found, id, [parentId]);
  for (const { id, parentId } of rows.Component) note(found, id, [parentId]);
  for (const { id, serviceAccountClientId } of rows.User) note(found, id, [serviceAccountClientId]);
  const providers = new Map(rows.IdentityProvider.map(({ alias, id }) => [alias, id]));
  for (const { id, identityProviderAlias } of rows.IdentityProviderMapper)
    note(found, id, [providers.get(identityProviderAlias)]);
  for (const { id, flowId, subflowId, configId } of rows.AuthenticationExecution) {
    note(found, id, [flowId]);
    if (subflowId) note(found, subflowId, [id]);
    if (configId) note(found, configId, [id]);
  }
  return found;
}

interface Mapping {
  holder: string;
  roleId: string;
}

/**
 * The scope mappings that a file describes, each with what it goes with. They are noted apart from the clients and client scopes that have
 * them: of these, the file says nothing else.
 */
function describedMappings(given: Json, rows: RealmRows): Containers {
  const clients = new Map(rows.Client.map(({ clientId, id }) => [clientId, id]));
  const scopes = new Map(rows.ClientScope.map(({ name, id }) => [name, id]));
  const clientOfRole = new Map(rows.Role.map(({ id, clientId }) => [id, clientId ?? null]));
  const mappings: Mapping[] = [
    ...rows.ClientScopeMapping.map(({ clientId: holder, roleId }) => ({ holder, roleId })),
    ...rows.ClientScopeScopeMapping.map(({ clientScopeId: holder, roleId }) => ({ holder, roleId })),
  ];
  const found: Containers = new Map();
  const add = (list: readonly Json[], ofClient: string | null) => {
    for (const { client, clientScope } of list) {
      const holder = clients.get(String(client)) ?? scopes.get(String(clientScope));
      if (holder === undefined) continue;
      const roles = mappings.filter((one) => one.holder === holder && clientOfRole.get(one.roleId) === ofClient);
      note(found, scopeMappingsOf(holder), [holder, ...roles.map(({ roleId }) => roleId)]);
    }
  };
  add(listOf(given, 'scopeMappings'), null);
  const byClient = mapOf(given, 'clientScopeMappings');
  for (const clientId of Object.keys(byClient)) {
    const own = clients.get(clientId);
    if (own !== undefined) add(listOf(byClient, clientId), own);
  }
  return found;
}

/**
 * What is noted besides the ids of the objects that a file describes: its scope mappings, and what is in objects that it does not describe, for
 * these cannot be deleted without it.
 */
export function notedBeside(given: Json, described: ReadonlySet<string>, rows: RealmRows): Set<string> {
  const mappings = describedMappings(given, rows);
  const containers = new Map([...containersIn(rows), ...mappings]);
  const seen = new Set<string>([...described, ...mappings.keys()]);
  const noted = new Set<string>(mappings.keys());
  // a set that grows while it is gone through is gone through to its end
  for (const id of seen) {
    for (const container of containers.get(id) ?? []) {
      if (!described.has(container)) noted.add(contentsOf(container));
      seen.add(container);
    }
  }
  return noted;
}
