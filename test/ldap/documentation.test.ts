import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { directoryWith, group, hasSlapd, person, personDn } from './directory.js';

const page = readFileSync('docs/directories.md', 'utf8');

/** The commands of the page, each with what it says that they print. */
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)].map(
  ([, command = '', output]) => ({ command, output }),
);

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version']);
    return true;
  } catch {
    return false;
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What is printed, with any text in place of `…`. */
const printed = (output: string) => new RegExp(`^${output.trim().split('…').map(escaped).join('[\\s\\S]*')}$`);

describe.skipIf(!hasSlapd || !hasCurl())('the page about directories', () => {
  it('has commands that work, and print what it says', async () => {
    const people = [person('ann'), person('bob'), group('staff', [personDn('ann')])];
    const { url } = await directoryWith(people);
    const server = await startServer();
    const adapted = (text: string) =>
      text.replaceAll('http://localhost:8080', server.url).replaceAll('ldap://ldap.example.org:389', url);
    const script = blocks.map(({ command }) => `${adapted(command)}\necho; echo ===\n`).join('');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
    const outputs = stdout.split('===\n');
    expect(blocks.length).toBeGreaterThan(8);
    for (const [at, { output }] of blocks.entries()) {
      if (output !== undefined) expect(outputs[at]?.trim()).toMatch(printed(output));
    }
  }, 60_000);
});
