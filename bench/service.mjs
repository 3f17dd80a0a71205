// The built service as its own process on a fresh database, for the measurements.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgresql } from '../test/support/postgresql.mjs';
import { freePort } from '../tools/free-port.mjs';

/** The folder of the project. */
export const project = fileURLToPath(new URL('..', import.meta.url));

const secondsToStart = 60;

/**
 * An empty database that keeps what is committed through a power cut, as in production.
 * @param {'sqlite' | 'postgresql'} dialect
 * @param {{ preload?: string }} [options] preload: the library that all processes of PostgreSQL load
 * @returns {Promise<{ url: string, pids: () => number[], stop: () => Promise<void> }>}
 */
export async function startDatabase(dialect, { preload } = {}) {
  if (dialect === 'postgresql') {
    const cluster = await startPostgresql({ durable: true, preload });
    return { url: cluster.url, pids: () => [cluster.pid()], stop: () => cluster.stop() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-bench-'));
  return {
    url: `file:${join(folder, 'realmgate.db')}`,
    pids: () => [],
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * The environment of a service on this database, on a free port.
 * @param {string} databaseUrl
 */
export async function environment(databaseUrl) {
  return {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    ADMIN_USERNAME: 'admin',
    ADMIN_PASSWORD: 'admin',
    LOG_LEVEL: 'warn',
  };
}

/**
 * Starts the service and waits until it answers.
 * @param {NodeJS.ProcessEnv} env from `environment`
 * @param {string} [folder] with another build
 * @returns {Promise<{ pid: number, stop: () => Promise<void> }>}
 */
export async function startService(env, folder = project) {
  // a profile tells the modules apart, which a program has in few files
  const program = /--inspect/.test(env.NODE_OPTIONS ?? '') ? 'build/main.js' : 'dist/main.js';
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    process.off('exit', killAtExit);
    child.kill('SIGTERM');
    if (!ended()) await once(child, 'exit');
  };
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/health/ready`).catch(() => undefined);
    if (answer?.ok) return { pid: child.pid, stop };
    if (ended()) throw new Error('The service ended before it was ready.');
    if (tries > secondsToStart * 20) {
      await stop();
      throw new Error(`The service was not ready in ${secondsToStart} seconds.`);
    }
    await sleep(50);
  }
}
