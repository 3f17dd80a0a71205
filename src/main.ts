import { ConfigError, readConfig } from './config/config.js';
import { DatabaseUnusable } from './database/unusable.js';
import { startServer } from './http/server.js';
import { isWorker, startsWorkers, startWorkers, WorkerFailed } from './http/workers.js';

/** A mistake of the operator is told in one sentence; anything else with its stack. */
function stop(error: unknown): never {
  const known = [ConfigError, DatabaseUnusable, WorkerFailed].some((kind) => error instanceof kind);
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (inUse) console.error('PORT must be a free port, but another program listens on it.');
  else console.error(known ? (error as Error).message : error);
  process.exit(1);
}

/** npx passes a signal to a shell between it and this process, which ends without passing it on. Calls `end` when that shell is gone. */
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
  const stopFor = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    server.close().then(
      () => process.exit(0),
      (error) => stop(error),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopFor(signal));
  onEndOfNpx(() => stopFor('end of npx'));
  if (!isWorker()) {
    const password = server.generatedPassword;
    console.log(`Realmgate is ready.
  Start       ${server.url}/
  GraphiQL    ${server.url}/graphql
  REST        ${server.url}/auth
  OpenAPI     ${server.url}/auth/openapi.json
  Health      ${server.url}/health/ready${
    password === undefined ? '' : `\n  Administrator: ${config.adminUsername}, password: ${password} (shown only now)`
  }`);
  }
} catch (error) {
  stop(error);
}
