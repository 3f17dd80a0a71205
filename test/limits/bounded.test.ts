// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { makeBreaksOften } from '../support/often-breaks.js';
import { slowClock, startServer } from '../support/server.js';
import { createCrowd, crowdSize, realm } from './crowd.js';
import { type Place, placesOf } from './listed-types.js';
import { fewerOnPostgresql, fieldsOf, grouped } from './selections.js';

// Every field of every object that a list leads to, over a list of 2 and of many: the same number of statements, although
// nothing is in a cache, and rows that are answered in different turns of the event loop. `realms.test.ts` counts those of a list of realms.
const few = 2;
const many = crowdSize - 2;

const places = placesOf(realm);
const cases = places.flatMap((place) =>
  grouped(fieldsOf(place.type)).map(([name, selection]): [string, Place, string] => [name, place, selection]),
);

let admin: Caller;

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await createCrowd(server.url, admin);
});
makeBreaksOften();

/** Writes in both realms, so that nothing of them is in a cache. */
async function forget(): Promise<void> {
  for (const name of ['master', realm]) expect((await admin.send('PUT', `/${name}`, {})).status).toBe(204);
}

async function statements(query: string): Promise<number> {
  await forget();
  const { extensions, errors } = await admin.graphql(query);
  expect(errors, query).toBeUndefined();
  return extensions?.cost?.statements ?? 0;
}

describe('the statements of a field of each object of a list', () => {
  it('are asked of every type that a list leads to', () => {
    expect(places.length).toBeGreaterThan(30);
  });

  it.each(fewerOnPostgresql(cases, 25))('are bounded: %s', async (_name, { query }, selection) => {
    const [two, more] = [await statements(query(few, selection)), await statements(query(many, selection))];
    expect(more, query(many, selection)).toBe(two);
  });
});
