import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/rest/routes.js';
import { attributesOf } from '../../src/services/core/attribute-query.js';
import { addressOf, type Parameters, parametersOf, realmWithEverything, titleOf } from '../matrix/addresses.js';
import type { Caller } from '../support/fixture.js';
import { startWithRealm } from '../support/fixture.js';
import { sampled } from '../support/sample.js';
import type { TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
let params: Parameters;
let realmId: string;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(realmWithEverything('bodies')));
  params = await parametersOf(admin, 'bodies');
  realmId = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "bodies") { id } }')).data.realm.id;
});

const json = { 'content-type': 'application/json' };
const nested = (count: number, open: string, middle: string, close: string) =>
  open.repeat(count) + middle + close.repeat(count);

/** Values that are deeper than any that means something. */
const deep: Record<string, string> = {
  lists: nested(5000, '[', '1', ']'),
  objects: nested(5000, '{"a":', '1', '}'),
  groups: `{"subGroups":${nested(3000, '[{"name":"a","subGroups":', '[]', '}]')}}`,
  'lists that do not end': '['.repeat(200_000),
};
const takesJson = routes.filter(({ takes }) => takes === 'json');

describe('a body that is nested deeply', () => {
  it.each(
    sampled(
      takesJson.map((route) => [titleOf(route), route] as const),
      6,
    ),
  )('is refused: %s', async (_title, route) => {
    for (const body of Object.values(deep)) {
      const answer = await admin.send(route.method, addressOf(route, params), body, json);
      expect(answer.status).toBe(400);
    }
  });

  it('is refused in a realm file that is put aside while it arrives', async () => {
    const padding = ' '.repeat(9 * 1024 * 1024);
    const text = `{"realm":"deep",${padding}"groups":${nested(5000, '[{"name":"a","subGroups":', '[]', '}]')}}`;
    expect((await admin.send('POST', '/', text, json)).status).toBe(400);
  });

  it('is refused as variables, as a value in a document and over the limit of a filter', async () => {
    const query = 'query ($r: String!, $f: UserFilter) { realm(name: $r) { users(filter: $f) { totalCount } } }';
    for (const levels of [70, 150, 300, 50_000]) {
      const filter = nested(levels, '{"not":', '{"username":{"contains":"a"}}', '}');
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${admin.token}`, accept: 'application/json' },
        body: `{"query":${JSON.stringify(query)},"variables":{"r":"bodies","f":${filter}}}`,
      });
      const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
      expect([levels, errors[0]?.extensions.code]).toEqual([levels, 'INVALID']);
    }
    const literal = nested(300, '{not:', '{username:{contains:"a"}}', '}');
    const { errors } = await admin.graphql(`{ realm(name: "bodies") { users(filter: ${literal}) { totalCount } } }`);
    expect(errors?.[0]?.extensions?.code).toBe('TOO_COSTLY');
  });

  it('is taken at a depth that means something', async () => {
    const groups = nested(60, '[{"name":"a","subGroups":', '[]', '}]');
    expect((await admin.send('POST', '/', `{"realm":"layers","groups":${groups}}`, json)).status).toBe(201);
    const query = 'query ($f: UserFilter) { realm(name: "bodies") { users(filter: $f) { totalCount } } }';
    const { errors } = await admin.graphql(query, { f: JSON.parse(nested(20, '{"not":', '{}', '}')) });
    expect(errors).toBeUndefined();
  });
});

describe('a filter', () => {
  const count = 'query ($f: UserFilter) { realm(name: "bodies") { users(filter: $f) { totalCount } } }';
  const texts = (length: number) => Array.from({ length }, (_, at) => ({ username: { contains: `a${at}` } }));

  it('may have hundreds of tests, and is refused with more', async () => {
    expect((await admin.graphql(count, { f: { or: texts(400) } })).errors).toBeUndefined();
    for (const [length, code] of [
      [2000, 'INVALID'],
      [40_000, 'TOO_COSTLY'],
    ] as const) {
      const { errors } = await admin.graphql(count, { f: { or: texts(length) } });
      expect(errors?.[0]?.extensions?.code).toBe(code);
    }
  });

  it('may have thousands of values in one list', async () => {
    const values = Array.from({ length: 100_000 }, (_, at) => `user-${at}`);
    const { data } = await admin.graphql<{ realm: { users: object } }>(count, { f: { username: { in: values } } });
    expect(data.realm.users).toEqual({ totalCount: 0 });
  });

  it.each([4001, 60_000])('is refused with a text of %i characters', async (length) => {
    const text = 'a_'.repeat(length).slice(0, length);
    const { errors } = await admin.graphql(count, { f: { username: { contains: text } } });
    expect(errors?.[0]?.extensions?.code).toBe('INVALID');
  });

  it('of clients by thousands of attributes is refused', async () => {
    const few = 'key:value%20'.repeat(50);
    expect((await admin.send('GET', `/bodies/clients?q=${few}`)).status).toBe(200);
    expect((await admin.send('GET', `/bodies/clients?q=${'a:b%20'.repeat(4000)}`)).status).toBe(400);
  });

  it('of clients by attributes reads each character a bounded number of times', () => {
    const hostile = [
      'a'.repeat(30_000),
      '"\\'.repeat(15_000),
      '\\"'.repeat(15_000),
      'a:'.repeat(15_000),
      '":'.repeat(15_000),
    ];
    for (const text of hostile) {
      let work = 0;
      const { exec } = RegExp.prototype;
      RegExp.prototype.exec = function (this: RegExp, input: string) {
        const from = this.lastIndex;
        const match = exec.call(this, input);
        // a search that fails has looked at all of the rest
        work += match ? match[0].length + 1 : this.source.startsWith('"') ? input.length - from : 1;
        return match;
      };
      try {
        attributesOf(text);
      } finally {
        RegExp.prototype.exec = exec;
      }
      expect(work).toBeLessThan(5 * text.length);
    }
  });
});

describe('a page', () => {
  it.each(['first=2147483647', 'max=2147483647', 'first=2147483647&max=2147483647', 'first=0&max=2147483647'])(
    'of %s is answered',
    async (paging) => {
      for (const path of ['users', 'groups', 'roles', 'clients', 'events', 'admin-events']) {
        expect((await admin.send('GET', `/bodies/${path}?${paging}`)).status).toBe(200);
      }
    },
  );

  it('of more than the limit is refused in GraphQL', async () => {
    for (const first of [501, 2_147_483_647, -1]) {
      const { errors } = await admin.graphql(`{ realm(name: "bodies") { users(first: ${first}) { totalCount } } }`);
      expect(errors?.[0]?.extensions?.code).toMatch(/LIMIT|TOO_COSTLY/);
    }
  });

  it('is answered with thousands of parameters, and refused with too long an address', async () => {
    expect((await admin.send('GET', `/bodies/users?${'a&'.repeat(12_000)}`)).status).toBe(200);
    expect((await admin.send('GET', `/bodies/users?${'a&'.repeat(50_000)}`)).status).toBe(431);
  });
});

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  it.each([
    '/protocol/openid-connect/token',
    '/protocol/openid-connect/auth',
    '/login-actions/authenticate',
    '/device',
  ])('with a hundred thousand fields is refused: %s', async (path) => {
    const answer = await admin.send('POST', `/realms/bodies${path}`, 'a=&'.repeat(100_000), form);
    expect(answer.status).toBe(413);
  });

  it('with thousands of parts is refused or read without an internal error', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n';
    const body = `${part.repeat(50_000)}--b--\r\n`;
    for (const { method, path } of routes.filter(({ takes }) => takes === 'upload')) {
      const route = routes.find((one) => one.method === method && one.path === path);
      if (!route) continue;
      const answer = await admin.send(method, addressOf(route, params), body, {
        'content-type': 'multipart/form-data; boundary=b',
      });
      expect(answer.status).toBe(400);
    }
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(response.status).toBe(400);
  });

  it('is refused where it is cut', async () => {
    const type = 'multipart/form-data; boundary=b';
    const part = (name: string, content: string, file = '') =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
    const texts = `${part('operations', '{"query":"{ __typename }"}')}${part('map', '{"file":[]}')}`;
    const body = `${texts}${part('file', '{"a":1}', '; filename="f"')}`;
    for (let length = 0; length <= body.length; length += 1) {
      const cut = body.slice(0, length);
      for (const route of routes.filter(({ takes }) => takes === 'upload')) {
        const answer = await admin.send(route.method, addressOf(route, params), cut, { 'content-type': type });
        expect([length, answer.status]).toEqual([length, 400]);
      }
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
        body: cut,
      });
      expect([length, response.status]).toEqual([length, 400]);
    }
  });
});

describe('a compressed body', () => {
  it.each(['gzip', 'deflate', 'br', 'identity, gzip'])('is refused: %s', async (encoding) => {
    const answer = await admin.send('POST', '/bodies/roles', '\u001f\u008b{"name":"packed"}', {
      ...json,
      'content-encoding': encoding,
    });
    expect([400, 415]).toContain(answer.status);
    const unpacked = await admin.send('POST', '/bodies/roles', { name: 'packed' }, { 'content-encoding': encoding });
    expect(unpacked.status).toBe(415);
  });
});

describe('keys that objects of JavaScript have already', () => {
  const hostile = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];

  it.each(hostile)('%s is kept as an attribute, or refused', async (key) => {
    const kinds: [string, string, string][] = [
      ['roles', `{"name":"r-${key}","attributes":{${JSON.stringify(key)}:["x"]}}`, `/bodies/roles/r-${key}`],
      ['groups', `{"name":"g-${key}","attributes":{${JSON.stringify(key)}:["x"]}}`, ''],
      ['users', `{"username":"u-${key}","attributes":{${JSON.stringify(key)}:["x"]}}`, ''],
      ['clients', `{"clientId":"c-${key}","attributes":{${JSON.stringify(key)}:"x"}}`, ''],
      ['client-scopes', `{"name":"s-${key}","attributes":{${JSON.stringify(key)}:"x"}}`, ''],
    ];
    for (const [path, body, found] of kinds) {
      const answer = await admin.send('POST', `/bodies/${path}`, body, json);
      if (key === '__proto__') {
        expect([path, answer.status]).toEqual([path, 400]);
        continue;
      }
      expect([path, answer.status]).toEqual([path, 201]);
      const location = found || new URL(answer.headers.get('location') ?? '').pathname.replace('/auth', '');
      const { attributes } = (await admin.send('GET', location)).body;
      expect(Object.getOwnPropertyDescriptor(attributes, key)?.value).toEqual(path.startsWith('client') ? 'x' : ['x']);
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    const input = { container: realmId, name: `q-${key}`, attributes: [{ name: key, values: ['x'] }] };
    const created = await admin.graphql<{ roleCreate: { userErrors: unknown[] } }>(
      'mutation ($input: RoleCreateInput!) { roleCreate(input: $input) { role { attributes { name } } userErrors { code } } }',
      { input },
    );
    expect(created.data.roleCreate).toEqual(
      key === '__proto__'
        ? { role: null, userErrors: [{ code: 'INVALID' }] }
        : { role: { attributes: [{ name: key }] }, userErrors: [] },
    );
  });

  it.each(
    sampled(
      takesJson.map((route) => [titleOf(route), route] as const),
      6,
    ),
  )('a field __proto__ is never taken for that of the object: %s', async (_title, route) => {
    const answer = await admin.send(route.method, addressOf(route, params), '{"__proto__":{"name":"x"}}', json);
    expect(answer.status).toBe(400);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });
});
