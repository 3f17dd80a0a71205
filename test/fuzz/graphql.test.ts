import { buildSchema, type GraphQLObjectType, printSchema } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { limits } from '../../src/graph/limits.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { Generator, type Request } from './generator.js';
import { realm, representation } from './world.js';

// Other seeds and more operations by hand: FUZZ_SEED=7 FUZZ_OPERATIONS=5000 npx vitest run test/fuzz
const seed = Number(process.env.FUZZ_SEED ?? 1);
const operations = Number(process.env.FUZZ_OPERATIONS ?? 300);
/** What would take the realm away, or wait for others. */
const left = new Set(['realmDelete', 'realmRename', 'realmCreate', 'realmImport', 'realmTestSmtp', 'webhookPing']);
/** Milliseconds that no request may take. */
const longest = 5000;

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer(process.env.FUZZ_SEED ? { logLevel: 'error' } : {}));
  expect((await admin.send('POST', '/', representation)).status).toBe(201);
  // its keys are made now: a mutation marked @dryRun that signs cannot make them
  expect((await admin.send('GET', `/${realm}/keys`)).status).toBe(200);
});

it(`answers ${operations} random operations without an error of its own, within the limits`, async () => {
  const schema = buildSchema(printSchema(graphqlSchema()));
  const { data } = await admin.graphql<{ viewer: { userId: string }; realm: { id: string } }>(
    '{ viewer { userId } realm(name: "master") { id } }',
  );
  const self = Buffer.from(`User:${data.viewer.userId}`).toString('base64');
  const generator = new Generator(schema, seed, realm, new Set([self, data.realm.id]));
  const { Mutation } = schema.getTypeMap();
  const mutations = Object.values((Mutation as GraphQLObjectType).getFields()).filter(({ name }) => !left.has(name));
  const problems: string[] = [];
  const outcomes = { done: 0, refused: 0, changed: 0 };
  for (let n = 0; n < operations; n++) {
    const mutation = n % 2 === 0 ? mutations[(n / 2) % mutations.length] : undefined;
    const request: Request = mutation ? generator.mutation(mutation) : generator.query();
    const start = performance.now();
    const answer = await admin.graphql(request.query, request.variables);
    const took = performance.now() - start;
    generator.learn(answer.data);
    const internal = answer.errors?.find(({ extensions }) => extensions?.code === 'INTERNAL');
    const cost = answer.extensions?.cost;
    const tooCostly = answer.data && cost && cost.complexity > limits.complexity;
    if (internal || answer.status >= 500 || tooCostly || took > longest) {
      problems.push(JSON.stringify({ n, status: answer.status, took, cost, errors: answer.errors, ...request }));
    }
    outcomes[answer.errors ? 'refused' : 'done'] += 1;
    if (mutation && !answer.errors && !/"message_UserError"|"code_UserError"/.test(JSON.stringify(answer.data))) {
      outcomes.changed += 1;
    }
  }
  expect(problems).toEqual([]);
  // most of them get past the validation
  if (process.env.FUZZ_SEED) console.log(outcomes);
  expect(outcomes.done).toBeGreaterThan(operations / 3);
}, 600_000);
