import { createInterface } from 'node:readline/promises';

/** Whether a person can read a question and answer it. */
export const isInteractive = (): boolean => Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** Asks a question on the terminal; only `y` and `yes` mean agreement. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question(`${question} y/N `), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
