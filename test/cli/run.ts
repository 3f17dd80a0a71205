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
 * The command reads `input` from the standard input.
 */
export async function realmgate(args: string[], given: Record<string, string>, input = ''): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', ...given };
  const warm = warmCommand();
  if (warm.isBusy) return inOwnProcess(args, env, input);
  const { child } = warm;
  const ending = new AbortController();
  // output that the command writes without the streams of Node.js, such as a log
  const printed = printedBy(child, ending.signal);
  warm.isBusy = true;
  try {
    const answered = once(child, 'message', ending);
    const ended = once(child, 'exit', ending).then(([status]) => [{ status: status ?? 1, output: '', errors: '' }]);
    child.send({ args, env, input });
    const [{ status, output, errors }] = (await Promise.race([answered, ended])) as [Ended];
    return { status, output: output + printed.output, errors: errors + printed.errors };
  } finally {
    warm.isBusy = false;
    ending.abort();
  }
}

function warmCommand(): { child: ChildProcess; isBusy: boolean } {
  const warm = worker.warmCommand;
  if (warm?.child.connected) return warm;
  const script = fileURLToPath(new URL('warm.mjs', import.meta.url));
  const { PATH = '', HOME = '' } = process.env;
  // the options of the worker are about its own modules
  const child = fork(script, [commandFile], { silent: true, execArgv: [], env: { PATH, HOME } });
  child.unref();
  child.channel?.unref();
  worker.warmCommand = { child, isBusy: false };
  return worker.warmCommand;
}

/** Runs `realmgate` in a process that it has for itself. */
async function inOwnProcess(args: string[], env: Record<string, string>, input: string): Promise<Ended> {
  const child = spawn(process.execPath, [commandFile, ...args], { env });
  const printed = printedBy(child);
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number];
  return { status, ...printed };
}

/** The texts that a process writes from now on, until the signal. */
function printedBy(child: ChildProcess, until?: AbortSignal): { output: string; errors: string } {
  const texts = { output: '', errors: '' };
  const onOutput = (chunk: Buffer) => (texts.output += chunk.toString());
  const onErrors = (chunk: Buffer) => (texts.errors += chunk.toString());
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onErrors);
  until?.addEventListener('abort', () => {
    child.stdout?.off('data', onOutput);
    child.stderr?.off('data', onErrors);
  });
  return texts;
}

/** A port that nobody listens on. */
export const closedPort = (): Promise<number> => freePort();
