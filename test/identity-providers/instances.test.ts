import { beforeAll, describe, expect, it } from 'vitest';
import { placeOfSecrets } from '../../src/services/core/sealed-columns.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
let admin: Caller;
const path = '/brokered/identity-provider/instances';

beforeAll(async () => {
  server = await startServer({ secretsKey: Buffer.alloc(32, 3) });
  admin = await administrator(server);
  for (const realm of ['brokered', 'elsewhere']) {
    await admin.send('POST', '/', {
      realm,
      enabled: true,
      adminEventsEnabled: true,
      adminEventsDetailsEnabled: true,
      users: [{ username: 'ann', federatedIdentities: [{ identityProvider: 'acme', userId: '1', userName: 'ann' }] }],
    });
  }
});

const linksOf = async (realm: string) =>
  (
    await server.database.read.federatedIdentity.findMany({
      where: { user: { realm: { name: realm } } },
      select: { identityProvider: true },
    })
  ).map(({ identityProvider }) => identityProvider);

describe('an identity provider', () => {
  it('keeps its secret sealed and out of answers and events', async () => {
    const body = { alias: 'acme', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'hush-hush' } };
    expect((await admin.send('POST', path, body)).status).toBe(201);
    const shown = (await admin.send('GET', `${path}/acme`)).body;
    expect(shown.config).toEqual({ clientId: 'us', clientSecret: '**********' });
    await admin.send('PUT', `${path}/acme`, shown);
    const row = await server.database.read.identityProvider.findFirstOrThrow({ where: { alias: 'acme' } });
    const place = placeOfSecrets('IdentityProvider', row);
    expect(JSON.parse(server.services.sealer.open(row.secrets ?? '', place))).toEqual({ clientSecret: 'hush-hush' });
    expect(JSON.stringify(row)).not.toContain('hush-hush');
    const events = await server.database.read.adminEvent.findMany({ where: { resourceType: 'IDENTITY_PROVIDER' } });
    expect(events).toHaveLength(2);
    for (const { representation, before } of events) expect(`${representation} ${before}`).not.toContain('hush-hush');
  });

  it('renamed or deleted, takes the links of its users along, and only those of its realm', async () => {
    const { internalId } = (await admin.send('GET', `${path}/acme`)).body;
    const renamed = { internalId, alias: 'corp', providerId: 'oidc' };
    expect((await admin.send('PUT', `${path}/acme`, { ...renamed, internalId: undefined })).status).toBe(404);
    expect((await admin.send('PUT', `${path}/acme`, renamed)).status).toBe(204);
    expect(await linksOf('brokered')).toEqual(['corp']);
    expect(await linksOf('elsewhere')).toEqual(['acme']);
    expect((await admin.send('DELETE', `${path}/corp`)).status).toBe(204);
    expect(await linksOf('brokered')).toEqual([]);
    expect(await linksOf('elsewhere')).toEqual(['acme']);
  });

  it('needs addresses that fit the demand of the realm for TLS', async () => {
    const create = (url: string) =>
      admin.send('POST', path, { alias: 'urls', providerId: 'oidc', config: { tokenUrl: url } });
    expect((await create('http://op.example.org/token')).body.errorMessage).toBe(
      'The url [token_url] requires secure connections',
    );
    expect((await create('http://127.0.0.1/token')).status).toBe(201);
  });
});

it('adds a mapper only where the provider still has the version that the writer expects', async () => {
  const one = `${path}/versioned`;
  const provider = { alias: 'versioned', providerId: 'github', config: { clientId: 'us' } };
  expect((await admin.send('POST', path, provider)).status).toBe(201);
  const etag = (await admin.send('GET', one)).headers.get('etag') ?? '';
  const mapper = { name: 'm', identityProviderAlias: 'versioned', identityProviderMapper: 'any' };
  expect((await admin.send('POST', `${one}/mappers`, mapper, { 'if-match': '"7"' })).status).toBe(412);
  expect((await admin.send('GET', `${one}/mappers`)).body).toHaveLength(0);
  expect((await admin.send('POST', `${one}/mappers`, mapper, { 'if-match': etag })).status).toBe(201);
  expect((await admin.send('GET', `${one}/mappers`)).body).toHaveLength(1);
});
