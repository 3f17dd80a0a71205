import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile } from '../support/database.js';

/** A shell in which the commands of a document run one after the other, as a reader pastes them. */
export interface Shell {
  /** Runs commands to their end. */
  run(commands: string): Promise<Ended>;
  /** Runs commands that serve until they are stopped, while `work` runs. */
  beside(commands: string, env: Record<string, string>, work: () => Promise<void>): Promise<void>;
}

interface Ended {
  status: number;
  output: string;
  errors: string;
}

const end = '\u0001';

/** A shell in this folder. It fails at the first command that fails, also within a pipe. */
export function openShell(folder: string, env: Record<string, string>): Shell {
  let shell = spawned();
  let count = 0;

  function spawned() {
    const child = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env });
    atEndOfFile(() => void child.kill('SIGKILL'));
    child.stdin.on('error', () => undefined); // a command has ended the shell
    return child;
  }

  return {
    async run(commands) {
      const file = join(folder, `.block-${count++}`);
      writeFileSync(file, `${commands}\n`);
      const ended = { status: 0, output: '', errors: '' };
      const child = shell;
      const done = new Promise<void>((resolve) => {
        child.stdout.removeAllListeners('data').on('data', (chunk: Buffer) => {
          ended.output += chunk.toString();
          if (ended.output.endsWith(end)) resolve();
        });
        child.stderr.removeAllListeners('data').on('data', (chunk: Buffer) => (ended.errors += chunk.toString()));
      });
      const closed = once(child, 'close').then(([status]) => {
        ended.status = status ?? 1;
      });
      child.stdin.write(`set -euo pipefail; . ${file} </dev/null; printf '\\001'\n`);
      await Promise.race([done, closed]);
      if (ended.status !== 0) shell = spawned();
      return { ...ended, output: ended.output.replace(end, '') };
    },

    async beside(commands, more, work) {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
        cwd: folder,
        env: { ...env, ...more },
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const stop = (signal: NodeJS.Signals) => {
        const isRunning = child.exitCode === null && child.signalCode === null;
        if (child.pid !== undefined && isRunning) process.kill(-child.pid, signal);
      };
      atEndOfFile(() => stop('SIGKILL'));
      const closed = once(child, 'close');
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      await Promise.race([work(), closed.then(() => Promise.reject(new Error(`It has ended: ${errors}`)))]);
      stop('SIGTERM');
      await closed;
    },
  };
}
