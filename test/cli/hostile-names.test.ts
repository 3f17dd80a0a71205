import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database.js';
import { sampled } from '../support/sample.js';
import { type OnServer, onServer } from './on-server.js';
import { commandFile } from './run.js';

// Names in a realm and in its files come from anybody, and are printed on the terminals and in the pipelines of administrators.
const esc = String.fromCharCode(27);
/** Clears the screen, hides text, sets the title, and turns the direction of text, by control characters of all kinds. */
const hostile = `x${esc}[2J${esc}[8m${esc}]0;t\u0007\u009b2J\u202Ey\u2066\u2028\r\u200B\n+ GROUP /forged`;
const actsOnTerminal = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const forged = /^\+ GROUP \/forged/m;

let on: OnServer;
let file: string;

beforeAll(async () => {
  on = await onServer({
    realm: 'victim',
    enabled: true,
    displayName: hostile,
    groups: [{ name: hostile, attributes: { [hostile]: [hostile] } }],
    roles: { realm: [{ name: hostile, description: hostile }] },
    clients: [{ clientId: hostile, attributes: { [hostile]: hostile } }],
  });
  file = on.file({
    realm: 'victim',
    displayName: `${hostile}!`,
    groups: [{ name: hostile, attributes: { [hostile]: [`${hostile}!`] } }, { name: `${hostile}2` }],
    roles: { realm: [] },
    clients: [{ clientId: hostile, attributes: { [hostile]: `${hostile}!` } }],
  });
});

const run = async (...args: string[]) => {
  const { output, errors } = await on.run(args);
  return output + errors;
};

describe('names with control characters', () => {
  it.each([
    ['plan', []],
    ['plan', ['--json']],
    ['diff', []],
    ['drift', []],
    ['apply', ['--yes']],
    ['plan', ['--realm', hostile]],
  ])('are printed as escapes by realmgate %s %j', async (command, options) => {
    const text = await run(command, file, ...options);
    expect(text).toContain('\\u001b[2J');
    expect(text).not.toMatch(actsOnTerminal);
    expect(text).not.toMatch(forged);
  });

  it('are printed as escapes by realmgate pull, whose result is the realm', async () => {
    const text = await run('pull', '--realm', 'victim');
    expect(text).toContain('\\u202e');
    expect(text).not.toMatch(actsOnTerminal);
    for (const name of ['pulled.yaml', 'pulled.json', 'folder']) {
      const out = join(temporaryFolder(), name);
      expect((await on.run(['pull', '--realm', 'victim', '--out', out])).status).toBe(0);
      expect(await on.run(['plan', out])).toMatchObject({ status: 0, errors: '' });
    }
  });

  it('are printed as escapes where files have faults', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, hostile.replace('/', '-')));
    const path = join(folder, hostile.replace('/', '-'), 'realm.json');
    const group = { name: hostile };
    writeFileSync(path, JSON.stringify({ [hostile]: 1, groups: [group, group], displayName: `\${file:${hostile}}` }));
    const text = await run('plan', path);
    expect(text.split('\n')).toHaveLength(3);
    expect(text).not.toMatch(actsOnTerminal);
  });

  it.skipIf(spawnSync('script', ['--version']).status !== 0)('leave only colours on a terminal', async () => {
    const { PATH = '' } = process.env;
    const command = [process.execPath, commandFile, 'plan', file, '--url', on.server.url];
    const env = { PATH, TERM: 'xterm-256color', SHELL: '/bin/sh', REALMGATE_TOKEN: on.admin.token };
    const child = spawn('script', ['-qec', command.map((word) => `'${word}'`).join(' '), '/dev/null'], { env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await once(child, 'close');
    const colours = new RegExp(`${esc}\\[(2|22|31|32|33|39)m`, 'g');
    expect(output).toMatch(colours);
    expect(output.replace(colours, '').replaceAll('\r\n', '\n')).not.toMatch(actsOnTerminal);
  });
});

describe('values that come from variables', () => {
  const token = 'Hidden-Value/of: a$variable';
  const secretFile = (content: object) => on.file({ realm: 'victim', ...content });
  const reference = '${env:A_SECRET}';

  it.each(
    sampled(
      [
        ['the name of a realm', { realm: reference }],
        ['a redirect URI', { clients: [{ clientId: 'c', redirectUris: ['javascript:${env:A_SECRET}'] }] }],
        ['a role', { users: [{ username: 'u', realmRoles: [reference] }] }],
        ['a group of a user', { users: [{ username: 'u', groups: [reference] }] }],
        ['a username', { users: [{ username: reference }] }],
        ['a username twice', { users: [{ username: reference }, { username: `${reference} ` }] }],
        ['a flow', { browserFlow: reference }],
        ['a password policy', { passwordPolicy: reference }],
        ['a number', { accessTokenLifespan: reference }],
        ['a provider', { identityProviders: [{ alias: reference, providerId: reference }] }],
        ['a scope', { clients: [{ clientId: 'c', defaultClientScopes: [reference] }] }],
        [
          'a component',
          { components: { [`org.keycloak.keys.KeyProvider`]: [{ name: reference, providerId: reference }] } },
        ],
      ],
      5,
    ),
  )('are not in what is printed of %s', async (_, content) => {
    const env = { REALMGATE_TOKEN: on.admin.token, A_SECRET: token };
    const { output, errors } = await on.run(['plan', secretFile(content)], env);
    expect((output + errors).toLowerCase()).not.toContain('hidden-value');
  });
});

it('a token that no request can have is refused without being printed', async () => {
  for (const token of ['two\nSECRET lines', 'SECRETé', 'SECRET\u2028']) {
    const ended = await on.run(['plan', file], { REALMGATE_TOKEN: token });
    expect(ended).toMatchObject({ status: 1, output: '' });
    expect(ended.errors).toMatch(/^REALMGATE_TOKEN must be an access token/);
    expect(ended.errors).not.toContain('SECRET');
  }
});

it('a folder that looks like a git repository of its own cannot name programs', async () => {
  const outer = temporaryFolder();
  const folder = join(outer, 'acme');
  const proof = join(outer, 'proof');
  mkdirSync(folder);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '--bare', '.');
  for (const [name, value] of Object.entries({
    'core.bare': 'false',
    'core.worktree': '..',
    'filter.x.clean': `touch ${proof}; cat`,
    'remote.origin.url': 'https://git.example/x',
    'user.email': 'a@b.example',
    'user.name': 'a',
  })) {
    git('config', name, value);
  }
  writeFileSync(join(folder, 'realm.yaml'), 'realm: victim');
  git('--git-dir=.', 'add', 'realm.yaml');
  git('--git-dir=.', 'commit', '-qm', 'x');
  writeFileSync(join(outer, '.gitattributes'), '* filter=x');
  writeFileSync(join(folder, 'realm.yaml'), 'realm: victim ');
  expect((await on.run(['plan', folder])).status).toBe(0);
  expect(existsSync(proof)).toBe(false);
});
