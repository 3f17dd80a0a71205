import { beforeAll, describe, expect, it } from 'vitest';
import { importShop } from '../login/realm.js';
import { administrator, type Caller } from '../support/fixture.js';
import { jsonServer } from '../support/json-server.js';
import { startServer } from '../support/server.js';
import { callback, realm } from './relying-party.js';

let admin: Caller;
let sector: string;
let listed: string[] | undefined;
let asked = 0;

const pairwiseMapper = (uri: string) => ({
  name: 'pairwise',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-sha256-pairwise-sub-mapper',
  config: { sectorIdentifierUri: uri },
});

beforeAll(async () => {
  const server = await startServer({ fetchPrivateAddresses: true });
  admin = await administrator(server);
  const document = async () => {
    asked += 1;
    // would wait for a transaction that waits for the document
    await admin.send('POST', `/admin/realms/${realm}/roles`, { name: `meanwhile ${asked}` });
    return listed;
  };
  sector = `${await jsonServer(document)}/sector`;
  await importShop(admin, { clients: [{ clientId: 'usual', redirectUris: [callback] }] });
});

describe('the sector of a client', () => {
  const clients = `/admin/realms/${realm}/clients`;
  const mismatch = 'Client redirect URIs does not match redirect URIs fetched from the Sector Identifier URI.';
  const unread = 'Failed to get redirect URIs from the Sector Identifier URI.';
  const make = async (clientId: string, redirectUris: string[], more: object = {}) =>
    admin.send('POST', clients, { clientId, redirectUris, protocolMappers: [pairwiseMapper(sector)], ...more });

  it('has to list its redirect URIs when it is made and changed', async () => {
    listed = [callback, 'http://root.example/in'];
    const { status, headers } = await make('pairwise', [callback]);
    expect(status).toBe(201);
    const path = `${clients}/${headers.get('location')?.split('/').at(-1)}`;
    const { body: client } = await admin.send('GET', path);
    const put = async (change: object) => {
      const { status, body } = await admin.send('PUT', path, { ...client, ...change });
      return status === 204 ? status : [status, body.error, body.error_description];
    };
    expect(await put({ redirectUris: [callback, 'http://evil.example/in'] })).toEqual([400, 'invalid_input', mismatch]);
    expect(await put({ redirectUris: ['http://app.example/*'] })).toEqual([400, 'invalid_input', mismatch]);
    expect(await put({ redirectUris: ['/in'], rootUrl: 'http://evil.example' })).toEqual([
      400,
      'invalid_input',
      mismatch,
    ]);
    expect(await put({ redirectUris: ['/in'], rootUrl: 'http://root.example' })).toBe(204);
    expect(await put({ redirectUris: [callback] })).toBe(204);
    listed = undefined;
    // what is there already goes on while the document cannot be read
    expect(await put({ name: 'renamed' })).toBe(204);
    expect(await put({ redirectUris: [callback, `${callback}/more`] })).toEqual([400, 'invalid_input', unread]);
    expect(await put({ protocolMappers: [pairwiseMapper(`${sector}/other`)] })).toEqual([400, 'invalid_input', unread]);
    expect((await make('unlisted', [callback])).body.error_description).toBe(unread);
    listed = [];
    expect((await make('unlisted', [callback])).body.error_description).toBe(mismatch);
  });

  it('has to list them when several clients are changed at once', async () => {
    listed = [callback];
    const { headers } = await make('in a batch', [callback]);
    const id = headers.get('location')?.split('/').at(-1) ?? '';
    const update = async (redirectUris: string[], directive = '') => {
      const node = (type: string, of: string) => Buffer.from(`${type}:${of}`).toString('base64');
      const { body: owner } = await admin.send('GET', `/admin/realms/${realm}`);
      const { data } = await admin.graphql<{ clientsUpdate: { userErrors: { message: string }[] } }>(
        `mutation ($input: ClientsUpdateInput!) ${directive} { clientsUpdate(input: $input) { userErrors { message } } }`,
        { input: { realm: node('Realm', owner.id), clients: [{ id: node('Client', id), redirectUris }] } },
      );
      return data.clientsUpdate.userErrors;
    };
    expect(await update(['http://evil.example/in'])).toEqual([{ message: mismatch }]);
    expect(await update([callback])).toEqual([]);
    // no transaction waits for somebody else's server
    asked = 0;
    const message = expect.stringContaining('within an atomic mutation or a dry run');
    for (const directive of ['@atomic', '@dryRun']) {
      expect(await update(['http://evil.example/in'], directive)).toEqual([{ message }]);
    }
    expect(asked).toBe(0);
    expect(await update([callback], '@atomic')).toEqual([]);
  });

  it('has to list them when there are other faults, too', async () => {
    listed = [callback];
    const { headers } = await make('with two faults', [callback]);
    const id = Buffer.from(`Client:${headers.get('location')?.split('/').at(-1)}`).toString('base64');
    const { data } = await admin.graphql<{ clientUpdate: { userErrors: { message: string }[] } }>(
      `mutation ($input: ClientUpdateInput!) { clientUpdate(input: $input) { userErrors { message } } }`,
      { input: { id, webOrigins: ['no origin'], redirectUris: ['http://evil.example/in'] } },
    );
    expect(data.clientUpdate.userErrors).toEqual([
      { message: expect.stringContaining('must be an origin') },
      { message: mismatch },
    ]);
  });

  it('has to list them for a mapper that is added or changed', async () => {
    const [{ id }] = (await admin.send('GET', `${clients}?clientId=usual`)).body;
    const models = `${clients}/${id}/protocol-mappers`;
    listed = ['http://other.example'];
    const refused = { status: 400, body: { error: mismatch, error_description: mismatch } };
    expect(await admin.send('POST', `${models}/models`, pairwiseMapper(sector))).toMatchObject(refused);
    expect(await admin.send('POST', `${models}/add-models`, [pairwiseMapper(sector)])).toMatchObject(refused);
    listed = [callback];
    const { status, headers } = await admin.send('POST', `${models}/models`, pairwiseMapper(sector));
    expect(status).toBe(201);
    const path = `${models}/models/${headers.get('location')?.split('/').at(-1)}`;
    const { body: mapper } = await admin.send('GET', path);
    listed = [];
    expect(await admin.send('PUT', path, mapper)).toMatchObject(refused);
  });
});
