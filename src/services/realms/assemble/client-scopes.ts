import { clientScopeFields, protocolMapperFields } from '../../client-scopes/fields.js';
import type { ClientScopeInput, ProtocolMapperInput } from '../../client-scopes/representation.js';
import { newColumns } from '../../core/fields.js';
import { conflict, invalid, type Refusal } from '../../core/refusal.js';
import { type Assignment, defaultClientScopes, offlineAccessScope } from '../defaults/client-scopes.js';
import { scopeOfTemplate, scopesOfTemplates } from '../import/older-versions.js';
import { type ClientRow, type Draft, itemsOf } from './draft.js';

/**
 * Adds the client scopes of the file, or else the built-in ones. `offline_access` is always added. Clients that the
 * file does not contain get scopes only if the file contains no client scopes, as recorded.
 */
export async function assembleClientScopes(draft: Draft): Promise<void> {
  const { input } = draft;
  for await (const [index, scope] of itemsOf(draft, input.clientScopes)) {
    draft.refusals.attempt(() => addScope(draft, scope, null, `clientScopes.${index}`));
  }
  scopesOfTemplates(input).forEach((scope, index) => {
    draft.refusals.attempt(() => addScope(draft, scope, null, `clientTemplates.${index}`));
  });
  const built = input.clientScopes === undefined ? defaultClientScopes : [offlineAccessScope];
  for (const { scope, assignment } of draft.context.isWhole ? [] : built) {
    if (!draft.scopeByName.has(scope.name)) addScope(draft, scope, assignment, 'clientScopes');
  }
  assign(draft, input.defaultDefaultClientScopes, 'default');
  assign(draft, input.defaultOptionalClientScopes, 'optional');
}

/** The refusal of an unknown client scope. */
export const unknownScope = (name: string, field: string): Refusal =>
  invalid(`Client scope "${name}" not found`, field, { missing: { kind: 'clientScopes' } });

/** Names without a scope are skipped, as the reference server does. */
function assign(draft: Draft, names: readonly string[] | undefined, assignment: Assignment): void {
  for (const name of names ?? []) {
    const scope = draft.scopeByName.get(name);
    if (scope) scope.assignment = assignment;
  }
}

function addScope(draft: Draft, scope: ClientScopeInput, assignment: Assignment | null, field: string): void {
  const { name } = scope;
  // an empty one is accepted, as in the contract
  if (name === undefined) throw invalid('`name` of the client scope is required', `${field}.name`);
  if (draft.scopeByName.has(name)) throw conflict(`Client Scope ${name} already exists`, `${field}.name`, 'NAME_TAKEN');
  const row = {
    ...newColumns(clientScopeFields, scope),
    id: draft.ids.of('ClientScope', scope.id),
    realmId: draft.realmId,
    name,
    attributes: scope.attributes ?? {},
    assignment,
  };
  draft.scopeByName.set(name, row);
  draft.rows.ClientScope.push(row);
  addMappers(draft, { clientScopeId: row.id }, scope.protocolMappers, `${field}.protocolMappers`);
}

/** The protocol mappers of a client or of a client scope. */
export function addMappers(
  draft: Draft,
  owner: { clientId: string } | { clientScopeId: string },
  mappers: readonly ProtocolMapperInput[] | undefined,
  field: string,
): void {
  const container = 'clientId' in owner ? owner.clientId : owner.clientScopeId;
  for (const [index, mapper] of (mappers ?? []).entries()) {
    const { name } = mapper;
    const at = `${field}.${index}.name`;
    if (name === undefined) {
      draft.refusals.add(invalid('`name` of the protocol mapper is required', at));
      continue;
    }
    if (!isNewMapper(draft, container, mapper.protocol, name))
      draft.refusals.add(conflict(`Protocol mapper ${name} exists with same name`, at, 'NAME_TAKEN'));
    draft.rows.ProtocolMapper.push({
      ...newColumns(protocolMapperFields, mapper),
      id: draft.ids.of('ProtocolMapper', mapper.id),
      realmId: draft.realmId,
      clientId: 'clientId' in owner ? owner.clientId : null,
      clientScopeId: 'clientScopeId' in owner ? owner.clientScopeId : null,
      container,
      name,
      config: mapper.config ?? {},
    });
  }
}

const mapperKey = (container: string, protocol: string | undefined, name: string) =>
  `mapper:${container}:${protocol ?? ''}:${name}`;

function isNewMapper(draft: Draft, container: string, protocol: string | undefined, name: string): boolean {
  const key = mapperKey(container, protocol, name);
  if (draft.links.has(key)) return false;
  draft.links.add(key);
  return true;
}

/** Whether a client or client scope has an OpenID Connect mapper of this name already. */
export const hasMapper = (draft: Draft, container: string, name: string): boolean =>
  draft.links.has(mapperKey(container, 'openid-connect', name));

/** Assigns the named scopes to a client, or else the default client scopes of its protocol. */
export function assignScopes(
  draft: Draft,
  client: ClientRow,
  named: {
    default?: readonly string[] | undefined;
    optional?: readonly string[] | undefined;
    /** a client template, whose scope is added if the client names no scopes */
    template?: string | undefined;
  },
): void {
  const own = named.default !== undefined || named.optional !== undefined;
  const wanted = own
    ? [
        ...(named.default ?? []).map((name) => ({ name, optional: false })),
        ...(named.optional ?? []).map((name) => ({ name, optional: true })),
      ]
    : draft.rows.ClientScope.filter((scope) => scope.assignment && scope.protocol === client.protocol).map((scope) => ({
        name: scope.name,
        optional: scope.assignment === 'optional',
      }));
  if (!own && named.template !== undefined) wanted.push({ name: scopeOfTemplate(named.template), optional: false });
  const seen = new Set<string>();
  for (const { name, optional } of wanted) {
    const scope = draft.scopeByName.get(name);
    if (!scope || seen.has(scope.id)) continue;
    seen.add(scope.id);
    draft.rows.ClientScopeAssignment.push({ clientId: client.id, clientScopeId: scope.id, optional });
  }
}
