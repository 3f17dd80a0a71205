import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { atEndOfFile } from './database.js';
import { startedUrl } from './started.mjs';

/** The built server as its own process, as `npm start` runs it. */
export interface Run {
  process: ChildProcess;
  output: () => string;
  /** Its status once it has ended and all that it wrote is in `output`. */
  closed: Promise<number | null>;
}

/** Starts it, or what `script` is, on a free port of this machine. What runs at the end of the test file is ended. */
export const start = (env: Record<string, string>, script = 'dist/main.js'): Run => startCommand('node', [script], env);

/** Starts a command that starts the server. */
export function startCommand(command: string, args: string[], env: Record<string, string>): Run {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, HOME, HOST: '127.0.0.1', PORT: '0', SHUTDOWN_DELAY: '0', ...env },
  });
  atEndOfFile(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const closed = once(child, 'close').then(([status]) => status as number | null);
  return { process: child, output: () => text, closed };
}

/** The status it ends with; null when a signal ended it. Its output is complete then. */
export const ended = ({ closed }: Run): Promise<number | null> => closed;

/** The address of the server, once it serves. Fails if the process ends before. */
export async function ready(run: Run): Promise<string> {
  const { process: child, output } = run;
  // how long a start takes depends on what else the machine does
  while (startedUrl(output()) === undefined && child.exitCode === null && child.signalCode === null) await sleep(20);
  expect(output()).toContain('Realmgate is ready');
  return startedUrl(output()) ?? '';
}
