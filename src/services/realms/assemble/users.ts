import { newColumns } from '../../core/fields.js';
import { conflict, invalid, Refusal } from '../../core/refusal.js';
import { attributeRows } from '../../core/view.js';
import { requireAddress } from '../../mail/address.js';
import type { RoleRow } from '../../roles/row.js';
import { readKeptFields } from '../../user-storage/kept-fields.js';
import { parseStorageId, storageIdOf } from '../../user-storage/storage-id.js';
import { userFields } from '../../users/fields.js';
import type { UserInput } from '../../users/representation.js';
import { userSearch } from '../../users/search.js';
import { lookAlikes, requireUsername, storedUsername } from '../../users/usernames.js';
import { serviceAccountName } from '../defaults/clients.js';
import { requiredActions } from '../defaults/required-actions.js';
import { umaProtection } from '../defaults/roles.js';
import { unknownScope } from './client-scopes.js';
import { assembleCredentials } from './credentials.js';
import { type ClientRow, type Draft, isNewLink, isNewUserLink } from './draft.js';
import { groupAt, unknownGroup } from './groups.js';
import { clientNamed, roleNamed } from './roles.js';

/** Adds the users of the file with exactly its roles and groups, and the missing service accounts. */
export async function assembleUsers(draft: Draft, everyone: Pick<RoleRow, 'id'>): Promise<void> {
  await addUsers(draft, draft.input.users ?? []);
  await addServiceAccounts(draft, everyone);
}

/** Number of users that are added between two checks of the time. */
const atOnce = 50;

/**
 * Adds users of the file. Empty places are skipped; `from` is the number of earlier users. Other requests run in
 * between.
 */
export async function addUsers(draft: Draft, users: readonly (UserInput | undefined)[], from = 0): Promise<void> {
  for (const [index, user] of users.entries()) {
    if (index % atOnce === 0) await draft.pause();
    if (user) draft.refusals.attempt(() => addUser(draft, user, `users.${from + index}`));
  }
}

/** Adds the service accounts of clients that the file lacks. The clients with the IDs in `without` get none. */
export async function addServiceAccounts(
  draft: Draft,
  everyone: Pick<RoleRow, 'id'>,
  without: ReadonlySet<unknown> = new Set(),
): Promise<void> {
  const served = new Set<unknown>([...draft.rows.User.map((user) => user.serviceAccountClientId), ...without]);
  for (const client of draft.clientByName.values()) {
    await draft.pause();
    if (client.serviceAccountsEnabled && !served.has(client.id)) addServiceAccount(draft, client, everyone);
  }
}

/** The user storage of a link; a link to a storage that the file does not have is left out. */
function storageOf({ ids, storages }: Draft, link: string | undefined): string | null {
  const id = link === undefined ? undefined : ids.now('Component', link);
  return id !== undefined && storages.has(id) ? id : null;
}

/** The ID by which the storage of a user identifies it, so that a renamed user stays the same after an import. */
function idInStorage(draft: Draft, storageId: string | null, { attributes }: UserInput): string | null {
  const id = attributes?.LDAP_ID?.[0];
  if (storageId === null || id === undefined || id === '') return null;
  return isNewLink(draft, 'federation', storageId, id) ? id : null;
}

/** The ID of a user. If the user is only in a storage, the ID names the storage. */
function userId(draft: Draft, { id }: UserInput): string {
  const named = id === undefined ? undefined : parseStorageId(id);
  const storage = named && storageOf(draft, named.componentId);
  return named && storage ? storageIdOf(storage, named.username) : draft.ids.of('User', id);
}

const lowerCase = (value: string | undefined): string | null =>
  value === undefined || value.trim() === '' ? null : value.trim().toLowerCase();

/**
 * The username under which a user of a file is stored. The name of a service account is derived from its client and not
 * normalized, so it is as unique as the clientId.
 */
export function usernameOf({ username = '', serviceAccountClientId: clientId }: UserInput): string {
  const own = clientId === undefined ? undefined : serviceAccountName(clientId);
  return own !== undefined && username.trim().toLowerCase() === own.trim() ? own : storedUsername(username);
}

/** Whether the username is derived from a client. Such names may look like the name of another client. */
const isNamedByClient = ({ serviceAccountClientId: clientId }: UserInput, username: string): boolean =>
  clientId !== undefined && username === serviceAccountName(clientId);

function addUser(draft: Draft, user: UserInput, field: string): void {
  const { rows, refusals } = draft;
  if (user.username === undefined || user.username.trim() === '')
    throw invalid('User name is missing', `${field}.username`);
  const username = usernameOf(user);
  const isOfClient = isNamedByClient(user, username);
  if (!isOfClient) refusals.attempt(() => requireUsername(username, `${field}.username`));
  refusals.attempt(() => requireAddress(lowerCase(user.email), `${field}.email`));
  const alike = isOfClient ? [] : lookAlikes(username);
  if ([username, ...alike].some((name) => draft.userByName.has(name)))
    throw conflict(`User with user name ${username} already exists.`, `${field}.username`);
  const email = lowerCase(user.email);
  const unique = draft.input.duplicateEmailsAllowed ? null : email;
  if (unique !== null) {
    if (draft.emails.has(unique)) draft.refusals.add(takenEmail(unique, `${field}.email`));
    draft.emails.add(unique);
  }
  const federationLink = storageOf(draft, user.federationLink);
  const row = {
    ...newColumns(userFields, user),
    id: userId(draft, user),
    realmId: draft.realmId,
    username,
    email,
    uniqueEmail: unique,
    createdTimestamp: user.createdTimestamp ?? null,
    notBefore: user.notBefore ?? 0,
    federationLink,
    federationId: idInStorage(draft, federationLink, user),
    keptFields: federationLink === null ? [] : readKeptFields(user.access),
    serviceAccountClientId: servedClient(draft, user, field),
    requiredActions: actionsOf(user),
    search: userSearch({ ...user, username, email }),
  };
  draft.userByName.set(username, row);
  rows.User.push(row);
  rows.UserAttribute.push(...attributeRows('userId', row.id, user.attributes ?? {}));
  refusals.attempt(() => assembleCredentials(draft, row.id, user.credentials ?? []));
  addIdentities(draft, row.id, user, field);
  for (const [index, role] of (user.realmRoles ?? []).entries())
    grant(draft, row, roleNamed(draft, undefined, role, `${field}.realmRoles.${index}`));
  for (const [clientId, roles] of Object.entries(user.clientRoles ?? {})) {
    const client = clientNamed(draft, clientId, `${field}.clientRoles.${clientId}`);
    if (!client) continue;
    for (const [index, role] of roles.entries())
      grant(draft, row, roleNamed(draft, client, role, `${field}.clientRoles.${clientId}.${index}`));
  }
  (user.groups ?? []).forEach((path, index) => {
    const group = groupAt(draft, path);
    if (group) join(draft, row, group.id);
    else refusals.add(unknownGroup(path, `${field}.groups.${index}`));
  });
  addConsents(draft, row.id, user, field);
}

/**
 * The refusal of an email address that two users have. A file without the setting may be for a realm that allows it.
 */
const takenEmail = (email: string, field: string): Refusal =>
  new Refusal('conflict', `User with email ${email} already exists.`, {
    field,
    missing: { kind: 'settings', isItself: true },
  });

function servedClient(draft: Draft, user: UserInput, field: string): string | null {
  if (user.serviceAccountClientId === undefined) return null;
  const client = clientNamed(draft, user.serviceAccountClientId, `${field}.serviceAccountClientId`);
  if (!client) return null;
  if (!isNewLink(draft, 'serviceAccount', client.id, '')) {
    const message = `Client ${client.clientId} already has a service account`;
    draft.refusals.add(conflict(message, `${field}.serviceAccountClientId`));
  }
  return client.id;
}

const actionByUpperCase = new Map(requiredActions.map(({ alias }) => [alias.toUpperCase(), alias]));

/** The required actions, known ones in their canonical spelling. A temporary password adds the action for a new one. */
function actionsOf(user: UserInput): string[] {
  const actions = new Set(
    (user.requiredActions ?? []).map((action) => actionByUpperCase.get(action.toUpperCase()) ?? action),
  );
  if (user.credentials?.some((credential) => credential.temporary)) actions.add('UPDATE_PASSWORD');
  return [...actions];
}

interface Linked {
  id: string;
  username: string;
}

function grant(draft: Draft, { id, username }: Linked, role: { id: string }): void {
  if (isNewUserLink(draft, 'userRole', id, role.id))
    draft.rows.UserRole.push({ userId: id, roleId: role.id, username });
}

function join(draft: Draft, { id, username }: Linked, groupId: string): void {
  if (isNewUserLink(draft, 'userGroup', id, groupId)) draft.rows.UserGroup.push({ userId: id, groupId, username });
}

function addIdentities(draft: Draft, userId: string, user: UserInput, field: string): void {
  for (const [index, identity] of (user.federatedIdentities ?? []).entries()) {
    const { identityProvider, userId: externalUserId, userName } = identity;
    if (identityProvider === undefined || externalUserId === undefined) {
      draft.refusals.add(
        invalid(
          '`identityProvider` and `userId` are required for every federated identity',
          `${field}.federatedIdentities.${index}`,
        ),
      );
      continue;
    }
    if (!isNewUserLink(draft, 'identity', userId, identityProvider)) continue;
    draft.rows.FederatedIdentity.push({ userId, identityProvider, externalUserId, externalUsername: userName ?? null });
  }
}

function addConsents(draft: Draft, userId: string, user: UserInput, field: string): void {
  (user.clientConsents ?? []).forEach((consent, index) => {
    const at = `${field}.clientConsents.${index}`;
    const client = clientNamed(draft, consent.clientId ?? '', `${at}.clientId`);
    if (!client) return;
    if (!isNewUserLink(draft, 'consent', userId, client.id))
      draft.refusals.add(conflict(`Consent of the client ${client.clientId} already exists`, at));
    const grantedScopes = (consent.grantedClientScopes ?? []).flatMap((name, place) => {
      const scope = draft.scopeByName.get(name);
      if (!scope) draft.refusals.add(unknownScope(name, `${at}.grantedClientScopes.${place}`));
      return scope ? [scope.id] : [];
    });
    const createdDate = consent.createdDate ?? draft.context.now;
    draft.rows.UserConsent.push({
      userId,
      clientId: client.id,
      grantedScopes,
      createdDate,
      lastUpdatedDate: consent.lastUpdatedDate ?? createdDate,
    });
  });
}

/** Adds the service account of a client. Unlike the users of a file it gets the default roles and groups. */
function addServiceAccount(draft: Draft, client: ClientRow, everyone: Pick<RoleRow, 'id'>): void {
  const username = serviceAccountName(client.clientId);
  const existing = draft.userByName.get(username);
  if (existing?.serviceAccountClientId) {
    draft.refusals.add(conflict(`User with user name ${username} already exists.`, 'users'));
    return;
  }
  if (existing) {
    // A file without the link still refers to this user.
    existing.serviceAccountClientId = client.id;
    return;
  }
  const id = draft.context.newId();
  const row = {
    ...newColumns(userFields, { enabled: true }),
    id,
    realmId: draft.realmId,
    username,
    uniqueEmail: null,
    createdTimestamp: draft.context.now,
    notBefore: 0,
    federationLink: null,
    federationId: null,
    keptFields: [],
    serviceAccountClientId: client.id,
    requiredActions: [],
    search: userSearch({ username }),
  };
  draft.userByName.set(username, row);
  draft.rows.User.push(row);
  grant(draft, row, everyone);
  for (const groupId of draft.defaultGroups) join(draft, row, groupId);
  if (client.authorizationServicesEnabled && mayProtect(draft, client))
    grant(draft, row, roleNamed(draft, client, umaProtection));
}

/** Whether a service account can have the role that manages resources. A realm that is compared with has no more roles than it lists. */
function mayProtect({ context, input }: Draft, { clientId }: ClientRow): boolean {
  const roles = input.roles?.client;
  const listed = roles && Object.hasOwn(roles, clientId) ? roles[clientId] : undefined;
  return !context.isWhole || listed === undefined || listed.some(({ name }) => name === umaProtection);
}
