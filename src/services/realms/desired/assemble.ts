import { fileIds } from '../../core/own-id.js';
import { invalid, Refusals } from '../../core/refusal.js';
import type { Sealer } from '../../core/seal.js';
import type { RoleRow } from '../../roles/row.js';
import { assembleAuthorization } from '../assemble/authorization.js';
import { assembleClientScopes } from '../assemble/client-scopes.js';
import { addGivenClients } from '../assemble/clients.js';
import { type AssemblyContext, type Draft, newDraft, type RealmRows } from '../assemble/draft.js';
import { assembleFlows, assembleRequiredActions } from '../assemble/flows.js';
import { assembleGroups } from '../assemble/groups.js';
import { assembleComponents, assembleIdentityProviders } from '../assemble/providers.js';
import { assembleLocalization, parts } from '../assemble/realm.js';
import { addGivenComposites, addGivenRoles, unknownRole } from '../assemble/roles.js';
import { assembleScopeMappings } from '../assemble/scope-mappings.js';
import { settingColumns } from '../assemble/settings.js';
import { addServiceAccounts, addUsers } from '../assemble/users.js';
import { assembleWebhooks } from '../assemble/webhooks.js';
import { masterName } from '../defaults/master.js';
import { umaProtection } from '../defaults/roles.js';
import { modernRealm, modernUser } from '../import/older-versions.js';
import type { RealmInput } from '../representation.js';

/** A user who is named by policies, but not loaded with the realm. */
export interface KnownUser {
  id: string;
  realmId: string;
  username: string;
}

/** The context in which the rows of a realm are assembled. */
export interface Surroundings extends Omit<AssemblyContext, 'seal' | 'isWhole' | 'master'> {
  /** the row of the realm, and its default role */
  realm: { id: string; name: string; defaultRoleId: string | null; adminClientId: string | null };
  users: readonly KnownUser[];
  /** IDs of the clients that get no service account, because the realm has none for them */
  withoutAccount: ReadonlySet<unknown>;
  /** collects the faults of the input. Default: they are thrown */
  refusals?: Refusals;
}

/** Begins the text of a secret that is not sealed yet. No text of a file begins like this: NUL cannot be stored. */
const openPrefix = '\0secret:';

/** Whether a text of a row is a secret that is not sealed yet. */
export const isOpen = (value: unknown): value is string => typeof value === 'string' && value.startsWith(openPrefix);

/** The secret in a text for which `isOpen` is true. */
export const secretIn = (value: string): string => value.slice(openPrefix.length);

/** Marks secrets instead of sealing them, so that secrets of two drafts can be compared. */
export const marking: Sealer['seal'] = (text) => openPrefix + text;

/**
 * The rows of a realm from an input that has all of it: only dependent objects of its objects are added. Secrets are in
 * clear, as `marking` marks them. Refuses unknown names, for which an import would create an object.
 */
export async function assembleWhole(
  input: RealmInput,
  { realm, users, withoutAccount, refusals, ...context }: Surroundings,
): Promise<RealmRows> {
  const found = refusals ?? new Refusals();
  const whole: AssemblyContext = { ...context, seal: marking, isWhole: true };
  const draft = newDraft({ ...modernRealm(input), realm: realm.name }, whole, {
    realmId: realm.id,
    isMaster: realm.name === masterName,
    ids: fileIds(context.taken ?? new Set(), context),
    refusals: found,
  });
  for (const { username, ...user } of users) draft.userByName.set(username, { ...user, username });
  assembleFlows(draft);
  assembleRequiredActions(draft);
  assembleComponents(draft);
  await assembleIdentityProviders(draft);
  await assembleClientScopes(draft);
  await addGivenClients(draft);
  await addGivenRoles(draft);
  await addGivenComposites(draft);
  await assembleScopeMappings(draft, []);
  await assembleGroups(draft);
  const everyone = defaultRoleOf(draft, realm.defaultRoleId);
  await addUsers(draft, withoutKnown(draft, input, users).map(modernUser));
  requireKnown(draft);
  await addServiceAccounts(draft, everyone, withoutAccount);
  await assembleAuthorization(draft);
  assembleLocalization(draft);
  assembleWebhooks(draft);
  draft.rows.Realm.push({
    id: realm.id,
    name: realm.name,
    enabled: input.enabled ?? false,
    displayName: input.displayName ?? null,
    ...settingColumns(draft),
    parts: parts(input),
    defaultRoleId: everyone.id,
    adminClientId: realm.adminClientId,
  });
  await draft.pause();
  draft.rows.ClientScopeAssignment = effectiveAssignments(draft.rows);
  if (!refusals) found.throwAll();
  return draft.rows;
}

/**
 * Assignments of scopes, except for scopes of another protocol than the client's: they have no effect, and a realm does
 * not show them.
 */
function effectiveAssignments({ Client, ClientScope, ClientScopeAssignment }: RealmRows) {
  const clients = new Map(Client.map(({ id, protocol }) => [id, protocol ?? 'openid-connect']));
  const scopes = new Map(ClientScope.map(({ id, protocol }) => [id, protocol]));
  return ClientScopeAssignment.filter(
    ({ clientId, clientScopeId }) => clients.get(clientId) === scopes.get(clientScopeId),
  );
}

/** The users of the input. The known users were only added for policies that name them. */
function withoutKnown(draft: Draft, { users = [] }: RealmInput, known: readonly KnownUser[]) {
  const given = new Set(users.map(({ username }) => username?.trim().toLowerCase()));
  for (const { username } of known) if (given.has(username)) draft.userByName.delete(username);
  return users;
}

function defaultRoleOf({ rows }: Draft, id: string | null): RoleRow {
  const role = rows.Role.find((one) => one.id === id);
  if (!role) throw invalid('The default role of the realm cannot be removed', 'roles.realm');
  return role as RoleRow;
}

/** Refuses roles that only their mention has made. */
function requireKnown({ rows, clientByName, mentions, refusals }: Draft): void {
  for (const made of rows.Role) {
    const field = mentions.get(made.id as string);
    if (field === undefined || made.name === umaProtection) continue;
    const client = [...clientByName.values()].find(({ id }) => id === made.clientId);
    refusals.add(unknownRole(`${client ? `${client.clientId}/` : ''}${made.name}`, client, field));
  }
}
