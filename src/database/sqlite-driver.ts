import type { SqliteDriver } from './sqlite-connection.js';
import { driverOn, type SqliteModule } from './sqlite-module.js';
import { DatabaseUnusable } from './unusable.js';

let loaded: Promise<SqliteDriver> | undefined;

/**
 * Returns the driver of SQLite, which is loaded once: the module `node:sqlite` if this Node.js has it, otherwise the package
 * with the same API. Throws DatabaseUnusable if there is neither. A service on PostgreSQL needs no driver of SQLite.
 */
export function sqliteDriver(): Promise<SqliteDriver> {
  loaded ??= load();
  return loaded;
}

const load = async (): Promise<SqliteDriver> => driverOfNode() ?? driverOfPackage();

/** Returns the driver on `node:sqlite`. Undefined before Node.js 22.16, in 23, and if its SQLite lacks a feature. */
export function driverOfNode(): SqliteDriver | undefined {
  const module = moduleOfNode();
  if (module === undefined || !('setReturnArrays' in module.StatementSync.prototype)) return undefined;
  try {
    return driverOn('node:sqlite', module);
  } catch {
    return undefined;
  }
}

/** Loads the module without the warning that it is experimental, which an operator cannot act on. */
function moduleOfNode(): SqliteModule | undefined {
  const warn = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    const isExperimental = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!isExperimental) Reflect.apply(warn, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as SqliteModule | undefined;
  } finally {
    process.emitWarning = warn;
  }
}

/** Returns the driver on the package, whose prebuilt binary works with every Node.js. Throws DatabaseUnusable without it. */
export async function driverOfPackage(): Promise<SqliteDriver> {
  try {
    return driverOn('@photostructure/sqlite', (await import('@photostructure/sqlite')) as unknown as SqliteModule);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    const fault = isMissing ? 'is not installed' : `cannot be loaded (${(error as Error).message.split('\n')[0]})`;
    throw new DatabaseUnusable(
      `SQLite needs Node.js 22.16 or later, but not 23, or the package @photostructure/sqlite, which ${fault}. Update Node.js, install the package, or set DATABASE_URL to a PostgreSQL database.`,
      error,
    );
  }
}
