import { DriverAdapterError, type MappedError } from '@prisma/driver-adapter-utils';
import { sqliteCodeOf } from './sqlite-connection.js';

/** Converts a driver's error to the form of Prisma's adapters. Any other error is a bug, and is returned unchanged. */
export function adapterError(error: unknown): unknown {
  const code = sqliteCodeOf(error);
  if (code === undefined) return error;
  const { message } = error as Error;
  return new DriverAdapterError({ originalCode: code, originalMessage: message, ...causeOf(code, message) });
}

function causeOf(code: string, message: string): MappedError {
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' };
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return { kind: 'UniqueConstraintViolation', ...constraintOf(message), ...tableOf(message) };
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return { kind: 'NullConstraintViolation', ...constraintOf(message) };
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
    case 'SQLITE_CONSTRAINT_TRIGGER':
      return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
    default:
      return unknownNameOf(message) ?? { kind: 'sqlite', extendedCode: 1, message };
  }
}

/** The columns in a message such as "UNIQUE constraint failed: User.realmId, User.username". */
function constraintOf(message: string): { constraint?: { fields: string[] } } {
  const [, columns] = /constraint failed: (.*)$/s.exec(message) ?? [];
  if (columns === undefined) return {};
  return { constraint: { fields: columns.split(', ').map((column) => column.split('.').pop() ?? column) } };
}

/** The table of the first of these columns; a violated index of an expression has only its name. */
function tableOf(message: string): { table?: string } {
  const [, table] = /constraint failed: ([^,]*)\./s.exec(message) ?? [];
  return table === undefined ? {} : { table };
}

/** The unknown table or column that a statement names. */
function unknownNameOf(message: string): MappedError | undefined {
  const [, table] = /^no such table: (.*)$/s.exec(message) ?? [];
  if (table !== undefined) return { kind: 'TableDoesNotExist', table };
  const [, column] = /(?:^no such column: |has no column named )(.*)$/s.exec(message) ?? [];
  return column === undefined ? undefined : { kind: 'ColumnNotFound', column };
}
