// The live scenarios: those that need an LDAP directory. Each part has its scenarios in `live/scenarios/PART.mjs` and what the
// reference server answered in `live/recordings/PART.json`. Together they are the group `user-storage-live`.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

export const liveGroup = 'user-storage-live';

const scenarios = new URL('../live/scenarios/', import.meta.url);
const fileOf = (part) => new URL(`../live/recordings/${part}.json`, import.meta.url);

/** The names of the parts. */
export const liveParts = () =>
  readdirSync(scenarios)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => name.slice(0, -'.mjs'.length))
    .sort();

/** The scenarios of a part, each with the recorded answers to its steps. */
export async function loadPart(part) {
  const { default: list } = await import(new URL(`${part}.mjs`, scenarios));
  const recordings = existsSync(fileOf(part)) ? JSON.parse(readFileSync(fileOf(part), 'utf8')) : [];
  const recorded = new Map(recordings.map(({ scenario, steps }) => [scenario, steps]));
  return list.map((scenario) => ({ scenario, recorded: recorded.get(scenario.name) ?? [] }));
}

/** The scenarios of all parts. */
export async function loadLive() {
  const parts = await Promise.all(liveParts().map(loadPart));
  return parts.flat();
}

/** Stores the recorded answers of a part, a scenario after the other: `[{ scenario, steps }]`. */
export function saveRecordings(part, recordings) {
  const line = ({ scenario, steps }) =>
    `{"scenario":${JSON.stringify(scenario)},"steps":[\n${steps.map((step) => JSON.stringify(step)).join(',\n')}\n]}`;
  writeFileSync(fileOf(part), `[${recordings.map(line).join(',\n')}]\n`);
}
