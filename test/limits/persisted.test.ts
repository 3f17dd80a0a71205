import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { readConfig } from '../../src/config/config.js';
import { administrator, type Caller } from '../support/fixture.js';
import { exchange } from '../support/http.js';
import { startServer, type TestServer } from '../support/server.js';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(text) } });
const viewer = 'query Viewer { viewer { displayName } }';
const folder = mkdtempSync(join(tmpdir(), 'realmgate-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function post(server: TestServer, token: string | undefined, body: object) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return exchange(`${server.url}/graphql`, 'POST', headers, JSON.stringify(body)).then(({ status, text }) => ({
    status,
    body: JSON.parse(text) as {
      data?: unknown;
      errors?: { message: string; extensions: { code: string } }[];
      extensions?: { cost: Record<string, number> };
    },
  }));
}
const codeOf = (answer: Awaited<ReturnType<typeof post>>) => answer.body.errors?.[0]?.extensions.code;

describe('automatic persisted queries', () => {
  let server: TestServer;
  let admin: Caller;
  beforeAll(async () => {
    server = await startServer();
    admin = await administrator(server);
  });

  it('are unknown, then registered, then executed by their hash', async () => {
    const unknown = await post(server, admin.token, { extensions: persisted(viewer) });
    expect(unknown.status).toBe(200);
    expect(unknown.body.errors).toEqual([
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
    const registered = await post(server, admin.token, { query: viewer, extensions: persisted(viewer) });
    const named = await post(server, admin.token, { extensions: persisted(viewer) });
    expect(named.body.data).toEqual({ viewer: { displayName: expect.any(String) } });
    expect(named.body.data).toEqual(registered.body.data);
    const byGet = await exchange(
      `${server.url}/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted(viewer)))}`,
      'GET',
      { authorization: `Bearer ${admin.token}`, accept: 'application/json' },
    );
    expect(JSON.parse(byGet.text).data).toEqual(named.body.data);
  });

  it('need the hash of their text', async () => {
    const answer = await post(server, admin.token, { query: viewer, extensions: persisted(`${viewer} `) });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'PERSISTED_QUERY_HASH_MISMATCH']);
    expect(codeOf(await post(server, admin.token, { extensions: persisted(`${viewer} `) }))).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    );
  });

  it('are executed for nobody without a token, and not registered by them', async () => {
    const other = 'query Other { viewer { realm } }';
    await post(server, admin.token, { query: other, extensions: persisted(other) });
    expect((await post(server, undefined, { extensions: persisted(other) })).status).toBe(401);
    const schema = '{ __schema { queryType { name } } }';
    const asked = await post(server, undefined, { query: schema, extensions: persisted(schema) });
    expect(asked.body.data).toEqual({ __schema: { queryType: { name: 'Query' } } });
    expect(codeOf(await post(server, admin.token, { extensions: persisted(schema) }))).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    );
  });

  it('stay within the limits of documents and of cost', async () => {
    const costly = `{ ${Array.from({ length: 30 }, (_, at) => `a${at}: realms(first: 500) { edges { node { users(first: 500) { totalCount } } } }`).join(' ')} }`;
    await post(server, admin.token, { query: costly, extensions: persisted(costly) });
    expect(codeOf(await post(server, admin.token, { extensions: persisted(costly) }))).toBe('TOO_COSTLY');
    const large = `{ viewer { ${'realm '.repeat(2000)} } }`;
    await post(server, admin.token, { query: large, extensions: persisted(large) });
    expect(codeOf(await post(server, admin.token, { extensions: persisted(large) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('are executed over WebSocket', async () => {
    const client = createClient({
      url: `${server.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${admin.token}` },
    });
    const ask = async (query: string, text: string) =>
      (await client.iterate({ query, extensions: persisted(text) }).next()).value;
    const text = 'query Socket { viewer { displayName } }';
    await expect(ask('', text)).rejects.toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    expect(await ask(text, text)).toMatchObject({ data: { viewer: {} } });
    expect(await ask('', text)).toMatchObject({ data: { viewer: {} } });
    await client.dispose();
  });
});

describe('trusted documents', () => {
  let server: TestServer;
  let admin: Caller;
  beforeAll(async () => {
    const path = join(folder, 'documents.json');
    writeFileSync(path, JSON.stringify({ [hashOf(viewer)]: viewer, realmName: '{ realm(name: "master") { name } }' }));
    const { trustedDocuments } = readConfig({ TRUSTED_DOCUMENTS: path });
    server = await startServer({ ...(trustedDocuments && { trustedDocuments }), trustedDocumentsOnly: true });
    admin = await administrator(server);
  });

  it('are executed by hash, by ID, and as text', async () => {
    const data = { viewer: { displayName: expect.any(String) } };
    expect((await post(server, admin.token, { extensions: persisted(viewer) })).body.data).toEqual(data);
    expect((await post(server, admin.token, { documentId: `sha256:${hashOf(viewer)}` })).body.data).toEqual(data);
    expect((await post(server, admin.token, { query: viewer })).body.data).toEqual(data);
    const named = await post(server, admin.token, { documentId: 'realmName' });
    expect(named.body.data).toEqual({ realm: { name: 'master' } });
  });

  it('are the only ones that are executed', async () => {
    const other = '{ viewer { realm } }';
    const refusals = [
      await post(server, admin.token, { query: other }),
      await post(server, admin.token, { query: other, extensions: persisted(other) }),
      await post(server, admin.token, { extensions: persisted(other) }),
      await post(server, admin.token, { query: '{ __schema { queryType { name } } }' }),
    ];
    expect(refusals.map(codeOf)).toEqual([
      'QUERY_NOT_IN_SAFELIST',
      'QUERY_NOT_IN_SAFELIST',
      'PERSISTED_QUERY_NOT_IN_LIST',
      'QUERY_NOT_IN_SAFELIST',
    ]);
    const page = await exchange(`${server.url}/graphql`, 'GET', { accept: 'text/html' });
    expect(page.headers.get('content-type') ?? '').not.toMatch(/html/);
  });

  it('come from a file of Apollo too, and a file with anything else ends the start', () => {
    const manifest = join(folder, 'manifest.json');
    const operations = [{ id: 'abc', body: viewer, name: 'Viewer', type: 'query' }];
    writeFileSync(manifest, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
    expect(readConfig({ TRUSTED_DOCUMENTS: manifest }).trustedDocuments).toEqual(new Map([['abc', viewer]]));
    writeFileSync(manifest, JSON.stringify({ abc: 1 }));
    expect(() => readConfig({ TRUSTED_DOCUMENTS: manifest })).toThrow(/TRUSTED_DOCUMENTS/);
  });
});

describe('the cost of an answer', () => {
  it('counts what was returned, and never more than was requested', async () => {
    const server = await startServer();
    const admin = await administrator(server);
    const cost = async (query: string) => (await post(server, admin.token, { query })).body.extensions?.cost;
    const users = await cost('{ realm(name: "master") { users(first: 100) { edges { node { username email } } } } }');
    // realm, users, and for one user: edges costs nothing, node, username, email
    expect(users).toMatchObject({ actual: 5, requested: 302 });
    const merged = await cost(
      '{ realm(name: "master") { name ...A ... on Node { id } } } fragment A on Realm { name id users(first: 5) { edges { node { id } } } }',
    );
    expect(merged?.actual).toBeLessThanOrEqual(merged?.requested ?? 0);
    expect((await cost('{ realm(name: "absent") { users(first: 100) { totalCount } } }'))?.actual).toBe(1);
  });
});
