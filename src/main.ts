import { type Logger, pino } from 'pino';
import { type Config, ConfigError, readConfig } from './config/config.js';
import { version } from './config/project.js';
import { DatabaseUnusable } from './database/unusable.js';
import { shownUrl } from './database/url.js';
import { startServer } from './http/server.js';
import { isWorker, startsWorkers, startWorkers, WorkerFailed } from './http/workers.js';
import { createLog } from './telemetry/log.js';

const isInUse = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Reports a mistake of the operator in one sentence; any other error with its stack. */
function stop(error: unknown): never {
  const isTold = [ConfigError, DatabaseUnusable, WorkerFailed].some((kind) => error instanceof kind) || isInUse(error);
  const message = error instanceof Error ? error.message : String(error);
  const sentence = isInUse(error) ? 'PORT must be a free port, but another program listens on it.' : message;
  if (!process.stderr.isTTY)
    createLog({ logLevel: 'fatal' }, pino.destination({ dest: 2, sync: true })).fatal(
      isTold ? {} : { err: error },
      sentence,
    );
  else console.error(isTold ? sentence : error);
  process.exit(1);
}

/**
 * Reports that the service is ready, and the password generated at this start: as text on a terminal, otherwise in the
 * log.
 */
function tellReady(
  config: Config,
  log: Logger,
  { url, generatedPassword }: { url: string; generatedPassword?: string },
): void {
  if (process.stdout.isTTY) {
    console.log(`Realmgate is ready.
  Start       ${url}/
  GraphiQL    ${url}/graphql
  REST        ${url}/auth
  OpenAPI     ${url}/auth/openapi.json
  Health      ${url}/health/ready${
    generatedPassword === undefined
      ? ''
      : `\n  Administrator: ${config.adminUsername}, password: ${generatedPassword} (shown only now)`
  }`);
    return;
  }
  if (config.logLevel === 'silent') return;
  // at every log level except silent
  const always = log.child({}, { level: 'info' });
  const { host, port, adminUsername, workers } = config;
  const database = shownUrl(config.databaseUrl);
  // logged before the line below: a program that waits for that line has already read this one
  if (generatedPassword !== undefined)
    always.warn(
      { username: adminUsername, generatedPassword },
      'an administrator was created; the password is shown only now',
    );
  always.info({ version, node: process.versions.node, host, port, workers, database, url }, 'Realmgate is ready');
}

/**
 * npx passes a signal to a shell between it and this process, which ends without passing it on. Calls `end` when that
 * shell has ended.
 */
function onEndOfNpx(end: () => void): void {
  if (process.env['npm_command'] !== 'exec') return;
  const { ppid } = process;
  setInterval(() => {
    if (process.ppid !== ppid) end();
  }, 250).unref();
}

try {
  const config = readConfig(process.env);
  const server = startsWorkers(config) ? await startWorkers(config) : await startServer(config);
  const log = 'log' in server ? server.log : server.services.log;
  let stopping = false;
  const hurry = new AbortController();
  const stopFor = (signal: string): void => {
    // systemd sends SIGTERM to the workers as well: a second SIGTERM does not skip the delay
    if (signal === 'SIGINT') hurry.abort();
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const delay = hurry.signal.aborted ? 0 : config.shutdownDelay;
    server.close({ delay, hurry: hurry.signal }).then(
      () => process.exit(0),
      (error) => stop(error),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopFor(signal));
  onEndOfNpx(() => stopFor('end of npx'));
  if (!isWorker()) tellReady(config, log, server);
} catch (error) {
  stop(error);
}
