import { invalid } from '../../core/refusal.js';
import type { RoleRow } from '../../roles/row.js';
import { offlineAccess } from '../defaults/roles.js';
import type { ScopeMappingInput } from '../nested-representations.js';
import { unknownScope } from './client-scopes.js';
import { type ClientRow, type Draft, isNewLink, itemsOf } from './draft.js';
import { clientNamed, findRole, roleNamed } from './roles.js';

/** Adds the roles in the scope of clients and client scopes. */
export async function assembleScopeMappings(draft: Draft, builtInClients: readonly ClientRow[]): Promise<void> {
  const { scopeMappings, clientScopeMappings, clientScopes } = draft.input;
  for await (const [index, mapping] of itemsOf(draft, scopeMappings)) {
    addMapping(draft, mapping, undefined, `scopeMappings.${index}`);
  }
  for (const [clientId, mappings] of Object.entries(clientScopeMappings ?? {})) {
    const client = clientNamed(draft, clientId, `clientScopeMappings.${clientId}`);
    if (!client) continue;
    for await (const [index, mapping] of itemsOf(draft, mappings)) {
      addMapping(draft, mapping, client, `clientScopeMappings.${clientId}.${index}`);
    }
  }
  if (draft.context.isWhole) return;
  const console = builtInClients.find(({ clientId }) => clientId === 'account-console');
  const account = draft.clientByName.get('account');
  const manageAccount = account && findRole(draft, account, 'manage-account');
  if (console && manageAccount) addToClient(draft, console, manageAccount);
  if (!clientScopes?.some(({ name }) => name === offlineAccess.name)) {
    const scope = draft.scopeByName.get(offlineAccess.name);
    const role = findRole(draft, undefined, offlineAccess.name);
    if (scope && role) addToScope(draft, scope.id, role);
  }
}

function addMapping(draft: Draft, mapping: ScopeMappingInput, of: ClientRow | undefined, field: string): void {
  const scope = mapping.clientScope === undefined ? undefined : draft.scopeByName.get(mapping.clientScope);
  if (mapping.clientScope !== undefined && !scope)
    draft.refusals.add(unknownScope(mapping.clientScope, `${field}.clientScope`));
  const client = mapping.client === undefined ? undefined : clientNamed(draft, mapping.client, `${field}.client`);
  if (mapping.client === undefined && mapping.clientScope === undefined)
    draft.refusals.add(invalid('A scope mapping requires a client or a client scope', field));
  for (const [index, name] of (mapping.roles ?? []).entries()) {
    const role = roleNamed(draft, of, name, `${field}.roles.${index}`);
    if (client) addToClient(draft, client, role);
    if (scope) addToScope(draft, scope.id, role);
  }
}

function addToClient(draft: Draft, client: ClientRow, role: RoleRow): void {
  if (isNewLink(draft, 'scope', client.id, role.id))
    draft.rows.ClientScopeMapping.push({ clientId: client.id, roleId: role.id });
}

function addToScope(draft: Draft, clientScopeId: string, role: RoleRow): void {
  if (isNewLink(draft, 'scope', clientScopeId, role.id))
    draft.rows.ClientScopeScopeMapping.push({ clientScopeId, roleId: role.id });
}
