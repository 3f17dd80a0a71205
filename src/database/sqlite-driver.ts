import type { Config } from '../config/config.js';
import type { SqliteDriver } from './sqlite-connection.js';
import { nodeDriver } from './sqlite-on-node.js';
import { DatabaseUnusable } from './unusable.js';

/** The driver that is asked for. `auto`: better-sqlite3 where it is installed, otherwise that of Node. */
export type SqliteDriverSetting = Config['sqliteDriver'];

const loaded = new Map<SqliteDriverSetting, Promise<SqliteDriver>>();

/** The driver of SQLite, which is loaded once. Throws DatabaseUnusable where there is none: services on PostgreSQL do without it. */
export function sqliteDriver(setting: SqliteDriverSetting = 'auto'): Promise<SqliteDriver> {
  let driver = loaded.get(setting);
  if (!driver) {
    driver = load(setting);
    loaded.set(setting, driver);
  }
  return driver;
}

async function load(setting: SqliteDriverSetting): Promise<SqliteDriver> {
  if (setting === 'better-sqlite3') return betterSqlite3();
  if (setting === 'auto') return betterSqlite3().catch((error) => fromNode(() => error));
  return fromNode((fault) => new DatabaseUnusable(`${fault} Update Node.js, or set SQLITE_DRIVER to auto.`));
}

function fromNode(failure: (fault: string) => unknown): SqliteDriver {
  const found = nodeDriver();
  if (typeof found === 'string') throw failure(found);
  return found;
}

async function betterSqlite3(): Promise<SqliteDriver> {
  try {
    const [{ default: Database }, { betterSqlite3Driver }] = await Promise.all([
      import('better-sqlite3'),
      import('./sqlite-on-better-sqlite3.js'),
    ]);
    return betterSqlite3Driver(Database);
  } catch (error) {
    throw new DatabaseUnusable(
      isMissing(error)
        ? 'SQLite needs Node.js 22.16 or later, or the package better-sqlite3, which is not installed. Install it (without a prebuilt binary for this machine, that needs a C++ compiler and Python), or set DATABASE_URL to a PostgreSQL database.'
        : `The package better-sqlite3 is not built for Node.js ${process.versions.node}. Run \`npm rebuild better-sqlite3\`, or use Node.js 22.16 or later and set SQLITE_DRIVER to auto.`,
      error,
    );
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
