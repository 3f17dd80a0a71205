// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { mutationsOf } from '../../src/graph/core/mutation.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { operations } from '../../src/services/core/operation.js';
import { administrator, type Caller } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { type Field, type Kind, kindsOf, ofGraphqlAlone, realm } from './kinds.js';

// Two callers change different fields of one thing at the same time, on either surface: both changes are there afterwards.
graphqlSchema();
const pairs = isThorough ? 20 : 5;
const mutations = [...operations().values()]
  .flatMap((one) => (one.kind === 'write' && one.patches ? mutationsOf(one.name) : []))
  .sort();

let admin: Caller;
let kinds: Record<string, Kind>;

beforeAll(async () => {
  admin = await administrator(await startServer());
  kinds = await kindsOf(admin);
});

const patched = (path: string, body: object, headers: Record<string, string> = {}) =>
  admin.send('PATCH', `/${realm}${path}`, body, { 'content-type': 'application/merge-patch+json', ...headers });

async function mutated(mutation: string, input: object) {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${mutation}(input: $input) { isReplayed userErrors { code path message } } }`;
  const { data, errors } = await admin.graphql<Record<string, { isReplayed: boolean; userErrors: object[] }>>(query, {
    input,
  });
  expect(errors).toBeUndefined();
  return data[mutation];
}

/** Names the texts of a round; others than those of the rounds before, on whichever surface. */
let round = 0;

async function together(kind: Kind, change: (field: Field, text: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < pairs; at += 1) {
    round += 1;
    const text = `v${round}`;
    await Promise.all(kind.pair.map((field) => change(field, text)));
    const now = await kind.read();
    for (const field of kind.pair) {
      expect(field.seen(now), JSON.stringify(field.wire(text))).toEqual(field.seen(field.wire(text)));
    }
  }
}

describe.each(mutations)('%s', (mutation) => {
  it('loses none of two simultaneous updates in GraphQL', async () => {
    const kind = kinds[mutation] as Kind;
    await together(kind, async (field, text) => {
      expect((await mutated(mutation, { ...kind.named, ...field.input(text) }))?.userErrors).toEqual([]);
    });
  });

  it('loses none of two simultaneous updates by PATCH', async () => {
    const kind = kinds[mutation] as Kind;
    if (kind.path === undefined) return expect(mutation).toBe(ofGraphqlAlone);
    await together(kind, async (field, text) => {
      const answer = await patched(kind.path ?? '', field.wire(text));
      expect([answer.status, answer.body]).toEqual([204, '']);
    });
  });

  it('gives a retry its first answer although somebody changed another field since', async () => {
    const { named, path, pair } = kinds[mutation] as Kind;
    const [mine, theirs] = pair;
    const input = { ...named, ...mine.input('v1'), idempotencyKey: `retry-${mutation}` };
    expect(await mutated(mutation, input)).toMatchObject({ isReplayed: false, userErrors: [] });
    expect(await mutated(mutation, { ...named, ...theirs.input('v2') })).toMatchObject({ userErrors: [] });
    expect(await mutated(mutation, input)).toMatchObject({ isReplayed: true, userErrors: [] });
    if (path === undefined) return;
    const key = { 'idempotency-key': `patch-${mutation}` };
    expect((await patched(path, mine.wire('v3'), key)).status).toBe(204);
    expect((await patched(path, theirs.wire('v4'))).status).toBe(204);
    expect((await patched(path, mine.wire('v3'), key)).headers.get('idempotency-replayed')).toBe('true');
  });
});
