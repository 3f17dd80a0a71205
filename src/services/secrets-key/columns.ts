import type { Db } from '../../database/db.js';
import { Prisma } from '../../generated/sqlite/client.js';
import { isSealed } from '../core/seal.js';

/** Columns that hold a sealed text, by table. */
export const sealedColumns: readonly (readonly [table: Prisma.ModelName, column: string])[] = [
  ['Realm', 'smtpPassword'],
  ['Client', 'secret'],
  ['Credential', 'secretData'],
  ['Component', 'secrets'],
  ['IdentityProvider', 'secrets'],
  ['Webhook', 'secret'],
  ['Webhook', 'previousSecret'],
  ['OneTimeToken', 'payload'],
  ['IdempotencyKey', 'outcome'],
];

/** A JSON object with sealed texts among its members. */
interface JsonRow {
  id: string;
  members: Record<string, unknown>;
}

interface JsonColumn {
  table: Prisma.ModelName;
  column: string;
  read(db: Db, ids: string[]): Promise<JsonRow[]>;
  write(db: Db, row: JsonRow): Promise<unknown>;
}

/** Columns that hold JSON objects some of whose members are sealed. */
export const jsonColumns: readonly JsonColumn[] = [
  {
    table: 'Client',
    column: 'attributes',
    read: async (db, ids) =>
      (await db.client.findMany({ where: { id: { in: ids } }, select: { id: true, attributes: true } })).map(
        ({ id, attributes }) => ({ id, members: attributes as Record<string, unknown> }),
      ),
    write: (db, { id, members }) =>
      db.client.updateMany({ where: { id }, data: { attributes: members as Prisma.InputJsonObject } }),
  },
  {
    table: 'AuthenticatorConfig',
    column: 'config',
    read: async (db, ids) =>
      (await db.authenticatorConfig.findMany({ where: { id: { in: ids } }, select: { id: true, config: true } })).map(
        ({ id, config }) => ({ id, members: config as Record<string, unknown> }),
      ),
    write: (db, { id, members }) =>
      db.authenticatorConfig.updateMany({ where: { id }, data: { config: members as Prisma.InputJsonObject } }),
  },
];

/** An identifier in a statement. */
export const identifier = (name: string) => Prisma.raw(`"${name}"`);

/** A sealed text of a row. */
export interface SealedValue {
  id: string;
  value: string;
}

/** Up to `most` sealed texts of a column, by the ids of their rows, after the given one. */
export const sealedTexts = (
  db: Db,
  [table, column]: (typeof sealedColumns)[number],
  after: string,
  most: number,
): Promise<SealedValue[]> =>
  db.query<SealedValue>(Prisma.sql`
    SELECT "id", ${identifier(column)} AS "value" FROM ${identifier(table)}
     WHERE "id" > ${after} AND ${identifier(column)} <> '' ORDER BY "id" LIMIT ${most}`);

/** Up to `most` ids of rows whose JSON may have sealed members, after the given one. */
export async function jsonIds(db: Db, { table, column }: JsonColumn, after: string, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(Prisma.sql`
    SELECT "id" FROM ${identifier(table)}
     WHERE "id" > ${after}
       AND (CAST(${identifier(column)} AS TEXT) LIKE '%"plain:%' OR CAST(${identifier(column)} AS TEXT) LIKE '%"gcm1:%')
     ORDER BY "id" LIMIT ${most}`);
  return rows.map(({ id }) => id);
}

/** The sealed members of a JSON object. */
export const sealedMembers = ({ members }: JsonRow): [string, string][] =>
  Object.entries(members).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isSealed(entry[1]),
  );
