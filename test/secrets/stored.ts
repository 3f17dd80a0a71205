import { createCipheriv, randomBytes } from 'node:crypto';
import type { Db } from '../../src/database/db.js';
import { delegateName, modelNames } from '../../src/database/model.js';
import { Prisma } from '../../src/database/prisma.js';
import type { Place } from '../../src/services/core/sealed-columns.js';
import {
  identifier,
  objectColumns,
  placeIn,
  type SealedColumn,
  sealedMembers,
  sealedObjects,
  sealedTexts,
  textColumns,
} from '../../src/services/secrets-key/store.js';

/** A sealed text, with where it is stored. */
export interface Stored {
  /** `Model.column` */
  column: string;
  place: Place;
  sealed: string;
}

export const nameOf = ({ model, column }: SealedColumn): string => `${model}.${column}`;

/** All sealed texts of a database, of the columns that are known to hold some. */
export async function storedIn(db: Db): Promise<Stored[]> {
  const found: Stored[] = [];
  for (const column of textColumns) {
    for (const { value, ...row } of await sealedTexts(db, column, '', 10_000)) {
      found.push({ column: nameOf(column), place: placeIn(column.model, column.column, row), sealed: value });
    }
  }
  for (const column of objectColumns) {
    for (const { value, ...row } of await sealedObjects(db, column, '', 10_000)) {
      for (const [name, sealed] of sealedMembers(value)) {
        const place = placeIn(column.model, `${column.column}.${name}`, row);
        found.push({ column: nameOf(column), place, sealed });
      }
    }
  }
  return found;
}

/** All sealed texts of a database, in whatever column of whatever table they are. */
export async function anywhereIn(db: Db): Promise<string[]> {
  const rows: unknown[] = [];
  for (const model of modelNames()) {
    const table = db[delegateName(model) as 'realm'];
    rows.push(await table.findMany({}));
  }
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return text.match(/(plain:|gcm\d:)[^"\\]*/g) ?? [];
}

/** Writes a sealed text to a place, as somebody could who can write to the database. */
export async function plant(tx: Db, { model, id, field }: Place, sealed: string): Promise<void> {
  const [column = '', ...member] = field.split('.');
  const [table, name] = [identifier(model), identifier(column)];
  const path = member.join('.');
  const value =
    member.length === 0
      ? Prisma.sql`${sealed}`
      : tx.dialect === 'sqlite'
        ? Prisma.sql`json_set(${name}, ${`$."${path}"`}, ${sealed})`
        : Prisma.sql`jsonb_set(${name}, ARRAY[${path}], to_jsonb(${sealed}::text))`;
  await tx.execute(Prisma.sql`UPDATE ${table} SET ${name} = ${value} WHERE "id" = ${id}`);
}

/** A text as a version sealed it that bound nothing to a place. */
export function unbound(key: Uint8Array, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `gcm1:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')}`;
}
