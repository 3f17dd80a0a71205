import { conflict, invalid, type Refusal } from '../../core/refusal.js';
import type { Input } from '../../core/shape.js';
import { attributeRows } from '../../core/view.js';
import type { RoleRepresentation } from '../../roles/representation.js';
import { type RoleRow, roleRow } from '../../roles/row.js';
import { masterRoles } from '../defaults/master.js';
import {
  accountRolesForEveryone,
  type DefaultRole,
  defaultRoleDescription,
  defaultRoleName,
  offlineAccess,
  umaAuthorization,
  umaProtection,
} from '../defaults/roles.js';
import { type ClientRow, type Draft, isNewLink, itemsOf } from './draft.js';

type RoleInput = Input<typeof RoleRepresentation>;

/** A role of the realm (client undefined) or of a client. */
export const findRole = (draft: Draft, client: ClientRow | undefined, name: string): RoleRow | undefined =>
  draft.rolesOf.get(client?.id ?? draft.realmId)?.get(name);

/** A role with exactly this name, or else with the trimmed name. */
const mentionedRole = (draft: Draft, client: ClientRow | undefined, name: string): RoleRow | undefined =>
  findRole(draft, client, name) ?? findRole(draft, client, name.trim());

/** A role that mappings name, at `field`. A missing role is created, as by the reference server. */
export function roleNamed(draft: Draft, client: ClientRow | undefined, name: string, field = 'roles'): RoleRow {
  const known = mentionedRole(draft, client, name);
  if (known) return known;
  const made = addRole(draft, client, { name: name.trim() }, field);
  draft.mentions.set(made.id, field);
  return made;
}

/** A client that mappings name by its clientId; undefined after a refusal. */
export function clientNamed(draft: Draft, clientId: string, field: string): ClientRow | undefined {
  const client = draft.clientByName.get(clientId);
  if (!client) draft.refusals.add(invalid(`Client "${clientId}" not found`, field, { missing: { kind: 'clients' } }));
  return client;
}

/** The refusal of an unknown role. */
export const unknownRole = (name: string, client: Pick<ClientRow, 'clientId'> | undefined, field?: string): Refusal =>
  invalid(`Role "${name}" not found`, field, {
    missing: client ? { kind: 'clientRoles', clientId: client.clientId } : { kind: 'roles' },
  });

function addRole(draft: Draft, client: ClientRow | undefined, role: RoleInput, field: string): RoleRow {
  const { name } = role;
  // a realm can have a role with an empty name from an earlier version
  if (name === undefined || (name === '' && !draft.context.isWhole))
    throw invalid('`name` is required for every role', `${field}.name`);
  const container = client?.id ?? draft.realmId;
  const siblings = draft.rolesOf.get(container) ?? new Map<string, RoleRow>();
  if (siblings.has(name)) throw conflict(`Role with name ${name} already exists`, `${field}.name`, 'NAME_TAKEN');
  const row = roleRow({
    ...role,
    id: draft.ids.of('Role', role.id),
    // The client that represents the realm is in the master realm.
    realmId: client?.realmId ?? draft.realmId,
    clientId: client?.id ?? null,
    name,
  });
  siblings.set(name, row);
  draft.rolesOf.set(container, siblings);
  draft.rows.Role.push(row);
  draft.rows.RoleAttribute.push(...attributeRows('roleId', row.id, role.attributes ?? {}));
  return row;
}

function addComposite(draft: Draft, parent: RoleRow, child: RoleRow): void {
  if (isNewLink(draft, 'composite', parent.id, child.id))
    draft.rows.CompositeRole.push({ parentId: parent.id, childId: child.id });
}

/** Adds roles of a table to a client, with their composites. Existing roles stay unchanged. */
export function addDefaultRoles(draft: Draft, client: ClientRow, roles: readonly DefaultRole[]): void {
  const added = roles.filter(({ name }) => !findRole(draft, client, name));
  for (const { name, description } of added) addRole(draft, client, { name, description }, 'roles');
  for (const { name, composites } of added) {
    for (const child of composites ?? [])
      addComposite(draft, roleNamed(draft, client, name), roleNamed(draft, client, child));
  }
}

/**
 * Adds the roles of the file, except for a realm role with the name `except`. Their composites follow after all roles.
 */
export async function addGivenRoles(draft: Draft, except?: string): Promise<void> {
  const { realm, client: ofClients } = draft.input.roles ?? {};
  for await (const [index, role] of itemsOf(draft, realm)) {
    if (except === undefined || role.name !== except)
      draft.refusals.attempt(() => addRole(draft, undefined, role, `roles.realm.${index}`));
  }
  for (const [clientId, roles] of Object.entries(ofClients ?? {})) {
    const client = clientNamed(draft, clientId, `roles.client.${clientId}`);
    if (!client) continue;
    for await (const [index, role] of itemsOf(draft, roles)) {
      draft.refusals.attempt(() => addRole(draft, client, role, `roles.client.${clientId}.${index}`));
    }
  }
}

/** The composites of the roles of the file. */
export async function addGivenComposites(draft: Draft): Promise<void> {
  const { realm, client: ofClients } = draft.input.roles ?? {};
  for await (const [index, role] of itemsOf(draft, realm)) {
    addComposites(draft, undefined, role, `roles.realm.${index}.composites`);
  }
  for (const [clientId, roles] of Object.entries(ofClients ?? {})) {
    const client = draft.clientByName.get(clientId);
    if (!client) continue;
    for await (const [index, role] of itemsOf(draft, roles)) {
      addComposites(draft, client, role, `roles.client.${clientId}.${index}.composites`);
    }
  }
}

/** All roles of the realm and its clients. Returns the role that every new user gets. */
export async function assembleRoles(
  draft: Draft,
  builtIn: readonly { client: ClientRow; roles: readonly DefaultRole[] }[],
): Promise<RoleRow> {
  const { input } = draft;
  const given = input.roles ?? {};
  const givenNames = new Set((given.realm ?? []).map((role) => role.name));
  const everyone = assembleDefaultRole(draft, givenNames);
  await addGivenRoles(draft, everyone.name);
  for (const { client, roles } of builtIn) addDefaultRoles(draft, client, roles);

  // All users get roles that the file does not contain. For roles of the file, the file decides.
  const brings = (name: string) => givenNames.has(name);
  const bringsOffline =
    brings(offlineAccess.name) && (input.clientScopes ?? []).some((scope) => scope.name === offlineAccess.name);
  if (!bringsOffline) addComposite(draft, everyone, realmRole(draft, offlineAccess));
  if (!brings(umaAuthorization.name)) addComposite(draft, everyone, realmRole(draft, umaAuthorization));
  const account = builtIn.find(({ client }) => client.clientId === 'account')?.client;
  if (account)
    for (const name of accountRolesForEveryone) addComposite(draft, everyone, roleNamed(draft, account, name));
  if (input.defaultRole === undefined) {
    for (const name of input.defaultRoles ?? []) addComposite(draft, everyone, roleNamed(draft, undefined, name));
  }

  await addGivenComposites(draft);
  if (input.defaultRole)
    addComposites(draft, undefined, { ...input.defaultRole, name: everyone.name }, 'defaultRole.composites');
  for (const client of draft.clientByName.values()) {
    if (client.authorizationServicesEnabled) roleNamed(draft, client, umaProtection);
  }
  return everyone;
}

const realmRole = (draft: Draft, role: { name: string; description: string }): RoleRow =>
  findRole(draft, undefined, role.name) ?? addRole(draft, undefined, role, 'roles.realm');

/** The default role: the one of the file, otherwise a new one under a name that the file does not use. */
function assembleDefaultRole(draft: Draft, givenNames: ReadonlySet<string | undefined>): RoleRow {
  const { defaultRole, realm, roles } = draft.input;
  if (defaultRole?.name !== undefined) {
    const listed = roles?.realm?.find((role) => role.name === defaultRole.name);
    return addRole(draft, undefined, { ...defaultRole, ...listed, id: defaultRole.id ?? listed?.id }, 'defaultRole');
  }
  const first = defaultRoleName(realm);
  let name = first;
  for (let number = 1; givenNames.has(name); number++) name = `${first}-${number}`;
  return addRole(draft, undefined, { name, description: defaultRoleDescription }, 'defaultRole');
}

function addComposites(draft: Draft, client: ClientRow | undefined, role: RoleInput, field: string): void {
  const { composites, name: own } = role;
  // a role without a name was refused
  if (!composites || own === undefined) return;
  const parent = roleNamed(draft, client, own);
  const addNamed = (of: ClientRow | undefined, name: string, at: string): void => {
    const child = mentionedRole(draft, of, name);
    // composites, unlike mappings, must name existing roles
    if (child) addComposite(draft, parent, child);
    else draft.refusals.add(unknownRole(name, of, at));
  };
  for (const [index, name] of (composites.realm ?? []).entries()) addNamed(undefined, name, `${field}.realm.${index}`);
  for (const [clientId, names] of Object.entries(composites.client ?? {})) {
    const of = clientNamed(draft, clientId, `${field}.client.${clientId}`);
    if (!of) continue;
    for (const [index, name] of names.entries()) addNamed(of, name, `${field}.client.${clientId}.${index}`);
  }
}

/** The roles that only the master realm has. Returns `admin`, to which every realm's administration roles are added. */
export function assembleMasterRoles(draft: Draft): RoleRow {
  const [admin, ...others] = masterRoles.map((role) => realmRole(draft, role));
  if (!admin) throw new Error('`masterRoles` must contain the role `admin` first');
  for (const role of others) addComposite(draft, admin, role);
  return admin;
}
