import cluster from 'node:cluster';
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { directUrl } from '../config/database-hosts.js';
import { warnOfSettings } from '../config/warnings.js';
import { watchStatements } from '../database/database-outages.js';
import type { Database } from '../database/db.js';
import { alignPositions } from '../database/event-positions.js';
import { Fence } from '../database/fence.js';
import { logFence } from '../database/fence-log.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import { startAuditFile } from '../services/audit/file-lines.js';
import { startAuditChain } from '../services/audit/sealing.js';
import { startRelay } from '../services/core/change-relay.js';
import type { Services } from '../services/core/context.js';
import { sealingKeys } from '../services/core/seal.js';
import { useBlacklistsOf } from '../services/credentials/blacklists.js';
import { limitHashing } from '../services/credentials/hashing.js';
import { startHousekeeping } from '../services/housekeeping.js';
import { trustAuthorities } from '../services/ldap/connection.js';
import { bootstrap } from '../services/realms/bootstrap.js';
import { requireKey } from '../services/secrets-key/check.js';
import { createServices } from '../services/services.js';
import { startPeriodicSync } from '../services/user-storage/sync/periodic.js';
import { startWebhooks } from '../services/webhooks/worker.js';
import { createLog } from '../telemetry/log.js';
import { startTelemetry } from '../telemetry/start.js';
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
  /** Stops accepting after a delay, lets running requests end within the time of SHUTDOWN_TIMEOUT, closes the database. */
  close(closing?: Closing): Promise<void>;
}

/** How a server closes. */
export interface Closing {
  /** seconds in which it is not ready and still serves, so that proxies stop sending requests; default: 0 */
  readonly delay?: number;
  /** ends the delay */
  readonly hurry?: AbortSignal;
}

/**
 * Migrates the database, makes sure that there is a master realm with an administrator, and serves. `now` is the clock of
 * everything, in milliseconds since 1970.
 */
export async function startServer(config: Config, now: () => number = Date.now): Promise<RunningServer> {
  const log = createLog(config);
  if (!cluster.isWorker) warnOfSettings(config, log);
  const telemetry = await startTelemetry(config, log);
  const statements = watchStatements(log);
  const fence = new Fence(logFence(log));
  const applied = await migrate(directUrl(config), { fence });
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const database = await openDatabase(config, { fence, watch: statements });
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
  const [{ generatedPassword }, stopRelay] = await Promise.all([bootstrap(services), startRelay(services, fence)]);
  const stopHousekeeping = startHousekeeping(services);
  const stopWebhooks = startWebhooks(services);
  const stopAuditFile = startAuditFile(services);
  const stopAuditChain = startAuditChain(services);
  const stopPeriodicSync = startPeriodicSync(services);
  let isDraining = false;
  const listeners = requestListeners(services, { isDraining: () => isDraining, takesWrites: statements.takesWrites });
  telemetry.exportMetrics(listeners.metricValues);
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
    async close({ delay = 0, hurry }: Closing = {}) {
      isDraining = true;
      if (delay > 0) await sleep(delay * 1000, undefined, { signal: hurry }).catch(() => undefined);
      stopping.abort();
      stopHousekeeping();
      const servers = [server, ...(metricsServer ? [metricsServer] : [])];
      const drained = servers.map((one) => drain(one, config.shutdownTimeout, { isBehindProxy: delay > 0 }));
      await Promise.all([...drained, stopWebhooks(), stopAuditFile(), stopAuditChain(), stopPeriodicSync()]);
      await stopRelay();
      await services.sessions
        .flush()
        .catch((error) => log.warn({ err: error }, 'the last use of sessions could not be stored'));
      await database.close();
      await telemetry.stop();
    },
  };
}

/** Does what `startServer` does before it serves, for other processes that will serve. */
export async function prepareDatabase(config: Config, log: Logger): Promise<{ generatedPassword?: string }> {
  warnOfSettings(config, log);
  const statements = watchStatements(log);
  const fence = new Fence(logFence(log));
  const applied = await migrate(directUrl(config), { fence });
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const database = await openDatabase(config, { fence, watch: statements });
  try {
    const sealed = await requireKey(database, sealingKeys(config));
    const stopping = new AbortController().signal;
    return await bootstrap(createServices({ config, database, log, now: Date.now, stopping }, sealed));
  } finally {
    await database.close();
  }
}
