import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database.js';
import { type OnServer, onServer } from './on-server.js';

// Which file a realm follows after an apply on the command line: what the options, the pipeline, or the git repository say.
const hasGit = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0;
  } catch {
    return false;
  }
})();

let on: OnServer;
let file: string;

beforeAll(async () => {
  on = await onServer({ realm: 'followed', enabled: true });
  file = on.file({ realm: 'followed', displayName: 'By a file' });
});

const apply = (path: string, args: string[] = [], env: Record<string, string> = {}) =>
  on.run(['apply', path, '--yes', ...args], { REALMGATE_TOKEN: on.admin.token, ...env });

async function followedAfter(path: string, args: string[] = [], env: Record<string, string> = {}) {
  expect(await apply(path, args, env)).toMatchObject({ status: 0, errors: '' });
  const { source, revision } = (await on.admin.send('GET', '/admin/realms/followed/managed')).body;
  return [source, revision];
}

describe('realmgate apply', () => {
  it('states no origin where there is none', async () => {
    expect(await apply(file)).toMatchObject({ status: 0, errors: '' });
    expect((await on.admin.send('GET', '/admin/realms/followed/managed')).status).toBe(404);
  });

  it('takes the origin from its options, also where nothing changes', async () => {
    const options = (revision: string) => ['--source', 'https://git.example/realms', '--revision', revision];
    expect(await followedAfter(file, options('1'))).toEqual(['https://git.example/realms', '1']);
    expect(await followedAfter(file, options('2'))).toEqual(['https://git.example/realms', '2']);
  });

  it.each([
    [
      'GitHub',
      { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'shop/realms', GITHUB_SHA: 'abc1' },
      ['https://github.example/shop/realms', 'abc1'],
    ],
    [
      'GitLab',
      { CI_PROJECT_URL: 'https://gitlab.example/a', CI_COMMIT_SHA: 'abc2' },
      ['https://gitlab.example/a', 'abc2'],
    ],
    [
      'Jenkins, without the login of its checkout',
      { GIT_URL: 'https://robot:token@git.example/b', GIT_COMMIT: 'abc3' },
      ['https://git.example/b', 'abc3'],
    ],
  ] as [string, Record<string, string>, string[]][])('takes it from %s', async (_name, env, origin) => {
    expect(await followedAfter(file, [], env)).toEqual(origin);
    expect(await followedAfter(file, ['--source', 'ssh://git@own.example/c'], env)).toEqual([
      'ssh://git@own.example/c',
      origin[1],
    ]);
    const before = (await on.admin.send('GET', '/admin/realms/followed/managed')).body;
    expect(await apply(file, ['--no-source'], env)).toMatchObject({ status: 0, errors: '' });
    expect((await on.admin.send('GET', '/admin/realms/followed/managed')).body).toEqual(before);
  });

  it.skipIf(!hasGit)('takes it from the git repository of the files (needs git)', async () => {
    const folder = temporaryFolder();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@shop.example', ...args], {
        encoding: 'utf8',
      }).trim();
    git('init', '--quiet');
    git('remote', 'add', 'origin', 'https://ann:git-secret@git.example/realms.git');
    const own = join(folder, 'realm.json');
    copyFileSync(file, own);
    git('add', '.');
    git('commit', '--quiet', '--message', 'First');
    const commit = git('rev-parse', 'HEAD');
    writeFileSync(join(folder, '.git/info/exclude'), 'notes.txt\n');
    writeFileSync(join(folder, 'notes.txt'), '');
    expect(await followedAfter(folder)).toEqual(['https://git.example/realms.git', commit]);
    writeFileSync(own, JSON.stringify({ realm: 'followed', displayName: 'Not committed' }));
    expect(await followedAfter(own)).toEqual(['https://git.example/realms.git', `${commit}-dirty`]);
  });

  it.skipIf(!hasGit)('runs no program that the repository of the files names (needs git)', async () => {
    const folder = temporaryFolder();
    const ran = join(temporaryFolder(), 'ran');
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
    const own = join(folder, 'realm.json');
    git('init', '--quiet');
    git('remote', 'add', 'origin', 'https://git.example/realms.git');
    copyFileSync(file, own);
    writeFileSync(join(folder, '.gitattributes'), '* filter=own\n');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@shop.example', 'commit', '--quiet', '--message', 'First');
    const program = `sh -c 'echo run >> "${ran}"; cat'`;
    for (const name of ['filter.own.clean', 'filter.own.smudge', 'core.fsmonitor', 'core.sshCommand', 'core.pager']) {
      git('config', name, program);
    }
    // a value with lines that look like other settings
    git('config', 'core.eol', `lf\ncore.fsmonitor ${program}`);
    git('config', 'filter.own.process', `sh -c 'echo run >> "${ran}"'`);
    // later than the index, so that its content is compared, with the same length
    writeFileSync(own, readFileSync(file, 'utf8').replace('By', 'by'));
    utimesSync(own, new Date(), new Date(Date.now() + 5000));
    expect(await followedAfter(own)).toEqual(['https://git.example/realms.git', expect.stringMatching(/-dirty$/)]);
    expect(existsSync(ran)).toBe(false);
  });

  it('is refused an origin with a password, as over REST', async () => {
    const source = 'https://ann:git-secret@git.example/realms';
    const answer = await apply(file, ['--source', source]);
    expect(answer).toMatchObject({ status: 1, errors: expect.stringContaining('`source` must not contain') });
    expect(answer.errors).not.toContain('git-secret');
    const refused = await on.admin.send('POST', '/admin/realms/followed/apply', { desired: {}, source });
    expect([refused.status, refused.body.errorMessage]).toEqual([
      400,
      '`source` must not contain a username or password',
    ]);
  });
});
