import { setTimeout as passed } from 'node:timers/promises';
import type { Db } from '../../../database/db.js';
import type { Services } from '../../core/context.js';
import { detached, withoutPlace } from '../../core/place.js';
import { inUnitOfWork, type UnitServices } from '../../core/unit-of-work.js';
import { LdapFault } from '../../ldap/fault.js';
import { type Storage, storagesOf } from '../storage.js';
import { parseStorageId } from '../storage-id.js';
import { removeUsers } from '../store.js';
import { importPeople } from '../sync/import.js';
import { findPerson, personOfId } from './look-up.js';
import { type Held, membershipsOf } from './person-memberships.js';
import { readOperation } from './reads.js';

/** The services that reading a directory user needs. */
export type ReadServices = Pick<Services, 'database' | 'sealer' | 'peopleRead'> & UnitServices;

/** A user who may come from a storage. */
export interface StoredUser {
  id: string;
  federationLink: string | null;
  federationId: string | null;
}

/** The result of a read. `gone`: the directory no longer has the user, so it was deleted. */
export type ReadResult = 'same' | 'changed' | 'gone';

/** Milliseconds that a request waits for a directory before it uses the stored data. */
const patience = 5000;

/**
 * Updates one user from its directory, unless a recent read still counts by the cache policy of the storage. If the
 * directory does not answer in time, the stored user is used.
 */
export async function readPerson(services: ReadServices, realmId: string, user: StoredUser): Promise<ReadResult> {
  const { federationLink, federationId } = user;
  if (federationLink === null || federationId === null) return 'same';
  const { peopleRead } = services;
  if (!peopleRead.isDue(user.id, federationLink)) return 'same';
  const done = new AbortController();
  const known = { ...user, federationLink, federationId };
  const reading = peopleRead.once(user.id, () => detached(() => read(services, realmId, known)));
  const tooLong = () => {
    peopleRead.failed(realmId, federationLink);
    return 'same' as const;
  };
  const waiting = passed(patience, undefined, { signal: done.signal, ref: false }).then(tooLong, () => 'same' as const);
  try {
    return await withoutPlace(() => Promise.race([reading, waiting]));
  } finally {
    // a read that ends after the request went on fails without a listener
    reading.catch(() => undefined);
    done.abort();
  }
}

async function read(
  services: ReadServices,
  realmId: string,
  user: StoredUser & { federationLink: string; federationId: string },
): Promise<ReadResult> {
  const [storage] = await storagesOf(services, realmId, user.federationLink);
  if (!storage?.enabled || storage.directory.urls.length === 0) return 'same';
  try {
    const result = await compare(services, storage, user);
    if (result !== 'gone') services.peopleRead.read(realmId, user.id, storage.config);
    return result;
  } catch (error) {
    if (!(error instanceof LdapFault)) throw error;
    services.peopleRead.failed(realmId, storage.id);
    return 'same';
  }
}

async function compare(
  services: ReadServices,
  storage: Storage,
  user: { id: string; federationId: string },
): Promise<ReadResult> {
  const name = storage.imports ? undefined : parseStorageId(user.id)?.username;
  const byId = await personOfId(storage, user.federationId);
  // a user that is not imported is identified by name, and may have a new ID in the directory
  const person = byId ?? (name === undefined ? undefined : await findPerson(storage, 'username', name));
  const { realmId } = storage;
  const touches = [`user:${user.id}`, `users:${realmId}`, `rights:${user.id}`];
  // other processes read the person themselves
  const change = { realmId, operation: readOperation, touches };
  const options = { retryDuplicates: true };
  if (!person) {
    await inUnitOfWork(
      services,
      async ({ tx, changedHere }) => {
        await removeUsers(tx, [user.id]);
        changedHere(change);
      },
      options,
    );
    return 'gone';
  }
  const memberships = await membershipsOf(services, storage, [person], await heldBy(services.database.read, user.id));
  return inUnitOfWork(
    services,
    async ({ tx, changedHere }) => {
      const { added, updated } = await importPeople(tx, services, storage, [person], memberships, 'alwaysRead');
      if (added + updated === 0) return 'same';
      changedHere(change);
      return 'changed';
    },
    options,
  );
}

/** The direct groups and roles of a user. */
async function heldBy(db: Db, userId: string): Promise<Held> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: {
      groups: { select: { group: { select: { id: true, path: true } } } },
      roles: { select: { role: { select: { id: true, client: { select: { clientId: true } } } } } },
    },
  });
  return {
    groups: user?.groups.map(({ group }) => group) ?? [],
    roles: user?.roles.map(({ role }) => ({ id: role.id, clientId: role.client?.clientId })) ?? [],
  };
}
