import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../tools/free-port.mjs';

/** What a command has printed, and the status it ended with. */
export interface Ended {
  status: number;
  output: string;
  errors: string;
}

/** The file of the command `realmgate`. */
export const commandFile = fileURLToPath(new URL('../../dist/cli/realmgate.js', import.meta.url));

/** Runs `realmgate` with these arguments to its end. `input` is what it reads from the standard input. */
export async function realmgate(args: string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [commandFile, ...args], { env: { PATH, HOME, HOST: '127.0.0.1', ...env } });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.errors += chunk.toString()));
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...texts };
}

/** A port that nobody listens on. */
export const closedPort = (): Promise<number> => freePort();
