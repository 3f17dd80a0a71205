import { decodeKnown } from '../../core/decode-known.js';
import { outsideTransaction } from '../../core/deferred-work.js';
import type { RealmRecord } from '../../core/realm.js';
import { type HashedPassword, hashPassword } from '../../credentials/hashing.js';
import { plainPasswords } from '../assemble/credentials.js';
import { RealmRepresentation } from '../representation.js';
import { type Json, listOf } from './kinds.js';

/** The hashes of passwords that a file has in plain text. */
export type PasswordHashes = ReadonlyMap<string, HashedPassword>;

/** Whether a credential of a file may have its password in plain text. */
const mayBePlain = ({ value, rawPassword }: Json): boolean => value !== undefined || rawPassword !== undefined;

/** Hashes the plain passwords that a plan would set, by their values. */
export async function hashPasswordsOf(realm: RealmRecord, file: Json): Promise<PasswordHashes> {
  // most users of a file have hashes, and need no further check here
  const given = listOf(file, 'users').filter((user) => listOf(user, 'credentials').some(mayBePlain));
  const { users = [] } = decodeKnown(RealmRepresentation, { users: given }).input;
  const values = new Set(plainPasswords({ users }).map(({ value }) => value));
  if (values.size === 0) return new Map();
  return outsideTransaction(JSON.stringify(['plan', ...values]), async () => {
    const hashed = await Promise.all(
      [...values].map(async (value) => [value, await hashPassword(value, { line: `plan ${realm.id}` })] as const),
    );
    return new Map(hashed);
  });
}
