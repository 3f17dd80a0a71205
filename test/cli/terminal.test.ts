import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { type OnServer, onServer } from './on-server.js';
import { commandFile } from './run.js';

// `script` of Debian's bsdutils gives a command a terminal
const hasScript = spawnSync('script', ['--version']).status === 0;
if (!hasScript) console.log('The command script is not installed: apt-get install bsdutils');

let on: OnServer;
beforeAll(async () => {
  on = await onServer({ realm: 'asked', enabled: true, displayName: 'Before' });
});

/** Runs a command in a terminal, and answers its question. */
async function inTerminal(args: string[], answer: string, more: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const command = [process.execPath, commandFile, ...args, '--url', on.server.url].map((word) => `'${word}'`).join(' ');
  const env = { PATH, TERM: 'xterm-256color', SHELL: '/bin/sh', REALMGATE_TOKEN: on.admin.token, ...more };
  const child = spawn('script', ['-qec', command, '/dev/null'], { env });
  let output = '';
  let isAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (isAnswered || !output.includes('y/N')) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const [status] = await once(child, 'close');
  return { status, output };
}

describe.skipIf(!hasScript)('realmgate apply on a terminal', () => {
  const displayName = async () => (await on.admin.send('GET', '/asked')).body.displayName;

  it('prints the plan in colours, asks, and does what was answered', async () => {
    const file = on.file({ realm: 'asked', displayName: 'After' });
    const no = await inTerminal(['apply', file], '\n');
    expect(no.status).toBe(1);
    expect(no.output).toContain('\u001B[33m~ REALM asked\u001B[39m');
    expect(no.output).toContain('Apply these changes? y/N ');
    expect(no.output).toContain('Nothing was changed.');
    expect(await displayName()).toBe('Before');
    expect((await inTerminal(['apply', file], 'nope\n')).status).toBe(1);
    // the end of the input is no answer
    expect((await inTerminal(['apply', file], '\u0004')).status).toBe(1);
    expect(await displayName()).toBe('Before');
    const yes = await inTerminal(['apply', file], 'y\n', { NO_COLOR: '1' });
    expect(yes.status).toBe(0);
    expect(yes.output).not.toContain('\u001B[33m');
    expect(yes.output).toContain('Applied: 0 created, 1 updated, 0 deleted.');
    expect(await displayName()).toBe('After');
    const nothing = await inTerminal(['apply', file], '');
    expect(nothing).toMatchObject({ status: 0, output: expect.not.stringContaining('y/N') });
  });

  it('asks nobody with --yes, and is refused where nobody can be asked', async () => {
    const file = on.file({ realm: 'asked', displayName: 'Without a question' });
    const refused = await on.run(['apply', file]);
    expect(refused).toMatchObject({
      status: 1,
      output: '',
      errors: expect.stringMatching(/^Nobody can be asked .* --yes, or --digest .*\n$/),
    });
    expect((await inTerminal(['apply', file, '--yes'], '')).output).not.toContain('y/N');
    expect(await displayName()).toBe('Without a question');
  });
});
