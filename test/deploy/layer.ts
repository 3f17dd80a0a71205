import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The packages in a folder `node_modules` and below, as `name@version`, in order and each once. */
export function packagesIn(modules: string): string[] {
  const found = new Set<string>();
  for (const path of filesIn(modules)) {
    if (!/(?:^|\/node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(relative(modules, path))) continue;
    // an alias is a package under another name than that of its folder
    const { name, version } = JSON.parse(readFileSync(path, 'utf8'));
    found.add(`${name}@${version}`);
  }
  return [...found].sort();
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile());

export const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const mostParts = 12;

/** The bytes of all files, and the folders with most of them: packages, and what else there is. */
export function sizesIn(root: string): { total: number; largest: string[] } {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const path of filesIn(root)) {
    const bytes = lstatSync(path).size;
    total += bytes;
    const [part = ''] =
      /^(app\/node_modules\/(@[^/]+\/)?[^/]+|app\/[^/]+\/?[^/]*|[^/]+)/.exec(relative(root, path)) ?? [];
    sizes.set(part, (sizes.get(part) ?? 0) + bytes);
  }
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, mostParts);
  return { total, largest: largest.map(([part, bytes]) => `${part} ${(bytes / 2 ** 20).toFixed(1)}`) };
}

/** Loads every package that a file of the service names. Throws if one is missing or incomplete. */
export function loadPackages(app: string): void {
  const named = new Set<string>();
  for (const path of filesIn(join(app, 'dist'))) {
    if (!path.endsWith('.js') || /\/dist\/(console|explorer)\//.test(path)) continue;
    const text = readFileSync(path, 'utf8');
    for (const [, name = ''] of text.matchAll(
      /(?:^(?:import|export)\b.* from |^import |import\()["'](\w[^"'\s]*|@[^"'\s]*)["']/gm,
    ))
      named.add(name);
  }
  if (named.size === 0) throw new Error('No file of the service names a package');
  const script = `await Promise.all(${JSON.stringify([...named])}.map((name) => import(name)))`;
  execFileSync('node', ['--input-type=module', '-e', script], { cwd: app });
}
