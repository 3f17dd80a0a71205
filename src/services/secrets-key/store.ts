import type { Db } from '../../database/db.js';
import { asJson } from '../../database/portable.js';
import { Prisma } from '../../database/prisma.js';
import { isSealed, sealedPrefixes } from '../core/seal.js';
import { type Place, type SealedModel, sealedColumns } from '../core/sealed-columns.js';

/** A column that holds sealed texts. */
export interface SealedColumn {
  model: SealedModel;
  column: string;
}

/** Whether a model holds secrets, and not only the check of the key. */
const holdsSecrets = (model: SealedModel): boolean => model !== 'SecretsKeyCheck';

const columnsOf = (kind: 'texts' | 'objects'): SealedColumn[] =>
  (Object.keys(sealedColumns) as SealedModel[])
    .filter(holdsSecrets)
    .flatMap((model) => sealedColumns[model][kind].map((column) => ({ model, column })));

/** Columns whose value is a sealed text. */
export const textColumns: readonly SealedColumn[] = columnsOf('texts');

/** Columns with JSON objects, some of whose members are sealed texts. */
export const objectColumns: readonly SealedColumn[] = columnsOf('objects');

/** The place of a sealed text that was read by these columns, for the registry has them in no narrower type. */
export const placeIn = (model: SealedModel, field: string, { id, owner }: { id: string; owner: string }): Place =>
  ({ model, id, field, ...(sealedColumns[model].owner !== null && { owner }) }) as Place;

/** An identifier in a statement. */
export const identifier = (name: string) => Prisma.raw(`"${name}"`);

const ownerOf = (model: SealedModel) => identifier(sealedColumns[model].owner ?? 'id');

/** A value of a sealed column, with its row and the owner of the row. */
export interface SealedValue {
  id: string;
  owner: string;
  value: string;
}

/** Up to `most` sealed texts of a column, ordered by the IDs of their rows, after the given one. */
export const sealedTexts = (
  db: Db,
  { model, column }: SealedColumn,
  after: string,
  most: number,
): Promise<SealedValue[]> =>
  db.query<SealedValue>(Prisma.sql`
    SELECT "id", ${ownerOf(model)} AS "owner", ${identifier(column)} AS "value" FROM ${identifier(model)}
     WHERE "id" > ${after} AND ${identifier(column)} <> '' ORDER BY "id" LIMIT ${most}`);

type Members = Record<string, unknown>;

/** A JSON object of a column, with its stored text. */
export interface SealedObject extends Omit<SealedValue, 'value'> {
  text: string;
  value: Members;
}

/** Up to `most` objects that may have sealed members, ordered by the IDs of their rows, after the given one. */
export async function sealedObjects(
  db: Db,
  { model, column }: SealedColumn,
  after: string,
  most: number,
): Promise<SealedObject[]> {
  const text = Prisma.sql`CAST(${identifier(column)} AS TEXT)`;
  const marks = sealedPrefixes.map((prefix) => Prisma.sql`${text} LIKE ${`%"${prefix}%`}`);
  const rows = await db.query<SealedValue>(Prisma.sql`
    SELECT "id", ${ownerOf(model)} AS "owner", ${text} AS "value" FROM ${identifier(model)}
     WHERE "id" > ${after} AND (${Prisma.join(marks, ' OR ')}) ORDER BY "id" LIMIT ${most}`);
  return rows.map((row) => ({ ...row, text: row.value, value: JSON.parse(row.value) as Members }));
}

/** The sealed members of a JSON object. */
export const sealedMembers = (members: Members): [string, string][] =>
  Object.entries(members).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isSealed(entry[1]),
  );

interface Resealed {
  id: string;
  before: string;
  after: string;
}

/** Writes values of a column, in one statement; one that has changed in the meantime stays. */
export async function replace(tx: Db, { model, column }: SealedColumn, changes: readonly Resealed[]): Promise<void> {
  const rows = changes.map(({ id, before, after }) => Prisma.sql`(${id}, ${before}, ${after})`);
  const [table, name] = [identifier(model), identifier(column)];
  const isObject = objectColumns.some((known) => known.model === model && known.column === column);
  const text = Prisma.sql`changed."new"`;
  const value = isObject ? asJson(tx, text) : text;
  await tx.execute(Prisma.sql`
    WITH changed("id", "old", "new") AS (VALUES ${Prisma.join(rows)})
    UPDATE ${table} SET ${name} = ${value} FROM changed
     WHERE ${table}."id" = changed."id" AND CAST(${table}.${name} AS TEXT) = changed."old"`);
}
