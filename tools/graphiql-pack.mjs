// The bundle of GraphiQL: one file, compressed, with a line of JSON that describes it and the contents of all files after each other.
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const project = fileURLToPath(new URL('..', import.meta.url));
const path = join(project, 'explorer/graphiql.br');

/**
 * Reads the bundle. `entry` is the module with the exports of explorer/graphiql.ts, `imports` are the modules that it imports, `styles` its
 * style sheets, and `digest` is that of the sources and packages from which it was made.
 */
export function readPack() {
  const bytes = brotliDecompressSync(readFileSync(path));
  const end = bytes.indexOf('\n');
  const { files, ...description } = JSON.parse(bytes.toString('utf8', 0, end));
  let at = end + 1;
  const contents = files.map(({ name, length }) => {
    const content = bytes.subarray(at, at + length);
    at += length;
    return { name, content };
  });
  return { ...description, files: contents };
}

/** Writes the bundle. */
export function writePack({ files, ...description }) {
  const list = files.map(({ name, content }) => ({ name, length: content.length }));
  const head = `${JSON.stringify({ ...description, files: list })}\n`;
  const bytes = Buffer.concat([Buffer.from(head), ...files.map(({ content }) => content)]);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(path, brotliCompressSync(bytes, { params }));
}

/** The digest of the present sources of the bundle, and of the versions of all packages in it. */
export function digestOfSources() {
  const read = (name) => readFileSync(join(project, name), 'utf8');
  const { packages } = JSON.parse(read('package-lock.json'));
  const sources = ['explorer/graphiql.ts', 'explorer/graphiql.config.ts'].map(read);
  const versions = [...packagesOf('explorer', packages)].map((place) => `${place} ${packages[place].version}`).sort();
  return hash('sha256', [...sources, ...versions].join('\n'));
}

/** The places of the packages that the one at a place of the lock file bundles, directly or not. */
function packagesOf(from, packages, found = new Set()) {
  const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[from];
  // the development dependencies of the explorer are its packages, and Vite bundles them
  const own = Object.keys((found.size === 0 && devDependencies) || {}).filter((name) => name !== 'vite');
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  for (const name of [...own, ...Object.keys(dependencies ?? {}), ...peers]) {
    const place = placeOf(name, from, packages);
    if (!place || found.has(place)) continue;
    found.add(place);
    packagesOf(place, packages, found);
  }
  return found;
}

/** The place of a package that another one imports. Undefined if it is not installed. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
    if (!folder.includes('/node_modules/')) folder = '/node_modules/';
  }
}
