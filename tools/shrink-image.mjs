// node tools/shrink-image.mjs   removes what the image has no use for from the working directory, after `npm prune --omit=dev`: packages that only
// an optional peer dependency holds, and files of packages that Node.js does not load.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Declarations, sources, source maps and documents; licences stay. */
const unused = /\.(map|d\.[cm]?ts|[cm]?tsx?|tsbuildinfo|md|markdown|flow|c|cc|cpp|h|hpp|o|a|gyp|gypi)$/i;
const licence = /^(licen[cs]e|notice|copying)/i;
/** Prisma's engines: only its types, its migrations and its adapters are used. Sources of SQLite, and its binaries for other machines. */
const unusedIn = {
  '@prisma/client': /^runtime\/(query_compiler|wasm-compiler)/,
  '@photostructure/sqlite': new RegExp(`^(src|prebuilds(?!/${process.platform}-${process.arch}/))/`),
};

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folder of a package, as seen from another one; undefined where it is not installed. */
function resolved(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === dirname(folder) || folder === '.') return undefined;
  }
}

/** The packages that a package requires, or may use if they can be installed. */
function requiredBy(folder) {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder);
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Whether this Node.js, which is that of the image, does not load a package, as it has SQLite itself. */
const isReplaced = (name) => name === '@photostructure/sqlite' && Number.parseInt(process.versions.node, 10) >= 24;

/** The folders of all packages that the project requires, directly or not. */
function requiredPackages() {
  const required = new Set();
  const open = ['.'];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of requiredBy(folder)) {
      const found = resolved(name, folder);
      if (found === undefined || required.has(found) || isReplaced(name)) continue;
      required.add(found);
      open.push(found);
    }
  }
  return required;
}

/** The folders of the packages in a folder `node_modules`. */
const packagesIn = (modules) =>
  (existsSync(modules) ? readdirSync(modules) : []).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@')
      ? readdirSync(join(modules, name)).map((one) => join(modules, name, one))
      : [join(modules, name)];
  });

function removePackages(modules, required) {
  for (const folder of packagesIn(modules)) {
    removePackages(join(folder, 'node_modules'), required);
    const isNeeded = [...required].some((one) => one === folder || one.startsWith(`${folder}/node_modules/`));
    if (!isNeeded) rmSync(folder, { recursive: true });
  }
}

function removeFiles(folder, isUnused) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !licence.test(basename(path)) && isUnused(path)) rmSync(path);
  }
}

removePackages('node_modules', requiredPackages());
for (const folder of ['node_modules', 'dist', 'client/dist']) removeFiles(folder, (path) => unused.test(path));
for (const [name, files] of Object.entries(unusedIn)) {
  const folder = join('node_modules', name);
  removeFiles(folder, (path) => files.test(path.slice(folder.length + 1)));
}
// npm's list of what is installed, with what was removed, and links to what was removed
for (const name of ['.package-lock.json', '.bin']) rmSync(join('node_modules', name), { recursive: true, force: true });
