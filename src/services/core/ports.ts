import type { KeyObject } from 'node:crypto';
import type { Db } from '../../database/db.js';
import type { Delegation } from './delegation.js';
import type { Permission } from './permissions.js';
import type { RealmRecord } from './realm.js';
import type { ScopedCache } from './scoped-cache.js';

// What the pipeline asks of the areas: they implement it, and are put together where the server starts.

/** The realms, as requests find them. */
export interface RealmCache {
  /** The realm of this name as the database has it, at most a second late for writes of other processes. */
  byName(db: Db, name: string): Promise<RealmRecord | undefined>;
  byId(db: Db, id: string): Promise<RealmRecord | undefined>;
}

/** Kinds of things of which a caller may see some, by management permissions. The permission to see all is `view:<kind>`. */
export type VisibleKind = 'users' | 'groups' | 'clients' | 'members';

/** What the caller may do in one realm. Computed once per request, from data that is at most a second old. */
export interface Permit {
  readonly rights: ReadonlySet<string>;
  can(permission: Permission): boolean;
  /** Throws a refusal if the permission is not held. */
  require(permission: Permission): void;
  /** Whether a permission is held for one group or client, by a role or by management permissions about it. */
  may(permission: Permission, kind: 'group' | 'client', id: string): boolean;
  /** what management permissions allow, where the realm has any and the roles do not allow everything anyhow */
  readonly delegation: Delegation | undefined;
  /** A condition that keeps only what the caller may see of a kind. */
  visible(kind: VisibleKind): { id?: { in: string[] } };
}

/**
 * What follows from the rights of callers, of several kinds, by keys that start with the id of the user and a space. A write
 * that may change the rights of one user touches `rights:<user id>`, one that may change those of many `rights`.
 */
export type RightsCache = ScopedCache<unknown>;

/** Notes when sessions were used. At most one second of this is lost in a crash. */
export interface SessionTouches {
  /** Notes that a client used a session at `at`, in seconds since 1970. */
  touch(sessionId: string, clientSessionId: string, at: number): void;
  /** Stores what was noted until now. */
  flush(): Promise<void>;
  close(): void;
}

/** When this process has to read people of directories again. */
export interface PeopleRead {
  isDue(userId: string, storageId: string): boolean;
  /** The person was read just now. */
  read(realmId: string, userId: string, config: Readonly<Record<string, string[]>>): void;
  /** The directory of the storage did not answer. */
  failed(realmId: string, storageId: string): void;
  /** Reads a person, or waits for a read of the same person that has begun. */
  once<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** What a key is for: signatures or encryption. */
export type KeyUse = 'SIG' | 'ENC';
/** An active key signs, a passive one only verifies. */
export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';
/** The kind of a key: RSA, elliptic curve, or a secret. */
export type KeyType = 'RSA' | 'EC' | 'OCT';

/** The realm whose keys are asked for; its name becomes the subject of new certificates. */
export interface KeyOwner {
  id: string;
  name: string;
}

/** The keys of all realms, made when they are first needed. */
export interface Keyring {
  /**
   * All keys of the realm, highest priority first. At most a second old, or read now when `fresh` is given.
   * May write (new key material): never call it while a transaction is open.
   */
  realmKeys(realm: KeyOwner, options?: { fresh?: boolean }): Promise<readonly RealmKey[]>;
  /** The active key that signs with the algorithm; nothing where the realm has none. */
  presentKey(realm: KeyOwner, algorithm: string): Promise<RealmKey | undefined>;
  /** The active key that signs with the algorithm. Where the realm has none, a provider of low priority is added. */
  signingKey(realm: KeyOwner, algorithm: string): Promise<RealmKey>;
  /** Forgets what is known of one realm, or of all. */
  forget(realmId?: string): void;
}

/** A key of a realm, ready for use. */
export interface RealmKey {
  kid: string;
  algorithm: string;
  use: KeyUse;
  status: KeyStatus;
  type: KeyType;
  /** id of the component that gives the key */
  providerId: string;
  providerPriority: number;
  publicKey?: KeyObject;
  privateKey?: KeyObject;
  /** OCT keys only */
  secret?: KeyObject;
  /** base64 of the DER form */
  certificate?: string;
}
