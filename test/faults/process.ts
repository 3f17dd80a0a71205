import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { atEndOfFile } from '../support/database.js';
import { admin } from '../support/server.js';
import { startedUrl } from '../support/started.mjs';

/** The built server as a process of its own. */
export interface ServerProcess {
  url: string;
  /** Ends it without a chance to tidy up, and waits until it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts the built server on this database and waits until it is ready. It ends with the test file at the latest. `within` is a
 * command that runs the one after it.
 */
export async function startProcess(
  databaseUrl: string,
  { settings = {}, within = [] }: { settings?: Record<string, string>; within?: readonly string[] } = {},
): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'fatal' };
  const [program = '', ...args] = [...within, 'node', 'dist/main.js'];
  const child = spawn(program, args, { env: { ...env, ADMIN_PASSWORD: admin.password, ...settings } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const kill = () => killed(child);
  atEndOfFile(kill);
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  await vi.waitUntil(() => startedUrl(output) !== undefined || ended(), { timeout: 20_000 });
  if (ended()) throw new Error(`the server ended: ${output}`);
  return { url: startedUrl(output) ?? '', kill };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
