import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../support/fixture.js';
import { jsonServer } from '../support/json-server.js';
import { slowClock, type TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

const realm = 'mappers';
let server: TestServer;
let admin: Caller;
const owners: [kind: string, path: string][] = [];

const rest = (method: string, path: string, body?: unknown) => admin.send(method, `/${realm}${path}`, body);
const idIn = ({ headers }: { headers: Headers }) => headers.get('location')?.split('/').at(-1) ?? '';
const mapper = (name: string, more: object = {}) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': name, 'claim.value': '1' },
  ...more,
});
const pairwise = (config: object = {}) =>
  mapper('pairwise', { protocolMapper: 'oidc-sha256-pairwise-sub-mapper', config });
const eventOf = (operationType: string, path: string) =>
  server.database.read.adminEvent.findFirst({ where: { operationType, resourcePath: path.slice(1) } });

beforeAll(async () => {
  ({ server, admin } = await startWithRealm(
    {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
    },
    { fetchPrivateAddresses: true },
    slowClock,
  ));
  const client = idIn(await rest('POST', '/clients', { clientId: 'shop', redirectUris: ['https://a.example/*'] }));
  const scope = idIn(await rest('POST', '/client-scopes', { name: 'extra', protocol: 'openid-connect' }));
  owners.push(['client', `clients/${client}`], ['client scope', `client-scopes/${scope}`]);
});

describe.each([0, 1])('the mappers of owner %i', (at) => {
  const models = () => `/${owners[at]?.[1]}/protocol-mappers/models`;
  const added = () => `/${owners[at]?.[1]}/protocol-mappers/add-models`;
  const names = async () => (await rest('GET', models())).body.map(({ name }: { name: string }) => name);

  it('are recorded as they are made, changed and taken away', async () => {
    const id = idIn(await rest('POST', models(), mapper('life')));
    const path = `${models()}/${id}`;
    expect(await eventOf('CREATE', path)).toMatchObject({ resourceType: 'PROTOCOL_MAPPER' });
    expect((await rest('PUT', path, { ...mapper('life'), id, config: { a: '1' } })).status).toBe(204);
    expect(JSON.parse((await eventOf('UPDATE', path))?.representation ?? '')).toMatchObject({ id, config: { a: '1' } });
    expect((await rest('DELETE', path)).status).toBe(204);
    expect(await eventOf('DELETE', path)).toMatchObject({ resourceType: 'PROTOCOL_MAPPER' });
    expect(await names()).toEqual([]);
  });

  it('come all or not at all', async () => {
    const refused = async (status: number, ...mappers: unknown[]) => {
      expect((await rest('POST', added(), mappers)).status).toBe(status);
      expect(await names()).toEqual([]);
    };
    await refused(409, mapper('one'), mapper('one'));
    await refused(409, mapper('one', { id: 'same' }), mapper('two', { id: 'same' }));
    await refused(404, mapper('one'), mapper('two', { protocolMapper: 'no-such-mapper' }));
    await refused(404, mapper('one'), mapper('two', { protocolMapper: 'oidc-script-based-protocol-mapper' }));
    await refused(400, mapper('one'), mapper('two', { protocol: undefined }));
    await refused(400, mapper('one'), mapper('two', { name: '' }));
    await refused(400, mapper('one'), 'two');
    expect((await rest('POST', added(), [mapper('one'), mapper('one', { protocol: 'saml' })])).status).toBe(204);
    for (const { id } of (await rest('GET', models())).body) await rest('DELETE', `${models()}/${id}`);
  });

  it('keep their ids to themselves', async () => {
    const id = idIn(await rest('POST', models(), mapper('mine')));
    for (const [, other] of owners) {
      const path = `/${other}/protocol-mappers/models`;
      expect((await rest('POST', path, mapper('theirs', { id }))).status).toBe(409);
    }
    const elsewhere = `/${owners[1 - at]?.[1]}/protocol-mappers/models/${id}`;
    expect((await rest('PUT', elsewhere, { ...mapper('mine'), id })).status).toBe(404);
    expect((await rest('DELETE', elsewhere)).status).toBe(404);
    expect((await rest('PUT', `${models()}/${id}`, { ...mapper('mine'), id: 'another' })).status).toBe(400);
    expect((await rest('DELETE', `${models()}/${id}`)).status).toBe(204);
  });

  it('cost the same number of statements whatever their number', async () => {
    const counted = async (size: number) => {
      const mappers = Array.from({ length: size }, (_, place) => mapper(`many-${size}-${place}`));
      await rest('GET', models());
      const written = await measureStatements(server, () => rest('POST', added(), mappers));
      const read = await measureStatements(server, () => rest('GET', models()));
      expect([written.result.status, read.result.status]).toEqual([204, 200]);
      return [written.statements, read.statements];
    };
    expect(await counted(40)).toEqual(await counted(2));
  });
});

describe('pairwise subjects', () => {
  it('are salted once for a client', async () => {
    const models = `/${owners[0]?.[1]}/protocol-mappers/models`;
    const path = `${models}/${idIn(await rest('POST', models, pairwise()))}`;
    const { id, config } = (await rest('GET', path)).body;
    expect(config.pairwiseSubAlgorithmSalt).toMatch(/^[0-9a-f-]{36}$/);
    const sector = `${await jsonServer(() => ['https://a.example/*'])}/sector`;
    await rest('PUT', path, { ...pairwise({ sectorIdentifierUri: sector }), id });
    expect((await rest('GET', path)).body.config).toEqual({
      ...config,
      sectorIdentifierUri: sector,
    });
    expect((await rest('PUT', path, { ...pairwise({ sectorIdentifierUri: 'nowhere' }), id })).status).toBe(400);
    await rest('DELETE', path);
  });

  it('need one host among the redirect URIs of the client', async () => {
    const client = idIn(await rest('POST', '/clients', { clientId: 'hosts' }));
    const make = () => rest('POST', `/clients/${client}/protocol-mappers/models`, pairwise());
    const none = await make();
    expect([none.status, none.body.error_description]).toEqual([400, expect.stringContaining('valid host')]);
    await rest('PUT', `/clients/${client}`, { redirectUris: ['https://a.example/*', 'https://b.example/*'] });
    const several = await make();
    expect([several.status, several.body.error_description]).toEqual([400, expect.stringContaining('multiple host')]);
    await rest('PUT', `/clients/${client}`, { redirectUris: ['https://a.example/*', 'https://a.example/b'] });
    expect((await make()).status).toBe(201);
  });
});

describe('two mappers of one name and different protocols', () => {
  it('keep their ids when the client is written back, and go through an import', async () => {
    const protocolMappers = [
      mapper('twin'),
      mapper('twin', { protocol: 'saml', protocolMapper: 'saml-role-list-mapper' }),
    ];
    const path = `/clients/${idIn(await rest('POST', '/clients', { clientId: 'twins', protocolMappers }))}`;
    const client = (await rest('GET', path)).body;
    expect((await rest('PUT', path, client)).status).toBe(204);
    expect((await rest('GET', path)).body.protocolMappers).toEqual(expect.arrayContaining(client.protocolMappers));
    const { status } = await admin.send('POST', '/', {
      realm: 'imported',
      clients: [{ clientId: 'twins', protocolMappers }],
    });
    expect(status).toBe(201);
    const [imported] = (await admin.send('GET', '/imported/clients?clientId=twins')).body;
    expect(imported.protocolMappers).toHaveLength(2);
  });
});
