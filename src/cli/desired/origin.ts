import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The origin of a realm's files, and their version. */
export interface Origin {
  source?: string;
  revision?: string;
}

/** Options that state the origin of files. */
export interface OriginOptions {
  /** false: no origin is stated */
  source?: string | false;
  revision?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables in which pipelines have the address of the repository and the commit. */
const pipelines: readonly ((env: Environment) => { [K in keyof Origin]?: string | undefined })[] = [
  ({ GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: name, GITHUB_SHA: revision }) => ({
    source: name && `${server}/${name}`,
    revision,
  }),
  ({ CI_PROJECT_URL: source, CI_COMMIT_SHA: revision }) => ({ source, revision }),
  ({ BUILD_REPOSITORY_URI: source, BUILD_SOURCEVERSION: revision }) => ({ source, revision }),
  ({ BITBUCKET_GIT_HTTP_ORIGIN: source, BITBUCKET_COMMIT: revision }) => ({ source, revision }),
  ({ CIRCLE_REPOSITORY_URL: source, CIRCLE_SHA1: revision }) => ({ source, revision }),
  ({ GIT_URL: source, GIT_COMMIT: revision }) => ({ source, revision }),
];

/** The output of a git command in a folder; undefined if there is no git, no repository, or no answer. */
function git(folder: string, args: readonly string[], env: Environment = {}): string | undefined {
  // files of a repository must not be interpreted as a repository
  const safe = ['--no-optional-locks', '-c', 'safe.bareRepository=explicit', '-C', folder];
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', [...safe, ...args], {
      encoding: 'utf8',
      stdio: [...stdio],
      timeout: 10_000,
      env: { ...process.env, ...env },
    }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Settings that control how git compares files with a commit, with their allowed values. None of these values can name
 * a program.
 */
const comparing =
  /^core\.(autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks)\n(true|false|input|lf|crlf|native)$/;

/**
 * Whether files of a folder differ from the commit, or are not part of it. A repository's configuration can name
 * programs that git runs when it compares files (filters, a file system monitor, commands that fetch missing objects).
 * A folder can come from an untrusted source. So git compares in a separate repository, which has only the objects and
 * a copy of the index.
 */
function isChanged(folder: string, commit: string): boolean {
  const asked = ['--show-toplevel', ...['objects', 'index', 'info/exclude'].flatMap((name) => ['--git-path', name])];
  const paths = git(folder, ['rev-parse', '--path-format=absolute', ...asked])?.split('\n') ?? [];
  const [top, objects, index, excluded] = paths;
  if (!top || !objects || !index || !excluded || paths.length > 4) return true;
  // entries end at NUL, as a value can have lines that look like others
  const settings = (git(folder, ['config', '-z', '--get-regexp', '^core']) ?? '').split('\0');
  const stated = settings.filter((entry) => comparing.test(entry)).flatMap((entry) => ['-c', entry.replace('\n', '=')]);
  const beside = mkdtempSync(join(tmpdir(), 'realmgate-git-'));
  try {
    writeRepository(beside, { commit, index, excluded });
    const env = { GIT_DIR: beside, GIT_WORK_TREE: top, GIT_OBJECT_DIRECTORY: objects, GIT_NO_LAZY_FETCH: '1' };
    return git(folder, [...stated, 'status', '--porcelain', '--ignore-submodules=all', '.'], env) !== '';
  } catch {
    return true; // there is no index
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/**
 * Writes a repository with this commit, a copy of the index, and the list of excluded files, without settings of the
 * original.
 */
function writeRepository(
  folder: string,
  { commit, index, excluded }: { commit: string; index: string; excluded: string },
): void {
  for (const name of ['objects', 'refs', 'info']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'HEAD'), `${commit}\n`);
  const isSha256 = commit.length > 40;
  const format = '[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = sha256\n';
  writeFileSync(join(folder, 'config'), isSha256 ? format : '');
  if (existsSync(excluded)) copyFileSync(excluded, join(folder, 'info/exclude'));
  const copy = join(folder, 'index');
  copyFileSync(index, copy);
  // git compares the times of files with the time of the index
  const { atime, mtime } = statSync(index);
  utimesSync(copy, atime, mtime);
}

/** The address of the repository of a folder and its commit, with `-dirty` if files of the folder were changed since. */
function repositoryOf(folder: string): Origin {
  const source = git(folder, ['remote', 'get-url', 'origin']);
  const commit = git(folder, ['rev-parse', '--verify', 'HEAD']);
  if (!source || !commit) return {};
  return { source, revision: isChanged(folder, commit) ? `${commit}-dirty` : commit };
}

/** A URL without a username and password: in a checkout these are secrets. */
function withoutLogin(source: string): string {
  if (!/^https?:/i.test(source) || !URL.canParse(source)) return source;
  const url = new URL(source);
  if (url.username === '' && url.password === '') return source;
  url.username = '';
  url.password = '';
  return url.href;
}

const folderOf = (path: string): string => {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? path : dirname(path);
};

/**
 * The origin of files: from the options, otherwise from the pipeline, otherwise from the repository of the first file.
 */
export function originOf(
  [first = '.']: readonly string[],
  { source, revision }: OriginOptions,
  env: Environment,
): Origin {
  if (source === false) return {};
  const known =
    pipelines.map((read) => read(env)).find((found) => found.source && found.revision) ??
    (source !== undefined && revision !== undefined ? {} : repositoryOf(folderOf(resolve(first))));
  const [stated, version] = [source ?? known.source, revision ?? known.revision];
  if (stated === undefined) return {};
  // the value of a caller is sent unchanged, so that a password in it is refused and not hidden
  return { source: source ?? withoutLogin(stated), ...(version !== undefined && { revision: version }) };
}
