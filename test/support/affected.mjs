// Which tests a change of the server affects: those that executed functions of the changed sources when they were last recorded.
import { dirname } from 'node:path';
import { declaredTests } from './declarations.mjs';
import { readRecords } from './records.mjs';

/** Seconds of a file that was never recorded. */
const unknownSeconds = 3;

/**
 * The tests to run for changed sources. Those in folders of a changed area come first, then those that execute most of what no
 * chosen test executes, for their time.
 * @param {string[]} sources files of src/, relative to the project
 * @param {number} seconds the recorded time that the chosen tests may take together
 * @returns {{ chosen: string[], left: string[], leftSeconds: number, isRecorded: boolean }} `left`: affected, but not chosen
 */
export function affectedTests(sources, seconds = 20) {
  const records = readRecords();
  const areas = new Set(sources.flatMap((path) => dirname(path).split('/').slice(2)));
  const isOfArea = ({ path }) =>
    path
      .split('/')
      .slice(1, -1)
      .some((name) => areas.has(name));
  const affected = declaredTests()
    .filter(({ isThorough }) => !isThorough)
    .map(({ path }) => candidate(path, records.get(path), sources))
    .filter((one) => one.executed.length > 0 || (isOfArea(one) && !records.has(one.path)));
  const chosen = chosenFrom(affected, isOfArea, seconds);
  const left = affected.filter((one) => !chosen.has(one));
  return {
    chosen: [...chosen].map(({ path }) => path),
    left: left.map(({ path }) => path),
    leftSeconds: left.reduce((sum, one) => sum + one.seconds, 0),
    isRecorded: records.size > 0,
  };
}

function candidate(path, record, sources) {
  const executed = sources.flatMap((source) => {
    const built = source.slice('src/'.length).replace(/ts$/, 'js');
    return (record?.functions[built] ?? []).map((start) => `${built}:${start}`);
  });
  return { path, executed, seconds: Math.max(record?.seconds ?? unknownSeconds, 0.1) };
}

function chosenFrom(affected, isOfArea, seconds) {
  const chosen = new Set();
  const executed = new Set();
  let rest = seconds;
  const take = (one) => {
    chosen.add(one);
    rest -= one.seconds;
    for (const place of one.executed) executed.add(place);
  };
  const ofArea = affected.filter(isOfArea).sort((a, b) => a.seconds - b.seconds);
  for (const one of ofArea) if (one.seconds <= rest) take(one);
  const worth = (one) => one.executed.filter((place) => !executed.has(place)).length / one.seconds;
  for (;;) {
    const possible = affected.filter((one) => !chosen.has(one) && one.seconds <= rest);
    const [best] = possible.sort((a, b) => worth(b) - worth(a));
    if (!best) return chosen;
    // each function is executed by a chosen test: each once more
    if (worth(best) === 0) executed.clear();
    take(best);
  }
}
