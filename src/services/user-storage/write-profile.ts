import { Attribute, Change } from 'ldapts';
import type { Context } from '../core/context.js';
import { conflict } from '../core/refusal.js';
import { requireAlone } from '../core/transaction.js';
import { rdnOf } from '../ldap/dn.js';
import { directoryRefusal, LdapFault } from '../ldap/fault.js';
import { withDirectory } from '../ldap/pool.js';
import type { RealmRecord } from '../realms/record.js';
import type { UserInput } from '../users/representation.js';
import { flagOf, one } from './config.js';
import { entryOfUser, storageOfUser } from './password.js';
import type { Storage } from './storage.js';

interface Profile {
  id: string;
  username: string;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  federationLink: string | null;
}

const names = ['username', 'email', 'firstName', 'lastName'] as const;

/** The names that a change brings and that differ from those that the user has. */
function changedNames(realm: RealmRecord, user: Profile, input: UserInput): Map<string, string> {
  const changed = new Map<string, string>();
  for (const name of names) {
    const value = input[name];
    const fixed = name === 'username' && realm.settings.editUsernameAllowed !== true;
    const isLower = name === 'username' || name === 'email';
    if (value === undefined || fixed) continue;
    if ((isLower ? value.toLowerCase() : value) !== (user[name] ?? '')) changed.set(name, value);
  }
  return changed;
}

/** What of the directory's attributes becomes of the change, as the mappers that may write have it. */
function writtenAttributes(
  { mappers }: Storage,
  user: Profile,
  input: UserInput,
  changed: ReadonlyMap<string, string>,
) {
  const written = new Map<string, string[]>();
  for (const { providerId, config } of mappers) {
    if (flagOf(config, 'read.only')) continue;
    const field = one(config, 'user.model.attribute') ?? '';
    const attribute = one(config, 'ldap.attribute');
    if (providerId === 'user-attribute-ldap-mapper' && attribute) {
      const isName = names.some((name) => name === field);
      const value = isName ? changed.get(field) : undefined;
      const values = isName ? (value === undefined ? undefined : [value]) : input.attributes?.[field];
      if (values === undefined) continue;
      const present = values.filter((text) => text.trim() !== '');
      // what the directory demands becomes a blank where it is taken away
      const standard = one(config, 'attribute.default.value') ?? ' ';
      written.set(attribute, present.length === 0 && flagOf(config, 'is.mandatory.in.ldap') ? [standard] : present);
    } else if (providerId === 'full-name-ldap-mapper' && (changed.has('firstName') || changed.has('lastName'))) {
      const whole = [changed.get('firstName') ?? user.firstName, changed.get('lastName') ?? user.lastName];
      written.set(one(config, 'ldap.full.name.attribute') ?? 'cn', [whole.filter(Boolean).join(' ')]);
    }
  }
  return written;
}

const replace = (type: string, values: string[]): Change =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) });

const linkOf = { federationId: true } as const;

async function linked(ctx: Context, { id }: Pick<Profile, 'id'>) {
  return (await ctx.db.user.findUnique({ where: { id }, select: linkOf })) ?? { federationId: null };
}

/** The directory cannot be brought back to what it was. */
const changedAlone = 'A user of a directory is changed on its own and for good';

const inDirectory = async (storage: Storage, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    throw error instanceof LdapFault ? directoryRefusal(storage.name, error) : error;
  }
};

/**
 * Writes what changes of a user to the directory that the user comes from, ahead of what is kept here: if the directory
 * refuses, nothing is changed. Refuses new names for users of storages that are only read.
 */
export async function writeProfile(
  ctx: Context,
  realm: RealmRecord,
  user: Profile,
  input: UserInput,
  asked: { dryRun: boolean } | undefined,
): Promise<void> {
  if (!realm.components.some(({ id }) => id === user.federationLink)) return;
  const storage = await storageOfUser(ctx.services, realm.id, user);
  if (!storage?.enabled || storage.mode === 'UNSYNCED') return;
  const link = await linked(ctx, user);
  if (link.federationId === null) return;
  const changed = changedNames(realm, user, input);
  if (storage.mode === 'READ_ONLY') {
    if (changed.size > 0) throw conflict('User is read only!', [...changed.keys()][0]);
    return;
  }
  const written = writtenAttributes(storage, user, input, changed);
  if (written.size === 0) return;
  requireAlone(ctx, changedAlone, asked);
  const { people, directory } = storage;
  await inDirectory(storage, async () => {
    const entry = await entryOfUser(storage, link);
    if (!entry) throw new LdapFault('the user is no longer in the directory', 32);
    // the attribute that names an entry changes with its name (RFC 4511, 4.9)
    const rdn = [...written].find(([attribute]) => attribute.toLowerCase() === people.rdn.toLowerCase());
    const changes = [...written].filter((item) => item !== rdn).map(([type, values]) => replace(type, values));
    await withDirectory(directory, async (client) => {
      if (changes.length > 0) await client.modify(entry.dn, changes);
      if (rdn) await client.modifyDN(entry.dn, rdnOf(people.rdn, rdn[1][0] ?? ''));
    });
  });
}

/** Deletes a user from a directory that may be written. From others the user is only deleted here, and may come back. */
export async function removeFromDirectory(
  ctx: Context,
  realm: RealmRecord,
  user: Pick<Profile, 'id' | 'federationLink'>,
  asked: { dryRun: boolean } | undefined,
): Promise<void> {
  if (!realm.components.some(({ id }) => id === user.federationLink)) return;
  const storage = await storageOfUser(ctx.services, realm.id, user);
  if (!storage?.enabled || storage.mode !== 'WRITABLE') return;
  const link = await linked(ctx, user);
  if (link.federationId === null) return;
  requireAlone(ctx, changedAlone, asked);
  await inDirectory(storage, async () => {
    const entry = await entryOfUser(storage, link);
    if (entry) await withDirectory(storage.directory, (client) => client.del(entry.dn));
  });
}
