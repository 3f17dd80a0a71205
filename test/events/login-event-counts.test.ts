// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

const lengths = { MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 };
const noon = Date.parse('2026-03-28T12:00:00.000Z');
const realm = 'counted';
/** At the borders of intervals of each length, and beside them. */
const times = Object.values(lengths).flatMap((length) =>
  [0, 1, 2, 5, 23].flatMap((at) => [-1, 0, 1].map((beside) => noon + at * length + beside)),
);

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  expect((await admin.send('POST', '/', { realm, enabled: true })).status).toBe(201);
  const { id: realmId } = (await admin.send('GET', `/${realm}`)).body;
  const data = times.map((time, at) => ({
    id: `${realm} ${at}`,
    realmId,
    time: BigInt(time),
    type: at % 3 === 0 ? 'LOGIN_ERROR' : 'LOGIN',
    ipAddress: at % 2 === 0 ? '192.0.2.1' : null,
  }));
  await server.database.transaction((tx) => tx.loginEvent.createMany({ data }));
});

interface Count {
  start: string;
  count: number;
}
interface Answer {
  realm: { loginEventCounts: Count[]; [list: string]: unknown };
}

const fieldOf = (args: string) => `loginEventCounts(${args}) { start count }`;
const from = new Date(noon).toISOString();

/** The counts of a realm, and what the list has in each of the intervals. */
async function countsAndLists(interval: keyof typeof lengths, count: number, filter: string) {
  const borders = Array.from({ length: count + 1 }, (_, at) => new Date(noon + at * lengths[interval]).toISOString());
  const lists = borders.slice(1).map((before, at) => {
    const time = `{ time: { atOrAfter: "${borders[at]}", before: "${before}" } }`;
    return `n${at}: loginEvents(first: 1, filter: { and: [${time}, ${filter}] }) { totalCount }`;
  });
  const counted = fieldOf(`from: "${from}", interval: ${interval}, count: ${count}, filter: ${filter}`);
  const { data, errors } = await admin.graphql<Answer>(
    `{ realm(name: "${realm}") { ${[counted, ...lists].join('\n')} } }`,
  );
  expect(errors).toBeUndefined();
  const { loginEventCounts, ...found } = data.realm;
  const listed = Object.values(found as Record<string, { totalCount: number }>).map(({ totalCount }) => totalCount);
  return { counts: loginEventCounts, expected: listed.map((events, at) => ({ start: borders[at], count: events })) };
}

describe('the numbers of login events in intervals', () => {
  it.each([
    ['MINUTE', '{}'],
    ['HOUR', '{}'],
    ['DAY', '{}'],
    ['HOUR', '{ types: [LOGIN] }'],
    ['HOUR', '{ not: { ipAddress: { equals: "192.0.2.1" } } }'],
    ['DAY', '{ types: [LOGIN_ERROR], time: { before: "2026-03-29T12:00:00.001Z" } }'],
  ] as const)('are those of lists, by %s with the filter %s', async (interval, filter) => {
    const { counts, expected } = await countsAndLists(interval, 24, filter);
    expect(counts).toEqual(expected);
    expect(counts.some(({ count }) => count > 0)).toBe(true);
    expect(counts.some(({ count }) => count === 0)).toBe(true);
  });

  it.each([
    ['count', `from: "${from}", interval: HOUR, count: 0`, '`count` must be from 1 to 750, got 0'],
    ['count', `from: "${from}", interval: HOUR, count: 751`, '`count` must be from 1 to 750, got 751'],
    ['from', 'from: "+275760-09-12T23:00:00.000Z", interval: DAY, count: 2', '`from` must be earlier'],
  ])('are refused by the name of the argument %s: %s', async (argument, args, message) => {
    const { errors } = await admin.graphql(`{ realm(name: "${realm}") { ${fieldOf(args)} } }`);
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'LIMIT', field: argument } },
    ]);
  });

  it('cost as much as the intervals that are returned', async () => {
    const cost = async (count: number) => {
      const field = fieldOf(`from: "${from}", interval: HOUR, count: ${count}`);
      return (await admin.graphql(`{ realm(name: "${realm}") { ${field} } }`)).extensions?.cost?.requested ?? 0;
    };
    expect((await cost(100)) - (await cost(10))).toBe(180);
  });
});
