import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Instruction {
  name: string;
  text: string;
}

export interface Image {
  /** the folder that stands for the root of its file system */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  healthcheck: string[];
  /** the entry point with its arguments */
  command: string[];
}

interface Stage extends Image {
  name: string;
}

/** What is done in place of a command that a test cannot wait for. It gets the working directory. */
export type Instead = Readonly<Record<string, (folder: string) => Promise<unknown>>>;

const instructionsOf = (text: string): Instruction[] =>
  text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1).trim() }));

/** What of the project goes into the image: without what .dockerignore names. */
function contextOf(project: string): (path: string) => boolean {
  const patterns = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const matchers = patterns.map((pattern) => {
    const source = pattern
      .replace(/[.+]/g, '\\$&')
      .replace('**/', '(.*/)?')
      .replace(/(?<!\.)\*/g, '[^/]*');
    return new RegExp(`^${source}(/|$)`);
  });
  return (path) => !matchers.some((matcher) => matcher.test(relative(project, path)));
}

/**
 * Builds what a Dockerfile describes in folders, of those instructions that the Dockerfile of the project has, on the machine as it is: images
 * to begin with are empty. Throws for an instruction that it does not know.
 */
export async function buildStages(project: string, folder: string, instead: Instead): Promise<Image> {
  const stages: Stage[] = [];
  for (const { name, text } of instructionsOf(readFileSync(join(project, 'Dockerfile'), 'utf8'))) {
    const stage = stages.at(-1);
    if (name === 'FROM') stages.push(begun(text, join(folder, String(stages.length))));
    else if (!stage) throw new Error(`${name} before FROM`);
    else await carryOut(name, text, { stage, stages, project, instead });
  }
  const last = stages.at(-1);
  if (!last) throw new Error('There is no stage');
  return last;
}

function begun(text: string, root: string): Stage {
  mkdirSync(root, { recursive: true });
  const [, name = ''] = text.split(/ AS /i);
  return { name, root, workdir: '/', env: {}, user: 'root', healthcheck: [], command: [] };
}

interface Surroundings {
  stage: Stage;
  stages: Stage[];
  project: string;
  instead: Instead;
}

async function carryOut(name: string, text: string, around: Surroundings): Promise<void> {
  const { stage, instead } = around;
  const place = join(stage.root, stage.workdir);
  switch (name) {
    case 'WORKDIR':
      stage.workdir = text;
      mkdirSync(join(stage.root, text), { recursive: true });
      return;
    case 'ENV': {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(text) ?? [];
      stage.env[key] = value;
      return;
    }
    case 'RUN': {
      const [, other] = Object.entries(instead).find(([command]) => text.startsWith(command)) ?? [];
      const { PATH = '', HOME = '' } = process.env;
      if (other) await other(place);
      else await run('sh', ['-c', text], { cwd: place, env: { PATH, HOME, ...stage.env }, maxBuffer: 2 ** 26 });
      return;
    }
    case 'COPY':
      return copy(text, around);
    case 'USER':
      stage.user = text;
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(text.slice(text.indexOf('[')));
      return;
    case 'ENTRYPOINT':
    case 'CMD':
      stage.command.push(...JSON.parse(text));
      return;
    case 'VOLUME':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`The instruction ${name} is not known`);
  }
}

function copy(text: string, { stage, stages, project }: Surroundings): void {
  const words = text.split(/\s+/);
  const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const paths = words.filter((word) => !word.startsWith('--'));
  const from = option('from');
  const source = from === undefined ? project : stages.find((other) => other.name === from)?.root;
  if (source === undefined) throw new Error(`There is no stage ${from}`);
  const target = paths.pop() ?? '';
  const place = target.startsWith('/') ? join(stage.root, target) : join(stage.root, stage.workdir, target);
  const isContext = contextOf(project);
  for (const path of paths) {
    const origin = join(source, path);
    if (!existsSync(origin)) throw new Error(`${path} is not there`);
    const isFolder = statSync(origin).isDirectory();
    const to = isFolder || !target.endsWith('/') ? place : join(place, basename(path));
    mkdirSync(isFolder ? to : join(to, '..'), { recursive: true });
    if (isFolder && readdirSync(origin).length === 0) continue;
    cpSync(origin, to, { recursive: true, filter: (one) => from !== undefined || isContext(one) });
  }
}
