import type { KeyObject } from 'node:crypto';
import type { Db } from '../../database/db.js';
import type { Delegation } from './delegation.js';
import type { Permission } from './permissions.js';
import type { RealmRecord } from './realm.js';
import type { ScopedCache } from './scoped-cache.js';

// Interfaces of the pipeline to the areas. The areas implement them, and the start of the server connects them.

/** The realms, as requests find them. */
export interface RealmCache {
  /** The realm with this name, at most a second late for writes of other processes. */
  byName(db: Db, name: string): Promise<RealmRecord | undefined>;
  byId(db: Db, id: string): Promise<RealmRecord | undefined>;
}

/**
 * Kinds of objects that management permissions can make visible one by one. The permission to see all is `view:<kind>`.
 */
export type VisibleKind = 'users' | 'groups' | 'clients' | 'members';

/** The rights of the caller in one realm. Computed once per request, from data that is at most a second old. */
export interface Permit {
  readonly rights: ReadonlySet<string>;
  can(permission: Permission): boolean;
  /** Throws a refusal if the permission is not held. */
  require(permission: Permission): void;
  /** Whether a permission is held for one group or client, by a role or by management permissions about it. */
  may(permission: Permission, kind: 'group' | 'client', id: string): boolean;
  /** rights from management permissions, if the realm has any and the roles do not already allow everything */
  readonly delegation: Delegation | undefined;
  /** A condition that selects the objects of a kind that the caller may see. */
  visible(kind: VisibleKind): { id?: { in: string[] } };
}

/**
 * Values of several kinds that are derived from the rights of callers. Their keys start with the ID of the user and a
 * space. A write that may change the rights of one user touches `rights:<user id>`; a write that may change the rights
 * of many touches `rights`.
 */
export type RightsCache = ScopedCache<unknown>;

/** Notes when sessions were used. A crash loses at most one second of this. */
export interface SessionTouches {
  /** Notes that a client used a session at `at`, in seconds since 1970. */
  touch(sessionId: string, clientSessionId: string, at: number): void;
  /** Stores all noted uses. */
  flush(): Promise<void>;
  close(): void;
}

/** When this process has to read users of directories again. */
export interface PeopleRead {
  isDue(userId: string, storageId: string): boolean;
  /** The person was read just now. */
  read(realmId: string, userId: string, config: Readonly<Record<string, string[]>>): void;
  /** The directory of the storage did not answer. */
  failed(realmId: string, storageId: string): void;
  /** Reads a user, or waits for a running read of the same user. */
  once<T>(userId: string, work: () => Promise<T>): Promise<T>;
}

/** The purpose of a key: signatures or encryption. */
export type KeyUse = 'SIG' | 'ENC';
/** An active key signs, a passive one only verifies. */
export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';
/** The kind of a key: RSA, elliptic curve, or a secret. */
export type KeyType = 'RSA' | 'EC' | 'OCT';

/** The realm of the keys; its name becomes the subject of new certificates. */
export interface KeyOwner {
  id: string;
  name: string;
}

/** The keys of all realms, made when they are first needed. */
export interface Keyring {
  /**
   * All keys of the realm, highest priority first. At most a second old, or read now with `fresh`. May write new key
   * material: never call it while a transaction is open.
   */
  realmKeys(realm: KeyOwner, options?: { fresh?: boolean }): Promise<readonly RealmKey[]>;
  /** The active key that signs with the algorithm; undefined if the realm has none. */
  presentKey(realm: KeyOwner, algorithm: string): Promise<RealmKey | undefined>;
  /** The active key that signs with the algorithm. If the realm has none, a provider of low priority is added. */
  signingKey(realm: KeyOwner, algorithm: string): Promise<RealmKey>;
  /** Forgets the keys of one realm, or of all. */
  forget(realmId?: string): void;
}

/** A key of a realm, ready for use. */
export interface RealmKey {
  kid: string;
  algorithm: string;
  use: KeyUse;
  status: KeyStatus;
  type: KeyType;
  /** ID of the key's component */
  providerId: string;
  providerPriority: number;
  publicKey?: KeyObject;
  privateKey?: KeyObject;
  /** OCT keys only */
  secret?: KeyObject;
  /** base64 of the DER form */
  certificate?: string;
}
