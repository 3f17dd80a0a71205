import { checkKind } from '../../clients/operations.js';
import { checkClient } from '../../clients/validation.js';
import type { Context } from '../../core/context.js';
import { isOn, type RealmRecord } from '../../core/realm.js';
import { checkAddresses, knownProvider, usableAlias } from '../../identity-providers/settings.js';
import { assembleAuthorization } from '../assemble/authorization.js';
import { addGivenClients } from '../assemble/clients.js';
import { type Draft, newDraft } from '../assemble/draft.js';
import { assembleGroups } from '../assemble/groups.js';
import { assembleIdentityProviders } from '../assemble/providers.js';
import { newClientSecret } from '../assemble/realm.js';
import { addGivenComposites, addGivenRoles } from '../assemble/roles.js';
import { assembleUsers } from '../assemble/users.js';
import { masterName } from '../defaults/master.js';
import type { Existing } from './existing.js';
import type { Passwords } from './input.js';
import { keepMasked } from './masks.js';
import { type SortedFile, within } from './sort.js';

/** The objects that are deleted before the import, by kind. */
export interface Replaced {
  clients: Set<string>;
  roles: Set<string>;
  providers: Set<string>;
  groups: Set<string>;
  users: Set<string>;
}

/** The objects that the sorted file replaces. */
export function replacedBy(sorted: SortedFile): Replaced {
  const ids = ({ replaced }: { replaced: Map<number, string> }) => [...replaced.values()];
  return {
    clients: new Set(ids(sorted.clients)),
    roles: new Set([...ids(sorted.realmRoles), ...sorted.clientRoles.flatMap(ids)]),
    providers: new Set(ids(sorted.providers)),
    groups: new Set(ids(sorted.groups)),
    users: new Set(ids(sorted.users)),
  };
}

interface Surroundings {
  realm: RealmRecord;
  existing: Existing;
  sorted: SortedFile;
  replaced: Replaced;
  /** the IDs of the file that are in use */
  taken: ReadonlySet<string>;
}

/** The new rows of the file, which may refer to objects of the realm. */
export async function assembleImport(ctx: Context, around: Surroundings, { hashed }: Passwords): Promise<Draft> {
  const { realm, existing, sorted } = around;
  const { services } = ctx;
  if (!realm.defaultRoleId) throw new Error(`The realm ${realm.name} has no default role`);
  checkKept(realm, sorted);
  const input = {
    realm: realm.name,
    duplicateEmailsAllowed: isOn(realm, 'duplicateEmailsAllowed'),
    clients: sorted.clients.kept,
    roles: {
      realm: sorted.realmRoles.kept,
      client: Object.fromEntries(sorted.clientRoles.map(({ clientId, kept }) => [clientId, kept])),
    },
    identityProviders: sorted.providers.kept,
    groups: sorted.groups.kept,
    users: sorted.users.kept,
  };
  const context = {
    newId: services.newId,
    newSecret: newClientSecret,
    seal: services.sealer.seal,
    now: services.now(),
    passwords: hashed,
    taken: around.taken,
    firstProvider: existing.nextProvider,
  };
  const draft = newDraft(input, context, { realmId: realm.id, isMaster: realm.name === masterName });
  const lostDefaults = fill(draft, around);
  for (const { id } of realm.components) draft.storages.add(id);
  await addGivenClients(draft);
  await addGivenRoles(draft);
  await addGivenComposites(draft);
  await assembleIdentityProviders(draft);
  await assembleGroups(draft);
  for (const group of draft.rows.Group) {
    // a group that replaces a default group becomes a default group as well
    if (!lostDefaults.has(group.path)) continue;
    group.isDefault = true;
    draft.defaultGroups.push(group.id);
  }
  await assembleUsers(draft, { id: realm.defaultRoleId });
  await assembleAuthorization(draft);
  draft.refusals.throwAll();
  keepServiceAccounts(draft, around);
  keepMasked(draft, services.sealer, existing, sorted);
  draft.rows.ClientScope.length = 0;
  return draft;
}

/** Refuses objects that could not be created one by one either. */
function checkKept(realm: RealmRecord, { clients, providers }: SortedFile): void {
  clients.kept.forEach((client, index) => {
    within(`clients.${index}`, () => {
      checkKind(client);
      checkClient(client);
    });
  });
  providers.kept.forEach((provider, index) => {
    within(`identityProviders.${index}`, () => {
      usableAlias(provider.alias);
      knownProvider(provider.providerId);
      checkAddresses(realm, provider.config ?? {});
    });
  });
}

/** Adds the objects that the realm keeps to the indexes of a draft. Returns the paths of deleted default groups. */
function fill(draft: Draft, { existing, replaced }: Surroundings): Set<string> {
  for (const flow of existing.flows) {
    draft.flowByAlias.set(flow.alias, flow);
    draft.flowIds.add(flow.id);
  }
  for (const scope of existing.scopes) {
    draft.scopeByName.set(scope.name, scope);
    // the builder looks for default client scopes here; removed again before the rows are inserted
    draft.rows.ClientScope.push(scope);
  }
  for (const { id, clientId } of existing.clients) {
    if (!replaced.clients.has(id)) draft.clientByName.set(clientId, { id, clientId, realmId: draft.realmId });
  }
  for (const role of existing.roles) {
    if (replaced.roles.has(role.id) || replaced.clients.has(role.container)) continue;
    const siblings = draft.rolesOf.get(role.container) ?? new Map();
    draft.rolesOf.set(role.container, siblings.set(role.name, role));
  }
  for (const user of [...existing.usersByName, ...existing.usersByEmail]) {
    const { id, username, uniqueEmail, serviceAccountClientId } = user;
    const goes = replaced.users.has(id) || replaced.clients.has(serviceAccountClientId ?? '');
    if (goes) continue;
    // a service account never takes over an existing user
    draft.userByName.set(username, { id, realmId: draft.realmId, username, serviceAccountClientId: id });
    if (uniqueEmail !== null) draft.emails.add(uniqueEmail);
    // an address that is the user name of another user would block the login of that user
    draft.emails.add(username);
  }
  return fillGroups(draft, existing, replaced);
}

function fillGroups(draft: Draft, { groups }: Existing, replaced: Replaced): Set<string> {
  const lost = new Set<string>();
  const gone = groups.filter(({ id }) => replaced.groups.has(id)).map(({ path }) => `${path}/`);
  for (const group of groups) {
    const goes = gone.some((path) => `${group.path}/`.startsWith(path));
    if (!goes) draft.groupByPath.set(group.path, group);
    if (goes && group.isDefault) lost.add(group.path);
    if (!goes && group.isDefault) draft.defaultGroups.push(group.id);
  }
  return lost;
}

/** A user that replaces a service account belongs to the same client, unless the file states another one. */
function keepServiceAccounts(draft: Draft, { existing, replaced }: Surroundings): void {
  for (const { id, username, serviceAccountClientId } of existing.usersByName) {
    if (serviceAccountClientId === null || !replaced.users.has(id)) continue;
    const user = draft.userByName.get(username);
    if (user && !replaced.clients.has(serviceAccountClientId)) user.serviceAccountClientId ??= serviceAccountClientId;
  }
}
