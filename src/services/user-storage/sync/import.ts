import type { Db } from '../../../database/db.js';
import { updateEach } from '../../../database/update-each.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { attributeRows, grouped } from '../../core/view.js';
import { isTooLong } from '../../users/names.js';
import { userSearch } from '../../users/search.js';
import { giveUpNames, removeAttributes } from '../../users/store.js';
import { lookAlikes } from '../../users/usernames.js';
import { clientIdOf } from '../config.js';
import { mappedKind } from '../mapped-entries.js';
import type { Person } from '../person.js';
import type { Storage, StorageServices } from '../storage.js';
import { storageIdOf } from '../storage-id.js';
import { settleClaims } from './claims.js';
import { type Memberships, storeMemberships } from './memberships.js';
import { type Extent, mergedPerson } from './merged-person.js';

/** The result of a batch. */
export interface Imported {
  added: number;
  updated: number;
  /** directory users with values that cannot be stored, or whose name or address another user has */
  failed: Person[];
  /** directory users whose name or address another user of the storage has, who may still give it up */
  blocked: Person[];
  /** how many of them are users of the storage now */
  found: number;
  /** directory users without any change */
  unchanged: Person[];
}

const nobodyImported = (): Imported => ({ added: 0, updated: 0, failed: [], blocked: [], found: 0, unchanged: [] });

const columns = {
  id: true,
  username: true,
  email: true,
  emailVerified: true,
  firstName: true,
  lastName: true,
  enabled: true,
  federationLink: true,
  federationId: true,
  requiredActions: true,
  keptFields: true,
  attributes: { select: { name: true, value: true }, orderBy: [{ name: 'asc' }, { position: 'asc' }] },
} as const satisfies Prisma.UserSelect;

type Present = Prisma.UserGetPayload<{ select: typeof columns }>;

interface Around {
  duplicateEmails: boolean;
  defaultRoleId: string | null;
  groups: string[];
  actions: string[];
}

/**
 * Whether the directory alone decides about the groups or realm roles of users: then they do not get the default groups
 * or roles.
 */
const isLeftToDirectory = ({ mappers }: Storage, kind: 'group' | 'role'): boolean =>
  mappers.some((mapper) => {
    const mapped = mappedKind(mapper);
    return clientIdOf(mapper.config) === undefined && mapped?.kind === kind && mapped.mode === 'LDAP_ONLY';
  });

async function aroundOf(tx: Db, storage: Storage): Promise<Around | undefined> {
  const { realmId } = storage;
  const realm = await tx.realm.findUnique({
    where: { id: realmId },
    select: {
      settings: true,
      defaultRoleId: true,
      groups: { where: { isDefault: true }, select: { id: true } },
      requiredActions: { where: { enabled: true, defaultAction: true }, select: { alias: true } },
    },
  });
  if (!realm) return undefined;
  return {
    duplicateEmails: (realm.settings as Record<string, unknown>).duplicateEmailsAllowed === true,
    defaultRoleId: isLeftToDirectory(storage, 'role') ? null : realm.defaultRoleId,
    groups: isLeftToDirectory(storage, 'group') ? [] : realm.groups.map(({ id }) => id),
    actions: realm.requiredActions.map(({ alias }) => alias),
  };
}

/** Whether all values of a person can be stored: texts of directories may have any content. */
function isStorable(person: Person): boolean {
  const { username, writtenName, email, firstName, lastName, attributes, federationId } = person;
  const texts = [username, writtenName, email ?? '', firstName ?? '', lastName ?? '', federationId];
  return !isTooLong(...texts) && ![...texts, ...Object.values(attributes).flat()].some((text) => text.includes('\0'));
}

/** The users who correspond to these directory users, or whose names conflict with theirs. */
function presentOf(tx: Db, { id, realmId }: Storage, people: readonly Person[]): Promise<Present[]> {
  const emails = people.flatMap(({ email }) => email ?? []);
  const usernames = people.flatMap(({ username }) => [username, ...lookAlikes(username)]);
  return tx.user.findMany({
    where: {
      OR: [
        { federationLink: id, federationId: { in: people.map(({ federationId }) => federationId) } },
        { realmId, username: { in: [...usernames, ...emails] } },
        ...(emails.length > 0 ? [{ realmId, uniqueEmail: { in: emails } }] : []),
      ],
    },
    select: columns,
  });
}

interface Rows {
  created: Prisma.UserCreateManyInput[];
  changed: ({ id: string } & Record<string, unknown>)[];
  /** users whose attributes are rewritten, with the names of these attributes */
  cleared: { id: string; names: string[] }[];
  attributes: Prisma.UserAttributeCreateManyInput[];
}

/**
 * Imports directory users into the realm, or updates existing users: in one transaction with a fixed number of
 * statements. Directory users whose name or address another user has are left out: they count as failed or blocked. Two
 * logins of one user may write the same name, so the transaction must retry duplicates. `extent`: the fields of
 * existing users that are updated.
 */
export async function importPeople(
  tx: Db,
  services: Pick<StorageServices, 'newId' | 'now'>,
  storage: Storage,
  people: readonly Person[],
  memberships: Memberships,
  extent: Extent = 'all',
): Promise<Imported> {
  const around = await aroundOf(tx, storage);
  if (!around || people.length === 0) return nobodyImported();
  const fitting = people.filter(isStorable);
  const present = await presentOf(tx, storage, fitting);
  const { granted, blocked, failed, yieldedNames, yieldedEmails } = settleClaims<Present>(fitting, present, {
    storageId: storage.id,
    duplicateEmails: around.duplicateEmails,
    byName: !storage.imports,
    merged: mergedPerson(storage, extent),
    newId: ({ writtenName }) => (storage.imports ? services.newId() : storageIdOf(storage.id, writtenName)),
  });
  const rows: Rows = { created: [], changed: [], cleared: [], attributes: [] };
  for (const { id, person, user } of granted) {
    if (user) change(rows, around, user, person);
    else add(rows, around, storage, services.now(), id, person);
  }
  await giveUpNames(tx, yieldedNames, yieldedEmails);
  await write(tx, rows, around);
  const done = new Map(granted.map(({ id, person, user }) => [id, { person, isNew: !user }]));
  const regrouped = await storeMemberships(tx, memberships, done);
  const updated = new Set([...rows.changed.map(({ id }) => id), ...regrouped]);
  return {
    added: rows.created.length,
    updated: updated.size,
    failed: [...failed, ...people.filter((person) => !isStorable(person))],
    blocked,
    found: granted.length,
    unchanged: granted.flatMap(({ id, person, user }) => (user && !updated.has(id) ? person : [])),
  };
}

const unique = ({ duplicateEmails }: Around, email: string | null) => (duplicateEmails ? null : email);

function add(rows: Rows, around: Around, storage: Storage, now: number, id: string, person: Person): void {
  const { username, email = null, firstName = null, lastName = null } = person;
  const actions = person.mustChangePassword ? [...around.actions, 'UPDATE_PASSWORD'] : around.actions;
  rows.created.push({
    id,
    realmId: storage.realmId,
    username,
    email,
    uniqueEmail: unique(around, email),
    emailVerified: person.emailVerified ?? false,
    firstName,
    lastName,
    enabled: person.enabled ?? true,
    createdTimestamp: now,
    federationLink: storage.id,
    federationId: person.federationId,
    requiredActions: [...new Set(actions)],
    search: userSearch({ username, email, firstName, lastName }),
  });
  rows.attributes.push(...attributeRows('userId', id, person.attributes));
}

/** Adds the fields of a person that differ from the user's. */
function change(rows: Rows, around: Around, user: Present, person: Person): void {
  const next = {
    username: person.username,
    federationId: person.federationId,
    ...(person.email !== undefined && { email: person.email }),
    ...(person.firstName !== undefined && { firstName: person.firstName }),
    ...(person.lastName !== undefined && { lastName: person.lastName }),
    ...(person.enabled !== undefined && { enabled: person.enabled }),
    // an address that was trusted once stays verified
    ...(person.emailVerified && { emailVerified: true }),
  };
  const differing = Object.entries(next).filter(([name, value]) => user[name as keyof Present] !== value);
  const had = grouped(user.attributes);
  const attributes = Object.fromEntries(
    Object.entries(person.attributes).filter(([name, values]) => !sameTexts(had[name] ?? [], values)),
  );
  const names = Object.keys(attributes);
  const actions = user.requiredActions as string[];
  const asksPassword = person.mustChangePassword === true && !actions.includes('UPDATE_PASSWORD');
  if (differing.length === 0 && names.length === 0 && !asksPassword) return;
  const changed: Record<string, unknown> = Object.fromEntries(differing);
  const { username, email, firstName, lastName } = { ...user, ...changed } as Present;
  rows.changed.push({
    id: user.id,
    ...changed,
    ...('email' in changed && { uniqueEmail: unique(around, email) }),
    ...(asksPassword && { requiredActions: [...actions, 'UPDATE_PASSWORD'] }),
    search: userSearch({ username, email, firstName, lastName }),
  });
  if (names.length > 0) {
    rows.cleared.push({ id: user.id, names });
    rows.attributes.push(...attributeRows('userId', user.id, attributes));
  }
}

const sameTexts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

async function write(tx: Db, { created, changed, cleared, attributes }: Rows, around: Around): Promise<void> {
  if (created.length > 0) await tx.user.createMany({ data: created });
  await updateEach(tx, 'User', changed);
  if (cleared.length > 0) await removeAttributes(tx, cleared);
  if (attributes.length > 0) await tx.userAttribute.createMany({ data: attributes });
  const { defaultRoleId } = around;
  const names = created.map(({ id, username }) => ({ userId: id, username }));
  if (defaultRoleId && names.length > 0) {
    await tx.userRole.createMany({ data: names.map((name) => ({ ...name, roleId: defaultRoleId })) });
  }
  const groups = names.flatMap((name) => around.groups.map((groupId) => ({ ...name, groupId })));
  if (groups.length > 0) await tx.userGroup.createMany({ data: groups });
}
