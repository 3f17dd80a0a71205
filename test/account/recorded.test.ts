// @both-databases
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admin, startServer } from '../support/server.js';
import { type Played, play } from './recorded/play.mjs';

const read = (name: string) => JSON.parse(readFileSync(new URL(`recorded/${name}`, import.meta.url), 'utf8'));

/** Steps with another answer than the reference server, each with the reason. */
const deviations: Record<string, string> = read('deviations.json');

/** Lists of the reference server have no order. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(unordered).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unordered(inner)]));
}

describe('The account API', () => {
  it('answers as the reference server, apart from the listed deviations', async () => {
    const server = await startServer();
    const recorded: Played[] = read('answers.json');
    const played = await play(`${server.url}/auth`, admin);
    expect(played.map(({ name }) => name)).toEqual(recorded.map(({ name }) => name));
    const differing = played.flatMap((answer, at) => {
      const other = recorded[at];
      return JSON.stringify(unordered(answer)) === JSON.stringify(unordered(other)) ? [] : [{ answer, other }];
    });
    const unlisted = differing.filter(({ answer }) => !(answer.name in deviations));
    expect(unlisted.map(({ answer }) => answer)).toEqual(unlisted.map(({ other }) => other));
    // a step that answers as recorded is no deviation any longer
    expect(Object.keys(deviations).sort()).toEqual(differing.map(({ answer }) => answer.name).sort());
  });
});
