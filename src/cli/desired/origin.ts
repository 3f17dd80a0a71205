import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Where the files of a realm come from, and their version. */
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

/** The output of a git command in a folder; undefined where there is no git, no repository, or no answer. */
function git(folder: string, ...args: string[]): string | undefined {
  // files of a repository must not name a program that a status would run, also not as a repository of their own
  const settings = ['core.fsmonitor=false', 'safe.bareRepository=explicit'].flatMap((setting) => ['-c', setting]);
  const safe = ['--no-optional-locks', ...settings, '-C', folder];
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync('git', [...safe, ...args], { encoding: 'utf8', stdio: [...stdio], timeout: 10_000 }).trim();
  } catch {
    return undefined;
  }
}

/** The address of the repository of a folder and its commit, with `-dirty` if files of the folder were changed since. */
function repositoryOf(folder: string): Origin {
  const source = git(folder, 'remote', 'get-url', 'origin');
  const commit = git(folder, 'rev-parse', '--verify', 'HEAD');
  if (!source || !commit) return {};
  return { source, revision: git(folder, 'status', '--porcelain', '.') === '' ? commit : `${commit}-dirty` };
}

/** An address without a name and a password: those of a checkout are secrets. */
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

/** The origin of files: what the options state, otherwise that of the pipeline, otherwise that of the repository of the first file. */
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
  // what a caller states is sent as it is, so that a password in it is refused and not hidden
  return { source: source ?? withoutLogin(stated), ...(version !== undefined && { revision: version }) };
}
