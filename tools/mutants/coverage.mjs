// Which test files execute a place in the build, by the coverage of V8.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseAst } from 'rolldown/parseAst';

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const withBody = new Set(['MethodDefinition', 'Property']);

const parsed = new Map();

/**
 * A place in a built module: its offset, and the innermost function around it, as V8 knows it. `start` is a range, as the
 * function of a method begins at its name.
 * @param {string} file
 * @param {number} offset
 * @returns {{ offset: number, start: [number, number], end: number } | undefined} undefined outside of functions
 */
export function placeIn(file, offset) {
  if (!parsed.has(file)) parsed.set(file, parseAst(readFileSync(file, 'utf8')));
  let found;
  const visit = (node, parent) => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, parent);
      return;
    }
    if (typeof node?.type !== 'string' || offset < node.start || offset >= node.end) return;
    if (functions.has(node.type)) {
      const start = withBody.has(parent?.type) ? parent.start : node.start;
      found = { offset, start: [start, node.body.start], end: node.end };
    }
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) visit(value, node);
  };
  visit(parsed.get(file), undefined);
  return found;
}

/** The count of a place in what V8 tells of a module: a list of functions, each a name and nested ranges. */
function countAt(all, { offset, start: [first, last], end }) {
  let most = 0;
  for (const [, ...ranges] of all) {
    const [outer] = ranges;
    if (outer[1] !== end || outer[0] < first || outer[0] > last) continue;
    const around = ranges.filter((range) => range[0] <= offset && offset < range[1]);
    const [, , count = 0] = around.reduce(
      (inner, range) => (range[1] - range[0] <= inner[1] - inner[0] ? range : inner),
      outer,
    );
    most = Math.max(most, count);
  }
  return most;
}

/** Whether the module itself was executed, which happens when it is loaded. */
const isLoaded = (all) => all.some(([name, range]) => name === '' && range[0] === 0);

/**
 * The test files that execute each of these places, cheapest first. `isKnown`: some test executes the place after its module was loaded, or
 * in a process of its own. The first test file of a worker loads modules for all of them, so code that is only executed then cannot be
 * attributed to tests.
 * @param {string} folder with a file of each test file, from `REALMGATE_COVERAGE`
 * @param {{ id: string, module: string, place: NonNullable<ReturnType<typeof placeIn>> }[]} wanted
 */
export function executionsOf(folder, wanted) {
  const { found, inModule, add, sorted } = collection(wanted);
  for (const name of readdirSync(folder)) {
    const {
      dialect,
      name: file,
      cpu,
      children,
      wall,
      parts,
    } = JSON.parse(gunzipSync(readFileSync(join(folder, name))));
    const seconds = Math.max(cpu + children, wall / 4);
    const executed = new Set();
    for (const [at, part] of parts.entries()) {
      for (const { u: module, f: all } of part) {
        for (const { id, place } of inModule.get(module) ?? []) {
          if (countAt(all, place) === 0) continue;
          executed.add(id);
          // the first part is that of the worker, the others are those of processes that it started
          if (at > 0 || !isLoaded(all)) found.get(id).isKnown = true;
        }
      }
    }
    add(executed, { path: `test/${file.replaceAll('__', '/')}`, project: dialect, seconds });
  }
  return sorted();
}

/** As `executionsOf`, by the functions that the last `npm run test:record` has recorded for `npm run test:changed`. */
export function recordedExecutionsOf(project, wanted) {
  const { found, inModule, add, sorted } = collection(wanted);
  const folder = join(project, 'node_modules/.cache/realmgate/tests');
  for (const name of readdirSync(folder)) {
    const { path, seconds, processor, functions: all } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const executed = Object.entries(all).flatMap(([module, starts]) =>
      (inModule.get(module) ?? [])
        .filter(({ place: { start } }) => starts.some((one) => start[0] <= one && one <= start[1]))
        .map(({ id }) => id),
    );
    for (const id of executed) found.get(id).isKnown = true;
    const cost = Math.max(processor.own + processor.children, seconds / 4);
    add(executed, { path, project: path.endsWith('.unit.test.ts') ? 'units' : 'sqlite', seconds: cost });
  }
  return sorted();
}

function collection(wanted) {
  const found = new Map(wanted.map(({ id }) => [id, { tests: [], isKnown: false }]));
  const inModule = new Map();
  for (const one of wanted) inModule.set(one.module, [...(inModule.get(one.module) ?? []), one]);
  return {
    found,
    inModule,
    add(ids, test) {
      for (const id of ids) found.get(id).tests.push(test);
    },
    sorted() {
      for (const { tests } of found.values()) tests.sort((a, b) => a.seconds - b.seconds || (a.path < b.path ? -1 : 1));
      return found;
    },
  };
}
