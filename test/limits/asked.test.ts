import { beforeAll, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
});

const roles = (name: string, first: number, directive = '') =>
  `${name}: realms(first: ${first}) ${directive} { nodes { roles(first: ${first}) { nodes { name } } } }`;
const few = roles('few', 2);

/** The answer to the operation of this name. */
async function answerOf(query: string, operationName?: string, variables: object = {}) {
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, operationName, variables }),
  });
  return (await answer.json()) as {
    data?: Record<string, unknown> | null;
    errors?: { extensions: { code: string } }[];
    extensions: { cost: { requested: number } };
  };
}
const costOf = async (query: string, variables = {}) => {
  const { errors, extensions } = await answerOf(query, undefined, variables);
  expect(errors).toBeUndefined();
  return extensions.cost.requested;
};

it('The cost of a request is that of the operation which is executed, wherever it stands in the document', async () => {
  const costly = `query costly { ${roles('many', 500)} }`;
  const cheap = `query cheap { ${few} }`;
  for (const document of [`${costly} ${cheap}`, `${cheap} ${costly}`]) {
    const refused = await answerOf(document, 'costly');
    expect(refused.errors).toMatchObject([{ extensions: { code: 'TOO_COSTLY' } }]);
    expect(refused.data ?? null).toBeNull();
    expect((await answerOf(document, 'cheap')).extensions.cost.requested).toBe(await costOf(cheap));
  }
});

it('What @include and @skip leave out of a request costs nothing, in fields and in both forms of fragments', async () => {
  const alone = await costOf(`{ ${few} }`);
  const many = roles('many', 100);
  const documents = (directive: string, variables = '') => [
    `query ${variables} { ${few} ${roles('many', 100, directive)} }`,
    `query ${variables} { ${few} ... on Query ${directive} { ${many} } }`,
    `query ${variables} { ${few} ...Many ${directive} } fragment Many on Query { ${many} }`,
  ];
  const both = await costOf(`{ ${few} ${many} }`);
  expect(both).toBeGreaterThan(alone);
  for (const document of documents('@include(if: $is)', '($is: Boolean!)')) {
    expect(await costOf(document, { is: false }), document).toBe(alone);
    expect(await costOf(document, { is: true }), document).toBe(both);
  }
  for (const document of documents('@skip(if: $is)', '($is: Boolean!)')) {
    expect(await costOf(document, { is: true }), document).toBe(alone);
    expect(await costOf(document, { is: false }), document).toBe(both);
  }
  for (const document of documents('@skip(if: true)')) expect(await costOf(document), document).toBe(alone);
});

it('A variable with a default value leaves out what the default says', async () => {
  const query = (fallback: boolean) =>
    `query ($is: Boolean = ${fallback}) { ${few} ${roles('many', 100, '@include(if: $is)')} }`;
  expect(await costOf(query(false))).toBe(await costOf(`{ ${few} }`));
  expect(await costOf(query(false), { is: true })).toBe(await costOf(query(true)));
});

it('What would be too costly is refused once it is no longer left out', async () => {
  const query = `query ($is: Boolean!) { ${few} ${roles('many', 500, '@include(if: $is)')} }`;
  expect((await answerOf(query, undefined, { is: false })).errors).toBeUndefined();
  expect((await answerOf(query, undefined, { is: true })).errors).toMatchObject([
    { extensions: { code: 'TOO_COSTLY' } },
  ]);
});

it('A variable with a default value costs what the default says, in the request and in its answer', async () => {
  const query = (variables: string, size: string) =>
    `query ${variables} { realms(first: ${size}) { nodes { roles(first: ${size}) { nodes { name } } } } }`;
  const literal = await answerOf(query('', '7'));
  const fallback = await answerOf(query('($first: Int = 7)', '$first'));
  expect({ ...fallback.extensions.cost, statements: 0 }).toEqual({ ...literal.extensions.cost, statements: 0 });
  const costly = await answerOf(query('($first: Int = 500)', '$first'));
  expect(costly.errors).toMatchObject([{ extensions: { code: 'TOO_COSTLY' } }]);
});
