import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { warnOfSettings } from '../config/warnings.js';
import type { Database } from '../database/db.js';
import { alignPositions } from '../database/event-positions.js';
import { migrate } from '../database/migrate.js';
import { openDatabase } from '../database/open.js';
import type { GraphqlHandler } from '../graph/server.js';
import { restHandler } from '../rest/handle.js';
import { openidEndpoints } from '../rest/openid.js';
import { routes } from '../rest/routes.js';
import { startRelay } from '../services/core/change-relay.js';
import type { Services } from '../services/core/context.js';
import { createFeed } from '../services/core/feed.js';
import { fetchPublic } from '../services/core/fetch-public.js';
import { createRightsCache } from '../services/core/permit.js';
import { createRealmScopedCache } from '../services/core/scoped-cache.js';
import { createSealer, sealingKeys } from '../services/core/seal.js';
import { useBlacklistsOf } from '../services/credentials/blacklists.js';
import { limitHashing } from '../services/credentials/hashing.js';
import { startHousekeeping } from '../services/housekeeping.js';
import { createKeyring } from '../services/keys/keyring.js';
import { trustAuthorities } from '../services/ldap/connection.js';
import { accessRules } from '../services/permissions/access.js';
import { bootstrap } from '../services/realms/bootstrap.js';
import { createRealmCache } from '../services/realms/cache.js';
import { requireKey, type SealedForm } from '../services/secrets-key/check.js';
import { createTouches } from '../services/sessions/touch.js';
import { publishedKeys } from '../services/tokens/client-keys.js';
import type { Parties, SessionInUse } from '../services/tokens/types.js';
import { createBearerVerifier } from '../services/tokens/verify.js';
import { rememberReads } from '../services/user-storage/read/reads.js';
import { startPeriodicSync } from '../services/user-storage/sync/periodic.js';
import { startWebhooks } from '../services/webhooks/worker.js';
import { type Answer, unavailable } from './answer.js';
import { authenticator, requestIdOf } from './authenticate.js';
import { failure } from './errors.js';
import { metricsAnswer } from './health.js';
import { hostObjection, unclearHost } from './host-header.js';
import { addressOf, connections, drain, listen } from './listening.js';
import { createMetrics } from './metrics.js';
import { listenForMetrics } from './metrics-access.js';
import { fixedPages } from './pages.js';
import { createRequestLimiter } from './request-limiter.js';
import { gone, send } from './send.js';
import { onUpgrade, refuseUpgrade } from './upgrade.js';

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
  const listeners = await requestListener(services);
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

async function requestListener(services: ReturnType<typeof createServices>) {
  const { log, database, sealer, keyring, now, feed } = services;
  const tokens = {
    database,
    sealer,
    keyring,
    now,
    newId: services.newId,
    touches: services.sessions,
    peopleRead: services.peopleRead,
    feed,
    parties: createRealmScopedCache<Parties>(feed, now, ({ realm }) => realm.id),
    sessionsInUse: createRealmScopedCache<SessionInUse | undefined>(feed, now, (found) => found?.session.realmId),
    publishedKeys: publishedKeys(services.fetchPublic),
    fetchPublic: services.fetchPublic,
    config: services.config,
  };
  const verifier = createBearerVerifier(tokens);
  feed.subscribe(({ realmId, touches }) => {
    if (touches.some((key) => /^(realm|client|keys):/.test(key))) verifier.forgetTokens(realmId);
    for (const key of touches) if (key.startsWith('user:')) verifier.recheckUser(key.slice('user:'.length));
    if (touches.some((key) => key.startsWith('keys:') || key.startsWith('realm:'))) keyring.forget(realmId);
  });
  const authenticate = authenticator(services, verifier);
  const limiter = createRequestLimiter(services.config);
  const rest = restHandler(services, routes, authenticate, limiter);
  const openid = openidEndpoints(withFormLimit(services), tokens, verifier);
  const metrics = createMetrics(() => database.statements());
  let graphql: Promise<GraphqlHandler> | undefined;
  // built with the first request, so that a start does not wait for it
  const graphqlSurface = (): Promise<GraphqlHandler> =>
    (graphql ??= import('../graph/server.js').then((module) => module.graphqlHandler(services, authenticate, limiter)));
  const readMetrics = () => metricsAnswer(metrics, limiter);
  const page = fixedPages(services, readMetrics);

  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const unclear = hostObjection(message);
    if (unclear) {
      send(response, unclearHost(unclear));
      return;
    }
    const [path = '/', search = ''] = (message.url ?? '/').split('?', 2);
    const started = performance.now();
    const done = (surface: string, operation: string, status: number) => {
      const elapsed = performance.now() - started;
      metrics.answered(surface, operation, status, elapsed / 1000);
      log.debug(
        { requestId: requestIdOf(message), method: message.method, path, operation, status, ms: elapsed },
        'answered',
      );
    };
    response.setHeader('x-request-id', requestIdOf(message));
    const answered = (surface: string, operation: string, answer: Answer): void => {
      send(response, answer, message.method === 'HEAD');
      done(surface, operation, response.headersSent ? answer.status : gone.status);
    };
    const fixed = message.method === 'GET' || message.method === 'HEAD' ? await page(path, message) : undefined;
    if (fixed) return answered('page', path, fixed);
    const surface = surfaceOf(path);
    if (!surface) return answered('page', 'unknown', { status: 404, body: { error: 'Not found' } });

    const work: Record<Surface, () => Promise<void>> = {
      async graphql() {
        answered(surface, 'graphql', await (await graphqlSurface()).answer(message, response));
      },
      async openid() {
        answered(surface, endpointOf(path), await openid(message, path));
      },
      async rest() {
        const { operation, status } = await rest(message, response, path, search);
        done(surface, operation, status);
      },
    };
    try {
      await limiter.run(message, response, work[surface]);
    } catch (error) {
      answered(surface, 'unknown', inFormOf(surface, failure(error, log, requestIdOf(message))));
    }
  };

  const request = (message: IncomingMessage, response: ServerResponse): void => {
    respond(message, response)
      .catch((error) => send(response, failure(error, log, requestIdOf(message))))
      .finally(() => {
        // an answer ahead of the end of the body: the rest of it is passed over, also by a reader that has started
        if (!message.complete) message.removeAllListeners('readable').resume();
        // one that goes on sees to that by itself
        if (response.writableEnded) limiter.watchDelivery(response);
      });
  };
  const upgrade = (message: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const isPlaceOf = () => surfaceOf(message.url?.split('?', 1)[0] ?? '/') === 'graphql';
    const refusal = hostObjection(message) ? '400 Bad Request' : isPlaceOf() ? undefined : '404 Not Found';
    if (refusal) {
      refuseUpgrade(socket, refusal);
      return;
    }
    graphqlSurface().then(
      (surface) => surface.upgrade(message, socket, head),
      () => socket.destroy(),
    );
  };
  return { request, upgrade, readMetrics };
}

type Surface = 'graphql' | 'openid' | 'rest';

/** Name of an endpoint for metrics; not the ids that stand in paths, of which there is no end. */
const endpointOf = (path: string): string =>
  /\/(clients-registrations|authz\/protection)\//.exec(path)?.[1] ?? path.split('/').at(-1) ?? '';

function surfaceOf(path: string): Surface | undefined {
  if (path === '/graphql') return 'graphql';
  if (path.startsWith('/auth/realms/')) return 'openid';
  return path === '/auth' || path.startsWith('/auth/') ? 'rest' : undefined;
}

/** Tells in the form of each surface that it cannot serve now; other failures have the contract's form already. */
function inFormOf(surface: Surface, answer: Answer): Answer {
  if (answer.status !== unavailable.status || surface === 'rest') return answer;
  const { errorMessage: message } = answer.body as { errorMessage: string };
  const body =
    surface === 'openid'
      ? { error: 'temporarily_unavailable', error_description: message }
      : { errors: [{ message, extensions: { code: 'BUSY' } }] };
  return { ...answer, body };
}

/** Largest body of a token request, in bytes: less than node:http takes in unasked, so that it is there when it is read. */
const formLimit = 15 * 1024;

const withFormLimit = (services: Services): Services => ({
  ...services,
  config: { ...services.config, bodyLimit: Math.min(services.config.bodyLimit, formLimit) },
});
