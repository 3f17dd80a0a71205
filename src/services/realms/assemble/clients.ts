import { clientColumns, wantsAuthorization } from '../../clients/columns.js';
import type { ClientInput } from '../../clients/representation.js';
import { conflict, invalid } from '../../core/refusal.js';
import { adminClient, defaultClients, serviceAccountMappers } from '../defaults/clients.js';
import { adminRoles, type DefaultRole } from '../defaults/roles.js';
import { addMappers, assignScopes, hasMapper } from './client-scopes.js';
import { type ClientRow, type Draft, itemsOf } from './draft.js';
import { flowIdOf, unknownFlow } from './flows.js';
import { addDefaultRoles } from './roles.js';

/** The clients of the file. */
export async function addGivenClients(draft: Draft): Promise<void> {
  for await (const [index, client] of itemsOf(draft, draft.input.clients)) {
    const row = draft.refusals.attempt(() => addClient(draft, client, `clients.${index}`));
    if (!row) continue;
    assignScopes(draft, row, {
      default: client.defaultClientScopes,
      optional: client.optionalClientScopes,
      template: client.clientTemplate,
    });
  }
}

/**
 * Adds the default mappers of service accounts to their clients. The reference server does so for whole realms only.
 */
async function addServiceAccountMappers(draft: Draft): Promise<void> {
  for (const [index, { id, serviceAccountsEnabled }] of [...draft.clientByName.values()].entries()) {
    if (!serviceAccountsEnabled) continue;
    await draft.pause();
    const missing = serviceAccountMappers.filter(({ name }) => !hasMapper(draft, id, name ?? ''));
    addMappers(draft, { clientId: id }, missing, `clients.${index}`);
  }
}

/**
 * Adds the clients of the file, then the built-in clients that it does not contain. Returns the latter with their
 * roles.
 */
export async function assembleClients(draft: Draft): Promise<{ client: ClientRow; roles: readonly DefaultRole[] }[]> {
  await addGivenClients(draft);
  await addServiceAccountMappers(draft);
  const added: { client: ClientRow; roles: readonly DefaultRole[] }[] = [];
  for (const { client, roles } of defaultClients(draft.input.realm, draft.isMaster)) {
    if (draft.clientByName.has(client.clientId)) continue;
    const row = addClient(draft, client, 'clients');
    // The reference server creates them before the scopes of the file.
    if (draft.input.clientScopes === undefined) assignScopes(draft, row, {});
    added.push({ client: row, roles });
  }
  return added;
}

function addClient(draft: Draft, client: ClientInput, field: string): ClientRow {
  const { clientId } = client;
  // an empty one is accepted, as in the contract
  if (clientId === undefined) throw invalid('`clientId` is required for every client', `${field}.clientId`);
  if (draft.clientByName.has(clientId))
    throw conflict(`Client ${clientId} already exists`, `${field}.clientId`, 'NAME_TAKEN');
  const row = clientRow(draft, client, clientId, field);
  draft.clientByName.set(clientId, row);
  draft.rows.Client.push(row);
  addMappers(draft, { clientId: row.id }, client.protocolMappers, `${field}.protocolMappers`);
  return row;
}

/**
 * The columns of a client. A client with authorization services gets a service account too, unless it is bearer-only.
 */
function clientRow(draft: Draft, client: ClientInput, clientId: string, field: string): ClientRow {
  const { context } = draft;
  const hasAuthorization = wantsAuthorization(client);
  const completed = {
    ...client,
    serviceAccountsEnabled: client.serviceAccountsEnabled || (hasAuthorization && !client.bearerOnly),
    authorizationServicesEnabled: hasAuthorization,
  };
  return clientColumns(completed, {
    id: draft.ids.of('Client', client.id),
    realmId: draft.realmId,
    clientId,
    // an import creates no secrets: the first update of a confidential client does
    secret: client.secret,
    flowOverrides: flowOverrides(draft, client, `${field}.authenticationFlowBindingOverrides`),
    seal: context.seal,
  });
}

function flowOverrides(draft: Draft, client: ClientInput, field: string): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const [use, flow] of Object.entries(client.authenticationFlowBindingOverrides ?? {})) {
    if (flow.trim() === '') continue;
    const id = flowIdOf(draft, flow);
    if (id === undefined) draft.refusals.add(unknownFlow(flow, `${field}.${use}`));
    else overrides[use] = id;
  }
  return overrides;
}

/** The client in the master realm that represents this realm, with roles that the master realm's `admin` includes. */
export function assembleAdminClient(draft: Draft, master: { realmId: string; adminRoleId: string }): ClientRow {
  const client = adminClient(draft.input.realm);
  if (draft.clientByName.has(client.clientId))
    throw conflict(`Client ${client.clientId} already exists`, 'clients', 'NAME_TAKEN');
  const row = clientRow(draft, client, client.clientId, 'clients');
  const inMaster = { ...row, realmId: master.realmId, protocol: null, secret: null };
  draft.rows.Client.push(inMaster);
  addDefaultRoles(draft, inMaster, adminRoles);
  for (const { id } of draft.rolesOf.get(inMaster.id)?.values() ?? []) {
    draft.rows.CompositeRole.push({ parentId: master.adminRoleId, childId: id });
  }
  return inMaster;
}
