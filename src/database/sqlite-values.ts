import { type ArgType, type ColumnType, ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { SqliteColumn, SqliteValue } from './sqlite-connection.js';

const declared: Readonly<Record<string, ColumnType>> = {
  DECIMAL: ColumnTypeEnum.Numeric,
  FLOAT: ColumnTypeEnum.Float,
  DOUBLE: ColumnTypeEnum.Double,
  'DOUBLE PRECISION': ColumnTypeEnum.Double,
  NUMERIC: ColumnTypeEnum.Double,
  REAL: ColumnTypeEnum.Double,
  TINYINT: ColumnTypeEnum.Int32,
  SMALLINT: ColumnTypeEnum.Int32,
  MEDIUMINT: ColumnTypeEnum.Int32,
  INT: ColumnTypeEnum.Int32,
  INTEGER: ColumnTypeEnum.Int32,
  SERIAL: ColumnTypeEnum.Int32,
  INT2: ColumnTypeEnum.Int32,
  BIGINT: ColumnTypeEnum.Int64,
  'UNSIGNED BIG INT': ColumnTypeEnum.Int64,
  INT8: ColumnTypeEnum.Int64,
  DATETIME: ColumnTypeEnum.DateTime,
  TIMESTAMP: ColumnTypeEnum.DateTime,
  TIME: ColumnTypeEnum.Time,
  DATE: ColumnTypeEnum.Date,
  TEXT: ColumnTypeEnum.Text,
  CLOB: ColumnTypeEnum.Text,
  CHARACTER: ColumnTypeEnum.Text,
  VARCHAR: ColumnTypeEnum.Text,
  'VARYING CHARACTER': ColumnTypeEnum.Text,
  NCHAR: ColumnTypeEnum.Text,
  'NATIVE CHARACTER': ColumnTypeEnum.Text,
  NVARCHAR: ColumnTypeEnum.Text,
  BLOB: ColumnTypeEnum.Bytes,
  BOOLEAN: ColumnTypeEnum.Boolean,
  JSONB: ColumnTypeEnum.Json,
};

/** The type of each column for Prisma: the declared type, otherwise the type of the first value that is not null. */
export const columnTypesOf = (columns: readonly SqliteColumn[], rows: readonly SqliteValue[][]): ColumnType[] =>
  columns.map(({ type }, at) => declared[type?.toUpperCase() ?? ''] ?? typeOfFirst(rows, at));

function typeOfFirst(rows: readonly SqliteValue[][], at: number): ColumnType {
  const value = rows.find((row) => row[at] !== null)?.[at];
  if (typeof value === 'string') return ColumnTypeEnum.Text;
  if (typeof value === 'bigint') return ColumnTypeEnum.Int64;
  if (typeof value === 'number') return ColumnTypeEnum.UnknownNumber;
  return value instanceof Uint8Array ? ColumnTypeEnum.Bytes : ColumnTypeEnum.Int32;
}

/** A value in the form that Prisma expects for its column. An integer that is too large for a number becomes a text. */
export function readValue(value: SqliteValue, type: ColumnType | undefined): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value;
  if (type === ColumnTypeEnum.DateTime) return new Date(Number(value)).toISOString();
  if (typeof value === 'number') {
    const isWhole = type === ColumnTypeEnum.Int32 || type === ColumnTypeEnum.Int64;
    return isWhole ? Math.trunc(value) : value;
  }
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/**
 * A value of a statement in the form in which SQLite stores it: times as texts, booleans as 0 and 1. Throws for a text with
 * U+0000, as PostgreSQL does: `@photostructure/sqlite` would end the text there, so that a lookup finds another row.
 */
export function writtenValue(value: unknown, type: ArgType['scalarType'] | undefined): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return timeOf(value);
  if (typeof value !== 'string') return value;
  if (value.includes('\0')) throw unstorableText();
  switch (type) {
    case 'int':
      return Number.parseInt(value, 10);
    case 'float':
    case 'decimal':
      return Number.parseFloat(value);
    case 'bigint':
      return BigInt(value);
    case 'datetime':
      return timeOf(new Date(value));
    case 'bytes':
      return Buffer.from(value, 'base64');
    default:
      return value;
  }
}

const unstorableText = (): DriverAdapterError => {
  const message = 'A text must not contain U+0000.';
  const originalCode = 'SQLITE_MISMATCH';
  return new DriverAdapterError({ kind: 'sqlite', extendedCode: 20, message, originalCode, originalMessage: message });
};

const timeOf = (time: Date): string => time.toISOString().replace('Z', '+00:00');
