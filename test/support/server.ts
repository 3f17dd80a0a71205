import { type Config, readConfig } from '../../src/config/config.js';
import { startServer as startRealServer } from '../../src/http/server.js';
import { atEndOfFile, freshDatabaseUrl, preparedDatabaseUrl } from './database.js';
import { noteClock } from './statements.js';

export { slowClock, slowClockAhead } from './slow-clock.js';

export type TestServer = Awaited<ReturnType<typeof startRealServer>>;

/** Name and password of the administrator of every test server. */
export const admin = { username: 'admin', password: 'admin' } as const;

/** Settings that count when the master realm is made. */
const bootstrapOptions: readonly (keyof Config)[] = ['adminUsername', 'adminPassword', 'secretsKey'];

/**
 * Starts the service in this process, on a free port of this machine and, unless `options` names a database, on a
 * new one. It is closed at the end of the test file; a test may close it earlier.
 */
export async function startServer(options: Partial<Config> = {}, now: () => number = Date.now): Promise<TestServer> {
  const databaseUrl =
    options.databaseUrl ??
    (await (bootstrapOptions.some((name) => name in options) ? freshDatabaseUrl() : preparedDatabaseUrl()));
  const defaults = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    LOG_LEVEL: 'fatal',
    SQLITE_SYNCHRONOUS: 'NORMAL',
    SHUTDOWN_TIMEOUT: '1',
  });
  const server = await startRealServer({ ...defaults, ...options, databaseUrl }, now);
  noteClock(server.database, now);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  atEndOfFile(close);
  return { ...server, close };
}
