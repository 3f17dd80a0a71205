import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { warnOfSettings } from '../config/warnings.js';
import type { Database } from '../database/db.js';
import { alignPositions } from '../database/event-positions.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import { startRelay } from '../services/core/change-relay.js';
import type { Services } from '../services/core/context.js';
import { createFeed } from '../services/core/feed.js';
import { fetchPublic } from '../services/core/fetch-public.js';
import { createRightsCache } from '../services/core/permit.js';
import { createSealer, sealingKeys } from '../services/core/seal.js';
import { useBlacklistsOf } from '../services/credentials/blacklists.js';
import { limitHashing } from '../services/credentials/hashing.js';
import { startHousekeeping } from '../services/housekeeping.js';
import { createKeyring } from '../services/keys/keyring.js';
import { trustAuthorities } from '../services/ldap/connection.js';
import { accessRules } from '../services/permissions/entitled.js';
import { bootstrap } from '../services/realms/bootstrap.js';
import { createRealmCache } from '../services/realms/cache.js';
import { requireKey, type SealedForm } from '../services/secrets-key/check.js';
import { createTouches } from '../services/sessions/touch.js';
import { rememberReads } from '../services/user-storage/read/reads.js';
import { startPeriodicSync } from '../services/user-storage/sync/periodic.js';
import { startWebhooks } from '../services/webhooks/worker.js';
import { requestListeners } from './dispatch.js';
import { addressOf, connections, drain, listen } from './listening.js';
import { listenForMetrics } from './metrics-access.js';
import { onUpgrade } from './upgrade.js';

export interface RunningServer {
  url: string;
  port: number;
  database: Database;
  services: Services;
  /** the administrator's password when it was made up at this start */
  generatedPassword?: string;
  /** Stops accepting, lets running requests end within the time of SHUTDOWN_TIMEOUT, closes the database. */
  close(): Promise<void>;
}

/**
 * Migrates the database, makes sure that there is a master realm with an administrator, and serves. `now` is the clock of
 * everything, in milliseconds since 1970.
 */
export async function startServer(config: Config, now: () => number = Date.now): Promise<RunningServer> {
  const log = pino({ level: config.logLevel, base: undefined });
  if (!cluster.isWorker) warnOfSettings(config, log);
  const applied = await migrate(config.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const database = await openDatabase(config);
  const sealed = await requireKey(database, sealingKeys(config)).catch((error) =>
    database.close().then(() => Promise.reject(error)),
  );
  limitHashing(config.hashThreads);
  useBlacklistsOf(config.passwordBlacklists);
  trustAuthorities(config.ldapAuthorities);
  const stopping = new AbortController();
  // each subscription listens
  setMaxListeners(0, stopping.signal);
  const services = createServices({ config, database, log, now, stopping: stopping.signal }, sealed);
  await alignPositions(database);
  const [{ generatedPassword }, stopRelay] = await Promise.all([bootstrap(services), startRelay(services)]);
  const stopHousekeeping = startHousekeeping(services);
  const stopWebhooks = startWebhooks(services);
  const stopPeriodicSync = startPeriodicSync(services);
  const listeners = requestListeners(services);
  const server = createServer(connections(config), listeners.request);
  onUpgrade(server, listeners.upgrade);
  const metricsServer = await listenForMetrics(config, listeners.readMetrics);
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  return {
    url: addressOf(config, port),
    port,
    database,
    services,
    ...(generatedPassword !== undefined && { generatedPassword }),
    async close() {
      stopping.abort();
      stopHousekeeping();
      const servers = [server, ...(metricsServer ? [metricsServer] : [])];
      const drained = servers.map((one) => drain(one, config.shutdownTimeout));
      await Promise.all([...drained, stopWebhooks(), stopPeriodicSync()]);
      await stopRelay();
      await services.sessions
        .flush()
        .catch((error) => log.warn({ err: error }, 'the last use of sessions could not be stored'));
      await database.close();
    },
  };
}

/** Does what `startServer` does before it serves, for other processes that will serve. */
export async function prepareDatabase(config: Config, log: Logger): Promise<{ generatedPassword?: string }> {
  warnOfSettings(config, log);
  const applied = await migrate(config.databaseUrl);
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const database = await openDatabase(config);
  try {
    const sealed = await requireKey(database, sealingKeys(config));
    const stopping = new AbortController().signal;
    return await bootstrap(createServices({ config, database, log, now: Date.now, stopping }, sealed));
  } finally {
    await database.close();
  }
}

type Given = Pick<Services, 'config' | 'database' | 'log' | 'now' | 'stopping'>;

function createServices({ config, database, log, now, stopping }: Given, { opensUnbound }: SealedForm): Services {
  const feed = createFeed((error) => log.error({ err: error }, 'a listener of the change feed failed'));
  const sealer = createSealer(sealingKeys(config), {
    opensUnbound,
    onRefused: ({ model, field, id }, reason) =>
      log.error({ model, field, id, reason }, 'a stored secret cannot be used'),
  });
  const keyring = createKeyring({
    database,
    sealer,
    now,
    onUnusable: (component, reason) => log.warn({ component, reason }, 'a key provider cannot be used'),
  });
  return {
    config,
    database,
    sealer,
    log,
    feed,
    rights: createRightsCache(feed, now),
    access: accessRules,
    keyring,
    sessions: createTouches({ database, log }),
    peopleRead: rememberReads(feed, now),
    realms: createRealmCache(feed, now),
    fetchPublic: fetchPublic({ privateAddresses: config.fetchPrivateAddresses, allowed: config.fetchAllowedNetworks }),
    stopping,
    now,
    newId: randomUUID,
  };
}
