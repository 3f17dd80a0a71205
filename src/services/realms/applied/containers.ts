import { listsByKey } from '../../core/lists-by-key.js';
import { contentsOf, scopeMappingsOf } from '../../core/managed.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Json, listOf, mapOf } from '../desired/kinds.js';

/** The containers of objects, which are deleted with them, by object. */
type Containers = Map<string, string[]>;

/** Pairs of an object and its container; none for objects without a container. */
const within = (id: string, container: string | null | undefined): [string, string][] =>
  container ? [[id, container]] : [];

function containersIn(rows: RealmRows): Containers {
  const providers = new Map(rows.IdentityProvider.map(({ alias, id }) => [alias, id]));
  return listsByKey([
    ...rows.Role.flatMap(({ id, clientId }) => within(id, clientId)),
    ...rows.Group.flatMap(({ id, parentId }) => within(id, parentId)),
    ...rows.Component.flatMap(({ id, parentId }) => within(id, parentId)),
    ...rows.User.flatMap(({ id, serviceAccountClientId }) => within(id, serviceAccountClientId)),
    ...rows.IdentityProviderMapper.flatMap(({ id, identityProviderAlias }) =>
      within(id, providers.get(identityProviderAlias)),
    ),
    ...rows.AuthenticationExecution.flatMap(({ id, flowId, subflowId, configId }) => [
      ...within(id, flowId),
      ...(subflowId ? within(subflowId, id) : []),
      ...(configId ? within(configId, id) : []),
    ]),
  ]);
}

/**
 * The scope mappings that a file describes, each with its containers. They are noted apart from their clients and
 * client scopes, because the file describes nothing else of these.
 */
function describedMappings(given: Json, rows: RealmRows): Containers {
  const clients = new Map(rows.Client.map(({ clientId, id }) => [clientId, id]));
  const scopes = new Map(rows.ClientScope.map(({ name, id }) => [name, id]));
  const clientOfRole = new Map(rows.Role.map(({ id, clientId }) => [id, clientId ?? null]));
  const rolesOf = listsByKey([
    ...rows.ClientScopeMapping.map(({ clientId, roleId }) => [clientId, roleId] as const),
    ...rows.ClientScopeScopeMapping.map(({ clientScopeId, roleId }) => [clientScopeId, roleId] as const),
  ]);
  const found: [string, string][] = [];
  const add = (list: readonly Json[], ofClient: string | null) => {
    for (const { client, clientScope } of list) {
      const holder = clients.get(String(client)) ?? scopes.get(String(clientScope));
      if (holder === undefined) continue;
      const roles = (rolesOf.get(holder) ?? []).filter((role) => clientOfRole.get(role) === ofClient);
      for (const container of [holder, ...roles]) found.push([scopeMappingsOf(holder), container]);
    }
  };
  add(listOf(given, 'scopeMappings'), null);
  const byClient = mapOf(given, 'clientScopeMappings');
  for (const clientId of Object.keys(byClient)) {
    const own = clients.get(clientId);
    if (own !== undefined) add(listOf(byClient, clientId), own);
  }
  return listsByKey(found);
}

/**
 * The notes besides the IDs of the objects that a file describes: its scope mappings, and the contents of containers
 * that it does not describe. Deleting such a container would delete described objects.
 */
export function additionalNotes(given: Json, described: ReadonlySet<string>, rows: RealmRows): Set<string> {
  const mappings = describedMappings(given, rows);
  const containers = new Map([...containersIn(rows), ...mappings]);
  const seen = new Set<string>([...described, ...mappings.keys()]);
  const noted = new Set<string>(mappings.keys());
  // a loop over a set also visits elements that are added during the loop
  for (const id of seen) {
    for (const container of containers.get(id) ?? []) {
      if (!described.has(container)) noted.add(contentsOf(container));
      seen.add(container);
    }
  }
  return noted;
}
