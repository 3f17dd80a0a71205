import { pino } from 'pino';
import type { Config } from '../config/config.js';
import { readConfig } from '../config/config.js';
import { directUrl } from '../config/database-hosts.js';
import { migrationState } from '../database/migrate.js';
import { type OpenDatabase, openDatabase } from '../database/open.js';
import { DatabaseUnusable } from '../database/unusable.js';
import { missingFile } from '../database/url.js';
import type { Context, Services } from '../services/core/context.js';
import type { HeldRight } from '../services/core/held-rights.js';
import { adminRoles } from '../services/core/permissions.js';
import { sealingKeys } from '../services/core/seal.js';
import { limitHashing } from '../services/credentials/hashing.js';
import { masterId, masterName } from '../services/realms/defaults/master.js';
import { requireKey } from '../services/secrets-key/check.js';
import { createServices } from '../services/services.js';
import { createLog } from '../telemetry/log.js';

/** The reason why a database cannot be used with this version. */
export const pendingText = ({ databaseUrl }: Config, pending: readonly string[]): string =>
  missingFile(databaseUrl) ??
  `The database needs ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}.`;
export const pendingRemedy = 'Run `realmgate migrate`, or start the service, which applies them.';

/**
 * Opens the database of the settings for a command, and closes it after `work`. Throws ConfigError, and
 * DatabaseUnusable if migrations are pending.
 */
export async function withDatabase<T>(work: (database: OpenDatabase, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const { pending } = await migrationState(directUrl(config));
  if (pending.length > 0) throw new DatabaseUnusable(`${pendingText(config, pending)} ${pendingRemedy}`);
  const database = await openDatabase(config);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/**
 * Runs `work` with the services of a process that serves no requests, on the database of `withDatabase`. Throws the
 * errors of `withDatabase`.
 */
export const withServices = <T>(work: (services: Services) => Promise<T>): Promise<T> =>
  withDatabase(async (database, config) => {
    limitHashing(config.hashThreads);
    const sealed = await requireKey(database, sealingKeys(config));
    const log = createLog(config, pino.destination(2));
    const stopping = new AbortController().signal;
    return work(createServices({ config, database, log, now: Date.now, stopping }, sealed));
  });

/** A user who can run a command can write to the database anyway. */
const allRights: HeldRight[] = ['admin', 'create-realm', ...adminRoles].map((right) => ({
  right,
  name: right,
  client: null,
}));

/**
 * A context with the operator on the command line as caller: not a user, with all rights in the master realm. Audit
 * records have `command-line` as the user.
 */
export const operatorContext = (services: Services): Context => ({
  services: { ...services, rights: { get: async () => allRights, peek: () => allRights } },
  caller: {
    userId: 'command-line',
    username: 'command-line',
    realmId: masterId,
    realmName: masterName,
    clientId: 'admin-cli',
    tokenRoles: {},
    realmRoles: [],
  },
  requestId: 'command-line',
  ipAddress: '127.0.0.1',
  baseUrl: `${services.config.publicUrl ?? `http://localhost:${services.config.port}`}/auth`,
  permits: new Map(),
  unit: undefined,
  db: services.database.read,
  loaders: new Map(),
});
