import { type ChildProcess, fork, spawn } from 'node:child_process';
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

/** A process of this worker that has loaded the command and runs one after another. */
const worker = globalThis as { warmCommand?: { child: ChildProcess; isBusy: boolean } };

/**
 * Runs `realmgate` with these arguments to its end: in a process that has run others before, or in one of its own if that is busy.
 * `input` is what it reads from the standard input.
 */
export async function realmgate(args: string[], given: Record<string, string>, input = ''): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', ...given };
  const warm = warmCommand();
  if (warm.isBusy) return inOwnProcess(args, env, input);
  const { child } = warm;
  const printed = { output: '', errors: '' };
  // what is written to the descriptors without the streams of Node.js, such as a log
  const onOutput = (chunk: Buffer) => (printed.output += chunk.toString());
  const onErrors = (chunk: Buffer) => (printed.errors += chunk.toString());
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onErrors);
  warm.isBusy = true;
  try {
    child.send({ args, env, input });
    const [answer] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => [{ status: child.exitCode ?? 1, output: '', errors: '' }]),
    ])) as [Ended];
    return {
      status: answer.status,
      output: answer.output + printed.output,
      errors: answer.errors + printed.errors,
    };
  } finally {
    warm.isBusy = false;
    child.stdout?.off('data', onOutput);
    child.stderr?.off('data', onErrors);
  }
}

function warmCommand(): { child: ChildProcess; isBusy: boolean } {
  const warm = worker.warmCommand;
  if (warm?.child.connected) return warm;
  const script = fileURLToPath(new URL('warm.mjs', import.meta.url));
  const { PATH = '', HOME = '' } = process.env;
  // the options of the worker are about its own modules
  const options = { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] as never, execArgv: [], env: { PATH, HOME } };
  const child = fork(script, [commandFile], options);
  child.unref();
  child.channel?.unref();
  worker.warmCommand = { child, isBusy: false };
  return worker.warmCommand;
}

/** Runs `realmgate` in a process that it has for itself. */
async function inOwnProcess(args: string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [commandFile, ...args], { env });
  const texts = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.errors += chunk.toString()));
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...texts };
}

/** A port that nobody listens on. */
export const closedPort = (): Promise<number> => freePort();
