import { buildSchema, type GraphQLNamedType, type GraphQLObjectType, printSchema } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { limits } from '../../src/graph/core/limits.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import { Generator, type Request } from './generator.js';
import { send } from './send.js';
import { realm, representation } from './world.js';

// With one seed the requests look the same in every run. Other seeds and more operations by hand:
// FUZZ_SEED=7 FUZZ_OPERATIONS=5000 npx vitest run test/fuzz
const seed = Number(process.env.FUZZ_SEED ?? 1);
/** What would take the realm away, or wait for others. */
const left = new Set([
  'realmDelete',
  'realmRename',
  'realmCreate',
  'realmImport',
  'realmTestSmtp',
  'webhookPing',
  'webhookDeliveryReplay',
]);
/** Milliseconds that no request may take; machines that run all tests at once are not held to it. */
const longest = process.env.FUZZ_SEED ? 5000 : Number.POSITIVE_INFINITY;

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(representation, process.env.FUZZ_SEED ? { logLevel: 'error' } : {}));
  // its keys are made now: a mutation marked @dryRun that signs cannot make them
  expect((await admin.send('GET', `/${realm}/keys`)).status).toBe(200);
});

it('answers random operations without an error of its own, within the limits', async () => {
  const schema = buildSchema(printSchema(graphqlSchema()));
  const { data } = await admin.graphql<{ viewer: { userId: string }; realm: { id: string } }>(
    '{ viewer { userId } realm(name: "master") { id } }',
  );
  const self = data.viewer.userId;
  const generator = new Generator(schema, seed, realm, new Set([self, data.realm.id]));
  const { Mutation, Subscription } = schema.getTypeMap();
  const fieldsOf = (type: GraphQLNamedType | undefined) => Object.values((type as GraphQLObjectType).getFields());
  const mutations = fieldsOf(Mutation).filter(({ name }) => !left.has(name));
  const subscriptions = fieldsOf(Subscription);
  // unless told, each mutation once, as many queries, and each subscription several times
  const operations = Number(process.env.FUZZ_OPERATIONS ?? 2 * mutations.length + 20);
  const problems: string[] = [];
  const outcomes = { done: 0, refused: 0, changed: 0 };
  for (let n = 0; n < operations; n++) {
    const mutation = n % 2 === 0 ? mutations[(n / 2) % mutations.length] : undefined;
    const subscription = n % 20 === 19 ? subscriptions[((n - 19) / 20) % subscriptions.length] : undefined;
    generator.begin(n);
    const request: Request = mutation
      ? generator.mutation(mutation)
      : subscription
        ? generator.subscription(subscription)
        : generator.query();
    const start = performance.now();
    const answer = await send(server, admin.token, request);
    const took = performance.now() - start;
    generator.learn(answer.data);
    const internal = answer.errors?.find(({ extensions }) => extensions?.code === 'INTERNAL');
    const cost = answer.extensions?.cost;
    const tooCostly = answer.data && cost && cost.requested > limits.requested;
    if (internal || answer.status >= 500 || tooCostly || took > longest) {
      problems.push(JSON.stringify({ n, status: answer.status, took, cost, errors: answer.errors, ...request }));
    }
    // what one field of a query refuses leaves the others answered
    outcomes[answer.data ? 'done' : 'refused'] += 1;
    if (mutation && !answer.errors && !/"message_UserError"|"code_UserError"/.test(JSON.stringify(answer.data))) {
      outcomes.changed += 1;
    }
  }
  expect(problems).toEqual([]);
  // most of them get past the validation
  if (process.env.FUZZ_SEED) console.log(outcomes);
  expect(outcomes.done).toBeGreaterThan(operations / 3);
}, 600_000);

it('asks the same with the same seed, whatever it has learnt', () => {
  const schema = buildSchema(printSchema(graphqlSchema()));
  const [one, other] = [0, 1].map(() => new Generator(schema, seed, realm, new Set())) as [Generator, Generator];
  other.learn({ __typename: 'User', id: 'VXNlcjox', username_User: 'ann', roles: [{ __typename: 'Role', id: 'x' }] });
  for (let n = 0; n < 50; n++) {
    for (const generator of [one, other]) generator.begin(n);
    expect(other.query().query).toBe(one.query().query);
  }
});
