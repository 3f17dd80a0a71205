import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, callerWith, userOf } from '../support/fixture.js';
import { slowClock, startServer, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

let server: TestServer;
let admin: Caller;
let nobody: Caller;
let plain: Caller;

beforeAll(async () => {
  server = await startServer({}, slowClock);
  admin = await administrator(server);
  nobody = callerWith(server, undefined);
  const users = [{ username: 'plain', enabled: true, credentials: [{ type: 'password', value: 'right' }] }];
  expect((await admin.send('POST', '/', { realm: 'limits', enabled: true, users })).status).toBe(201);
  plain = await userOf(server, 'limits', 'plain', 'right');
});

const usual = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
const times = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));
const nested = (count: number, open: string, middle: string, close: string) =>
  open.repeat(count) + middle + close.repeat(count);
const inRealm = (selection: string) => `{ realm(name: "master") { ${selection} } }`;

/** Documents that are small to send and a lot of work to validate or to execute. */
const costly: Record<string, string> = {
  'sixty aliases of the schema': `{ ${times(60, (at) => `a${at}: __schema { types { name fields { name } } }`).join(' ')} }`,
  'fields of types of fields': `{ __schema { types { fields { type { fields { ${times(9, (at) => `a${at}: type { name }`).join(' ')} } } } } } }`,
  'aliases within the schema': `{ __schema { ${times(40, (at) => `a${at}: types { fields { name args { name } } }`).join(' ')} } }`,
  'the schema by fragments': `{ __schema { ${times(20, (at) => `a${at}: types { ...T }`).join(' ')} } } fragment T on __Type { a: fields { ...F } b: fields { ...F } } fragment F on __Field { args { name type { name } } type { name } }`,
  'one field, five thousand times': inRealm('name '.repeat(4900)),
  'a thousand aliases': inRealm(times(1000, (at) => `a${at}: name`).join(' ')),
  'hundreds of directives': inRealm(`name ${'@skip(if: false) '.repeat(700)}`),
  'hundreds of fragments': `${inRealm(times(300, (at) => `...f${at}`).join(' '))} ${times(300, (at) => `fragment f${at} on Realm { name }`).join(' ')}`,
  'hundreds of operations': times(300, (at) => `query q${at} { __typename }`).join(' '),
  'two thousand levels of fields': `{ realm(name: "master") ${nested(2000, '{ realm ', '{ name }', '}')} }`,
  'two thousand levels of lists': `{ realm(name: ${nested(2000, '[', '"a"', ']')}) { name } }`,
  'a text of a megabyte': `{ realm(name: "${'x'.repeat(1024 * 1024)}") { name } }`,
};

describe('a document', () => {
  it.each(Object.entries(costly))('with %s is refused', async (_name, query) => {
    const { data, errors } = await admin.graphql<null>(query, undefined);
    expect(errors).toHaveLength(1);
    expect(errors?.[0]?.extensions?.code).toBe('TOO_COSTLY');
    expect(data ?? null).toBeNull();
  });

  it.each(Object.entries(costly))('with %s is refused without a token, before it is executed', async (_name, query) => {
    const { result, statements } = await measureStatements(server, () => nobody.graphql<null>(query));
    const { status, errors, data } = result;
    expect([400, 401]).toContain(status);
    expect(errors?.[0]?.extensions?.code).toMatch(/^(TOO_COSTLY|UNAUTHENTICATED)$/);
    expect(data ?? null).toBeNull();
    expect(statements).toBe(0);
  });

  it.each(['{ realm(name: "master") { name } }', 'mutation { __typename }', '{ ... on Query { __typename } }'])(
    'that asks for data is refused without a token, ahead of validation: %s',
    async (query) => {
      const { status, errors } = await nobody.graphql(query);
      expect({ status, code: errors?.[0]?.extensions?.code }).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
    },
  );

  it('with a fragment within itself is refused', async () => {
    const cycle = 'fragment A on Realm { ...B } fragment B on Realm { ...A }';
    expect((await admin.graphql(`${inRealm('...A')} ${cycle}`)).errors?.length).toBeGreaterThan(0);
    const schema = 'fragment A on __Schema { types { name } ...A }';
    expect((await nobody.graphql(`{ __schema { ...A } } ${schema}`)).errors?.length).toBeGreaterThan(0);
  });

  it('is alone in its request', async () => {
    for (const token of [admin.token, undefined]) {
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(times(100, () => '{ __typename }').map((query) => ({ query }))),
      });
      expect(response.status).toBe(400);
    }
  });

  it('whose variables are nested deeply is refused by GET as well', async () => {
    const query = 'query ($f: UserFilter) { realm(name: "master") { users(filter: $f) { totalCount } } }';
    const variables = `{"f":${nested(1000, '{"not":', '{}', '}')}}`;
    const address = `${server.url}/graphql?${new URLSearchParams({ query, variables })}`;
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${admin.token}`, accept: 'application/json' },
    });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(errors[0]?.extensions.code).toBe('INVALID');
  });
});

describe('introspection', () => {
  it('is open to everybody once in a request, and answered from memory the second time', async () => {
    const first = await nobody.graphql<{ __schema: { types: unknown[] } }>(usual);
    expect(first.status).toBe(200);
    expect(first.data.__schema.types.length).toBeGreaterThan(100);
    expect(await nobody.graphql(usual)).toEqual(first);
    const { data } = await nobody.graphql(usual, { other: 1 });
    expect(data).toEqual(first.data);
    const known = await admin.graphql<{ __schema: { types: unknown[] } }>(usual);
    expect(known.data).toEqual(first.data);
    const { errors } = await nobody.graphql('{ a: __schema { types { name } } b: __schema { types { name } } }');
    expect(errors?.[0]?.extensions?.code).toBe('TOO_COSTLY');
  });

  it('is remembered by document, operation and variables', async () => {
    const query = 'query a($n: String!) { __type(name: $n) { name } } ';
    const nameOf = async (caller: Caller, n: string) => (await caller.graphql(query, { n })).data;
    for (const caller of [nobody, admin, nobody, admin]) {
      expect(await nameOf(caller, 'Realm')).toEqual({ __type: { name: 'Realm' } });
      expect(await nameOf(caller, 'User')).toEqual({ __type: { name: 'User' } });
    }
  });

  it('may be for callers with a token, or for administrators, only', async () => {
    const { databaseUrl } = server.services.config;
    const asks = async (to: TestServer, { token }: Caller) => {
      const { status, errors } = await callerWith(to, token || undefined).graphql(usual);
      return [status, errors?.[0]?.extensions?.code];
    };
    const closed = await startServer({ databaseUrl, graphqlIntrospection: 'authenticated' });
    expect(await asks(closed, nobody)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await asks(closed, plain)).toEqual([200, undefined]);
    const narrow = await startServer({ databaseUrl, graphqlIntrospection: 'administrators' });
    expect(await asks(narrow, admin)).toEqual([200, undefined]);
    expect(await asks(narrow, nobody)).toEqual([401, 'UNAUTHENTICATED']);
    expect((await asks(narrow, plain))[1]).toBe('FORBIDDEN');
  });
});
