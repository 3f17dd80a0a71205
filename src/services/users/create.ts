import type { Db } from '../../database/db.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Context } from '../core/context.js';
import { newColumns } from '../core/fields.js';
import { isOn, type RealmRecord } from '../core/realm.js';
import { invalid, notFound, Refusal, requireAll } from '../core/refusal.js';
import { attributeRows } from '../core/view.js';
import { requireAddress } from '../mail/address.js';
import { requiredActions } from '../realms/defaults/required-actions.js';
import type { Registered } from '../user-storage/write/register.js';
import { userFields } from './fields.js';
import { keepCredentials } from './keep-credentials.js';
import {
  givenName,
  holderOf,
  holderOfEmail,
  nameTaken,
  ownAttributes,
  requireShortNames,
  storedEmail,
} from './names.js';
import { type PreparedCredentials, prepareCredentials, requirePolicy } from './passwords.js';
import { refusalOfProtected } from './protected-attributes.js';
import type { UserInput } from './representation.js';
import { userSearch } from './search.js';
import { type Holders, holdersOf } from './store.js';
import { requireUsername, storedUsername } from './usernames.js';

/** A user to be created, with its passwords hashed. */
export interface NewUser {
  input: UserInput;
  prepared: PreparedCredentials;
  /** what became of it in a directory that takes new users: its entry, or why there is none */
  registered?: Registered | Refusal;
  /** of the first: brings the directory in line with which of them are users of the realm by now */
  settle?: () => Promise<void>;
}

/** The id of a user that was created or changed, or why it was not. */
export type Outcome = { id: string; input: UserInput } | Refusal;

const knownActions = new Set(requiredActions.map(({ alias }) => alias));

/** Those of the required actions that the server knows. */
export const onlyKnown = (actions: readonly string[]): string[] =>
  [...new Set(actions)].filter((name) => knownActions.has(name));
/** Whether the server provides a required action with this alias. */
export const isKnownAction = (action: string): boolean => knownActions.has(action);

/** The user name that a representation gives, as it is stored. */
export const usernameOf = (realm: RealmRecord, { username, email }: UserInput): string =>
  storedUsername((isOn(realm, 'registrationEmailAsUsername') ? email : username) ?? '');

/** Hashes the passwords of a user to be created. A password that breaks the policy is found here and refused later. */
export const prepareUser = async (realm: RealmRecord, input: UserInput): Promise<NewUser> => ({
  input,
  prepared: await prepareCredentials(realm, input.credentials, () => ({
    username: usernameOf(realm, input),
    email: storedEmail(input.email),
  })),
});

interface Surroundings extends Holders {
  groups: Map<string, string>;
  defaultGroups: string[];
  defaultActions: string[];
  storages: Set<string>;
}

async function surroundings(tx: Db, realm: RealmRecord, users: readonly NewUser[]): Promise<Surroundings> {
  const usernames = users.map(({ input }) => usernameOf(realm, input)).filter((name) => name.trim() !== '');
  const emails = users.flatMap(({ input }) => storedEmail(input.email) ?? []);
  const paths = users.flatMap(({ input }) => (input.groups ?? []).map(absolute));
  const reading = tx.realm.findUnique({
    where: { id: realm.id },
    select: {
      groups: {
        where: paths.length > 0 ? { OR: [{ isDefault: true }, { path: { in: paths } }] } : { isDefault: true },
        select: { id: true, path: true, isDefault: true },
      },
      requiredActions: { where: { enabled: true, defaultAction: true }, select: { alias: true } },
    },
  });
  const [holders, around] = await Promise.all([
    holdersOf(tx, realm.id, usernames, isOn(realm, 'duplicateEmailsAllowed') ? [] : emails),
    reading,
  ]);
  if (!around) throw notFound('Realm not found.');
  return {
    ...holders,
    groups: new Map(around.groups.map(({ id, path }) => [path, id])),
    defaultGroups: around.groups.filter(({ isDefault }) => isDefault).map(({ id }) => id),
    defaultActions: around.requiredActions.map(({ alias }) => alias),
    storages: new Set(realm.components.map(({ id }) => id)),
  };
}

const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`);

interface Rows {
  users: Prisma.UserCreateManyInput[];
  attributes: Prisma.UserAttributeCreateManyInput[];
  identities: Prisma.FederatedIdentityCreateManyInput[];
  roles: Prisma.UserRoleCreateManyInput[];
  groups: Prisma.UserGroupCreateManyInput[];
}

/**
 * Creates any number of users in a fixed number of statements, with what every new user of the realm gets. A user that
 * cannot be created is left out; its place in the answer says why.
 */
export async function createUsers(
  tx: Db,
  ctx: Context,
  realm: RealmRecord,
  users: readonly NewUser[],
): Promise<Outcome[]> {
  const around = await surroundings(tx, realm, users);
  const rows: Rows = { users: [], attributes: [], identities: [], roles: [], groups: [] };
  const outcomes = users.map((user): Outcome => {
    try {
      const { input } = user;
      const { registered } = user;
      const own = registered instanceof Refusal ? undefined : registered?.userId;
      const id = own ?? ctx.services.newId();
      addUser(rows, ctx, realm, around, id, user);
      return { id, input };
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
  if (rows.users.length === 0) return outcomes;
  await tx.user.createMany({ data: rows.users });
  if (rows.attributes.length > 0) await tx.userAttribute.createMany({ data: rows.attributes });
  if (rows.identities.length > 0) await tx.federatedIdentity.createMany({ data: rows.identities });
  if (rows.roles.length > 0) await tx.userRole.createMany({ data: rows.roles });
  if (rows.groups.length > 0) await tx.userGroup.createMany({ data: rows.groups });
  const owners = outcomes.flatMap((outcome, at) =>
    outcome instanceof Refusal ? [] : { id: outcome.id, prepared: (users[at] as NewUser).prepared, isNew: true },
  );
  await keepCredentials(tx, ctx, realm, owners);
  return outcomes;
}

/** Refuses a username that nobody may have, or that somebody has. */
function requireFreeUsername(around: Surroundings, username: string): void {
  if (username.trim() === '') throw invalid('User name is missing', 'username', { code: 'USERNAME_INVALID' });
  requireUsername(username);
  if (holderOf(around, username) !== undefined) throw nameTaken('username');
}

/** Refuses an email address that nobody may have, or that somebody has although addresses are unique. */
function requireFreeEmail(around: Surroundings, email: string | null, uniqueEmail: string | null): void {
  requireAddress(email);
  if (uniqueEmail !== null && holderOfEmail(around, uniqueEmail) !== undefined) throw nameTaken('email');
}

/** The id of the group at a path of a new user. */
function groupAt(around: Surroundings, path: string, index: number): string {
  const group = around.groups.get(absolute(path));
  if (!group) throw invalid(`Group "${path}" not found`, `groups.${index}`);
  return group;
}

type LinkInput = NonNullable<UserInput['federatedIdentities']>[number];

function requireWholeLink({ identityProvider, userId }: LinkInput, index: number): void {
  if (identityProvider && userId) return;
  throw invalid(
    '`identityProvider` and `userId` are required for every federated identity',
    `federatedIdentities.${index}`,
  );
}

/** The rows of the links of a new user to identity providers. */
const identitiesOf = ({ federatedIdentities = [] }: UserInput, id: string): Rows['identities'] =>
  federatedIdentities.map(({ identityProvider = '', userId = '', userName }) => ({
    userId: id,
    identityProvider,
    externalUserId: userId,
    externalUsername: userName ?? null,
  }));

/** Adds the rows of a new user. Throws a refusal for one that cannot be created. */
function addUser(
  rows: Rows,
  ctx: Context,
  realm: RealmRecord,
  around: Surroundings,
  id: string,
  { input, prepared, registered }: NewUser,
): void {
  if (registered instanceof Refusal) throw registered;
  const username = usernameOf(realm, input);
  const email = storedEmail(input.email);
  const person = registered?.person;
  const { firstName = null, lastName = null } = person ?? {
    firstName: givenName(input, 'firstName'),
    lastName: givenName(input, 'lastName'),
  };
  const uniqueEmail = isOn(realm, 'duplicateEmailsAllowed') ? null : email;
  requireAll(
    () => requireFreeUsername(around, username),
    () => requireFreeEmail(around, email, uniqueEmail),
    () => requireShortNames({ username, email, firstName, lastName }, 'Could not create user'),
    () => {
      const refused = refusalOfProtected(input.attributes);
      if (refused) throw refused;
    },
    ...(input.groups ?? []).map((path, index) => () => void groupAt(around, path, index)),
    () => requirePolicy(prepared, 'Password policy not met'),
    ...(input.federatedIdentities ?? []).map((link, index) => () => requireWholeLink(link, index)),
  );
  const groups = (input.groups ?? []).map((path, index) => groupAt(around, path, index));
  const links = identitiesOf(input, id);

  const actions = [...onlyKnown(input.requiredActions ?? []), ...around.defaultActions];
  if (prepared.temporary) actions.push('UPDATE_PASSWORD');
  const { federationLink } = input;
  around.username.set(username, id);
  if (uniqueEmail !== null) around.email.set(uniqueEmail, id);
  rows.users.push({
    ...newColumns(userFields, input),
    id,
    realmId: realm.id,
    username,
    email,
    uniqueEmail,
    firstName,
    lastName,
    // a directory has nothing that disables an account, unless a mapper reads it
    enabled: person ? (person.enabled ?? true) : (input.enabled ?? false),
    createdTimestamp: ctx.services.now(),
    federationLink:
      registered?.storageId ??
      (federationLink !== undefined && around.storages.has(federationLink) ? federationLink : null),
    ...(registered && { federationId: registered.federationId }),
    requiredActions: [...new Set(actions)],
    search: userSearch({ username, email, firstName, lastName }),
  });
  const attributes = { ...(!person && ownAttributes(input.attributes ?? {})), ...registered?.attributes };
  rows.attributes.push(...attributeRows('userId', id, attributes));
  rows.identities.push(...new Map(links.map((link) => [link.identityProvider, link])).values());
  if (realm.defaultRoleId) rows.roles.push({ userId: id, roleId: realm.defaultRoleId, username });
  for (const groupId of new Set([...around.defaultGroups, ...groups])) {
    rows.groups.push({ userId: id, groupId, username });
  }
}
