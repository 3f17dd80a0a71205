// Builds the server and the client. Types are not checked: `npm run typecheck` does that.
//
// - build/ has the server module by module, for tests and tools.
// - dist/ has its programs, each with its modules in few files: Node loads them in half the time. Packages stay packages.
// - client/dist has the client.
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
// removed with the dependencies, so that another version of the transpiler builds everything again
const noteFile = join(project, 'node_modules/.cache/realmgate/build.json');

const parts = [
  { from: 'src', to: 'build', target: 'es2023', maps: true },
  { from: 'client/src', to: 'client/dist', target: 'es2022', declarations: true },
];
/** The programs in dist/. Threads are programs of their own, see src/config/project.ts. */
const programs = ['main', 'cli/realmgate', 'cli/print-schema'];
const isThread = (name) => name.endsWith('-thread.ts');

/**
 * Transpiles the sources that changed since the last build, and removes the output of deleted sources. Returns the paths of these
 * sources. Throws a BuildError that lists the faults of all sources.
 */
export async function build() {
  const options = hash('sha256', readFileSync(fileURLToPath(import.meta.url)));
  const note = readNote(options);
  const changed = [];
  const faults = [];
  const built = {};
  const start = Date.now();
  let isNoteOutdated = false;
  for (const part of parts) {
    const outputs = new Set(filesIn(part.to).filter((name) => /\.(js|js\.map|d\.ts)$/.test(name)));
    for (const name of filesIn(part.from).filter((name) => name.endsWith('.ts'))) {
      const source = join(part.from, name);
      const { size, mtimeMs } = statSync(join(project, source));
      // a file of the present moment can change once more without a later time
      const time = mtimeMs < start - 100 ? mtimeMs : undefined;
      const files = outputsOf(part, name);
      const known = files.every((file) => outputs.has(file)) ? note[source] : undefined;
      for (const file of files) outputs.delete(file);
      if (known?.time !== undefined && known.time === time && known.size === size) {
        built[source] = known;
        continue;
      }
      const text = readFileSync(join(project, source), 'utf8');
      const digest = hash('sha1', text);
      if (known?.digest !== digest) {
        // a build that does not come to its end is repeated: the note would describe output that is gone
        if (changed.push(source) === 1) rmSync(noteFile, { force: true });
        const found = await transpile(part, name, text);
        faults.push(...found);
        if (found.length > 0) continue;
      }
      built[source] = { size, time, digest };
      isNoteOutdated = true;
    }
    for (const file of outputs) {
      rmSync(join(project, part.to, file));
      if (file.endsWith('.js')) changed.push(join(part.from, file.replace(/js$/, 'ts')));
    }
  }
  // a build whose programs could not be bundled is repeated
  if (faults.length === 0 && (changed.length > 0 || !existsSync(join(project, 'dist/main.js')))) await bundle();
  if (isNoteOutdated || changed.length > 0) {
    mkdirSync(dirname(noteFile), { recursive: true });
    writeFileSync(noteFile, JSON.stringify({ options, built }));
  }
  if (faults.length > 0) throw new BuildError(faults.join('\n'));
  return changed;
}

/** Sources that cannot be transpiled. */
export class BuildError extends Error {}

/** Size, time, and digest of the sources from which the present output was made. Empty if it was made with other options. */
function readNote(options) {
  if (!existsSync(noteFile)) return {};
  const note = JSON.parse(readFileSync(noteFile, 'utf8'));
  return note.options === options ? note.built : {};
}

const outputsOf = ({ maps, declarations }, name) => {
  const output = name.replace(/ts$/, 'js');
  return [output, ...(maps ? [`${output}.map`] : []), ...(declarations ? [name.replace(/ts$/, 'd.ts')] : [])];
};

/** Writes the output of one source. Returns its faults. */
async function transpile({ from, to, target, maps = false, declarations = false }, name, text) {
  const { transformSync } = await import('rolldown/utils');
  const source = join(from, name);
  const output = join(project, to, name.replace(/ts$/, 'js'));
  const { code, map, errors, helpersUsed } = transformSync(source, text, {
    lang: 'ts',
    target,
    sourcemap: maps,
    tsconfig: false,
    // as `verbatimModuleSyntax` has it
    typescript: { onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) return errors.map(({ message }) => `${source}: ${message}`);
  // these would be imported from a package at run time; such syntax is, for example, `using`, or html`</script>`
  const helpers = Object.keys(helpersUsed);
  if (helpers.length > 0)
    return [`${source}: ${target} has no syntax for ${helpers.join(', ')}. Write it in another way.`];
  mkdirSync(dirname(output), { recursive: true });
  if (declarations) {
    const { isolatedDeclarationSync } = await import('rolldown/experimental');
    const made = isolatedDeclarationSync(source, text);
    if (made.errors.length > 0) return made.errors.map(({ message }) => `${source}: ${message}`);
    writeFileSync(output.replace(/js$/, 'd.ts'), made.code);
  }
  writeFileSync(output, maps ? `${code}//# sourceMappingURL=${output.slice(dirname(output).length + 1)}.map\n` : code);
  if (maps) {
    const { names, mappings } = map;
    const sources = [relative(dirname(output), join(project, source)).replaceAll('\\', '/')];
    writeFileSync(`${output}.map`, JSON.stringify({ version: 3, sources, names, mappings }));
  }
  return [];
}

/** The paths of all files in a folder, relative to it. */
function filesIn(folder) {
  const path = join(project, folder);
  return existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
}

/** Writes the programs, and then removes what is left of an earlier build. The console and the explorer in dist/ are not touched. */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const threads = filesIn('src').filter(isThread);
  const input = {
    ...Object.fromEntries(programs.map((name) => [name, `src/${name}.ts`])),
    ...Object.fromEntries(threads.map((name) => [`threads/${basename(name, '-thread.ts')}`, join('src', name)])),
  };
  const bundled = await rolldown({
    cwd: project,
    input,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    tsconfig: false,
    transform: { target: 'es2023', typescript: { onlyRemoveTypeImports: true } },
  });
  const { output } = await bundled.write({
    dir: join(project, 'dist'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  });
  await bundled.close();
  // a program that runs loads its parts when it needs them: those of this build are not removed
  const written = new Set(output.map(({ fileName }) => fileName));
  for (const folder of ['cli', 'threads', 'parts']) {
    for (const name of filesIn(join('dist', folder))) {
      if (!written.has(`${folder}/${name}`)) rmSync(join(project, 'dist', folder, name));
    }
  }
}
