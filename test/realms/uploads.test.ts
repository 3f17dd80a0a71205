import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// Files that come with a GraphQL request, by the multipart request convention.
let server: TestServer;
let admin: Caller;
let realmId: string;
let clientId: string;

const realm = 'uploads';

beforeAll(async () => {
  server = await startServer({ bodyLimit: 20_000 });
  admin = await administrator(server);
  const created = await admin.send('POST', '/', { realm, enabled: true, clients: [{ clientId: 'shop' }] });
  expect(created.status).toBe(201);
  const found = await admin.graphql<{
    realm: { id: string; clients: { edges: { node: { id: string; clientId: string } }[] } };
  }>(`{ realm(name: "${realm}") { id clients(first: 20) { edges { node { id clientId } } } } }`);
  realmId = found.data.realm.id;
  clientId = found.data.realm.clients.edges.find(({ node }) => node.clientId === 'shop')?.node.id ?? '';
});

interface Form {
  operations?: unknown;
  map?: unknown;
  files?: Record<string, string>;
  headers?: Record<string, string>;
}

async function post({ operations, map, files = {}, headers }: Form) {
  const form = new FormData();
  if (operations !== undefined) form.set('operations', JSON.stringify(operations));
  if (map !== undefined) form.set('map', JSON.stringify(map));
  for (const [part, content] of Object.entries(files)) form.set(part, new Blob([content]), `${part}.txt`);
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: headers ?? { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

/** The fields of inputs that take a file. */
const fileFields: Record<string, string> = { localizationTextsSet: 'texts', clientCertificateUpload: 'file' };

/** Performs a mutation with a file in its input. */
async function upload(name: string, input: object, content: string, answer = '') {
  const field = fileFields[name] ?? 'representation';
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${answer} userErrors { code path message } } }`;
  const { status, body } = await post({
    operations: { query, variables: { input: { ...input, [field]: { upload: null } } } },
    map: { file: [`variables.input.${field}.upload`] },
    files: { file: content },
  });
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data[name];
}

describe('a file of a GraphQL request', () => {
  it('is a realm to import', async () => {
    const file = JSON.stringify({ realm: 'from-file', users: [{ username: 'ann' }] });
    const done = await upload('realmImport', {}, file, 'realm { name users { totalCount } }');
    expect(done).toEqual({ realm: { name: 'from-file', users: { totalCount: 1 } }, userErrors: [] });
  });

  it('is a realm to import that is larger than other bodies may be', async () => {
    const users = Array.from({ length: 4500 }, (_, n) => ({
      username: `user-${n}`,
      attributes: { padding: ['x'.repeat(2000)] },
    }));
    const file = (more: object) => JSON.stringify({ realm: 'large-file', users, ...more });
    const refused = await upload('realmImport', {}, file({ users: [...users, { username: 'user-0' }] }));
    expect(refused.userErrors).toMatchObject([{ code: 'CONFLICT', path: ['representation', 'upload', 'users'] }]);
    const done = await upload('realmImport', {}, file({}), 'realm { users { totalCount } }');
    expect(done).toEqual({ realm: { users: { totalCount: users.length } }, userErrors: [] });
  });

  it('is what is imported into a realm', async () => {
    const file = JSON.stringify({ users: [{ username: 'ben' }], groups: [{ name: 'staff' }] });
    const results = 'results { kind name action }';
    const done = await upload('realmPartialImport', { id: realmId }, file, results);
    expect(done.userErrors).toEqual([]);
    expect(done.results).toHaveLength(2);
    const again = await upload('realmPartialImport', { id: realmId, policy: 'SKIP' }, file, results);
    expect(again.results.map(({ action }: { action: string }) => action)).toEqual(['SKIPPED', 'SKIPPED']);
  });

  it('is the texts of a locale', async () => {
    const input = { realm: realmId, locale: 'de' };
    expect((await upload('localizationTextsSet', input, '{"hello":"Hallo"}')).userErrors).toEqual([]);
    expect((await admin.send('GET', `/${realm}/localization/de`)).body).toEqual({ hello: 'Hallo' });
    expect((await upload('localizationTextsSet', input, '{"hello"')).userErrors).toMatchObject([{ code: 'INVALID' }]);
  });

  it('is the keys of a client', async () => {
    const key = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const jwk = await crypto.subtle.exportKey('jwk', key.publicKey);
    const file = JSON.stringify({ keys: [{ ...jwk, kid: 'one', use: 'sig', alg: 'ES256' }] });
    const input = { client: clientId, purpose: 'jwt.credential', format: 'JWKS' };
    const answer = 'client { certificate(purpose: "jwt.credential") { keyId publicKey } }';
    const done = await upload('clientCertificateUpload', input, file, answer);
    expect(done.userErrors).toEqual([]);
    expect(done.client.certificate.publicKey).toBeTruthy();
  });

  it('is a document to read settings of', async () => {
    const query = `query ($provider: Upload!, $client: Upload!) { realm(name: "${realm}") {
      identityProviderSettings(type: OIDC, document: { upload: $provider }) { name value }
      clientDescriptionConvert(document: { upload: $client }) } }`;
    const { body } = await post({
      operations: { query, variables: { provider: null, client: null } },
      map: { 0: ['variables.provider'], 1: ['variables.client'] },
      files: { 0: '{"issuer":"https://partner.example"}', 1: '{"clientId":"described"}' },
    });
    expect(body.errors).toBeUndefined();
    expect(body.data.realm.identityProviderSettings).toContainEqual({
      name: 'issuer',
      value: 'https://partner.example',
    });
    expect(body.data.realm.clientDescriptionConvert).toMatchObject({ clientId: 'described' });
  });

  it('takes the place of the value, and does not come beside it', async () => {
    const query = 'mutation ($input: RealmImportInput!) { realmImport(input: $input) { userErrors { code path } } }';
    for (const representation of [{ json: {}, upload: null }, {}, { json: null }]) {
      const { errors } = await admin.graphql(query, { input: { representation } });
      expect(errors?.[0]?.message).toMatch(/Exactly one key must be specified|must be non-null/);
    }
  });

  it('has a limit', async () => {
    const input = { realm: realmId, locale: 'de' };
    const { userErrors } = await upload('localizationTextsSet', input, `{"hello":"${'x'.repeat(20_000)}"}`);
    expect(userErrors).toMatchObject([{ code: 'TOO_LARGE', path: ['texts', 'upload'] }]);
  });
});

describe('a form', () => {
  const operations = { query: 'query ($file: Upload) { __typename }', variables: { file: null } };
  const map = { a: ['variables.file'] };
  const files = { a: 'content' };

  it('takes a token, which no page elsewhere can send along', async () => {
    const answer = await post({ operations, map, files, headers: {} });
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('has to say which variable is which file', async () => {
    for (const form of [
      { map, files },
      { operations, files },
      { operations: [operations], map, files },
      { operations, map },
      { operations, map: { a: 'variables.file' }, files },
      { operations, map: {}, files },
      { operations, map, files: { ...files, b: 'more' } },
      { operations, map: { a: ['variables.nothing'] }, files },
      { operations, map: { a: ['variables.__proto__.file'] }, files },
      { operations: { ...operations, variables: { file: 'text' } }, map, files },
      { operations: { query: operations.query, variables: { file: 'text' } }, map: {} },
      { operations, map, files: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [String(n), ''])) },
    ]) {
      const { status, body } = await post(form);
      expect([form, status < 500 && body.errors?.length > 0]).toEqual([form, true]);
    }
  });

  it('is refused where it is cut', async () => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{ __ty',
    });
    expect(response.status).toBe(400);
  });
});
