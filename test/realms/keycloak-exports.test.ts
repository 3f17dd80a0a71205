import { createPublicKey, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStandIn } from '../brokering/stand-in.js';
import { arrive } from '../brokering/world.js';
import { realmgate } from '../cli/run.js';
import { agentOf, answerOf, authorizationUrl, linkOf } from '../login/agent.js';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

// The files are written by tools/keycloak-export.mjs, which asks the distributions of Keycloak for them.
const folder = join(import.meta.dirname, 'exports');
const realm = 'moved';

interface Named {
  id: string;
  name: string;
}

interface KeycloakUser {
  id: string;
  username: string;
  credentials: { type: string; credentialData: string; secretData: string }[];
}

const names = (items: Named[]): string[] => items.map(({ name }) => name).sort();
const decoded = (part = ''): { kid: string } => JSON.parse(Buffer.from(part, 'base64url').toString());

describe.each([
  { version: 'keycloak-15.0.2', algorithm: 'pbkdf2-sha256' },
  { version: 'keycloak-26.0.8', algorithm: 'argon2' },
])('the export of $version', ({ version, algorithm }) => {
  const path = join(folder, `${version}.json`);
  const file = JSON.parse(readFileSync(path, 'utf8'));
  let server: TestServer;
  let admin: Caller;

  beforeAll(async () => {
    const databaseUrl = await preparedDatabaseUrl();
    server = await startServer({ databaseUrl, fetchPrivateAddresses: true });
    const works = expect.not.stringContaining('Does not work');
    expect(await realmgate(['assess', path], {})).toMatchObject({ status: 0, output: works });
    const imported = await realmgate(['import', path], { DATABASE_URL: databaseUrl });
    expect(imported).toMatchObject({ status: 0, output: works });
    admin = await administrator(server);
  });

  const get = async (below: string) => (await admin.send('GET', `/${realm}${below}`)).body;
  const userId = async (username: string) => (await get(`/users?username=${username}`))[0].id;
  const clientOf = async (clientId: string) => (await get(`/clients?clientId=${clientId}`))[0];
  const logIn = (username: string, password: string) =>
    fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'web', username, password }),
    });

  it(`has passwords with ${algorithm}, which users log in with`, async () => {
    const ann = (file.users as KeycloakUser[]).find(({ username }) => username === 'ann');
    expect(JSON.parse(ann?.credentials[0]?.credentialData ?? '').algorithm).toBe(algorithm);
    expect((await logIn('ann', 'password-of-ann')).status).toBe(200);
    expect((await logIn('ann', 'another password')).status).toBe(401);
  });

  it('lets users log in at its login page', async () => {
    const redirect_uri = 'https://web.example/callback';
    const agent = agentOf(server);
    const page = await agent.get(authorizationUrl(realm, { client_id: 'web', redirect_uri, state: 's1' }));
    const done = await agent.submit(page, { username: 'ann', password: 'password-of-ann' });
    expect(done.location).toMatch(/^https:\/\/web\.example\/callback\?.*code=/);
  });

  it('keeps users with a new password, and their roles and groups', async () => {
    const id = await userId('ann');
    expect(id).toBe((file.users as KeycloakUser[]).find(({ username }) => username === 'ann')?.id);
    expect(names(await get(`/users/${id}/groups`))).toEqual(['night']);
    expect(names(await get(`/users/${id}/role-mappings/realm`))).toEqual(['chief', `default-roles-${realm}`]);
    expect(await get(`/users/${await userId('ben')}`)).toMatchObject({ requiredActions: ['UPDATE_PASSWORD'] });
    const password = { type: 'password', value: 'renewed', temporary: false };
    expect((await admin.send('PUT', `/${realm}/users/${id}/reset-password`, password)).status).toBe(204);
    expect((await logIn('ann', 'renewed')).status).toBe(200);
  });

  it('keeps roles, composites and groups', async () => {
    expect(await get('/roles/clerk')).toMatchObject({ attributes: { desk: ['7'] } });
    expect(names(await get('/roles/chief/composites'))).toEqual(['clerk', 'seller']);
    const [staff] = await get('/groups?briefRepresentation=false');
    expect(staff).toMatchObject({ name: 'staff', attributes: { floor: ['2'] }, realmRoles: ['clerk'] });
    expect(await get(`/groups/${staff.subGroups[0].id}`)).toMatchObject({ clientRoles: { shop: ['seller'] } });
  });

  it('keeps clients, client scopes, identity providers and required actions', async () => {
    const shop = await clientOf('shop');
    expect(shop).toMatchObject({ publicClient: false, redirectUris: ['https://shop.example/*'] });
    expect(shop.optionalClientScopes).toContain('orders');
    expect(await get(`/clients/${shop.id}/client-secret`)).toMatchObject({ value: 'secret-of-shop' });
    expect(await get(`/clients/${shop.id}/service-account-user`)).toMatchObject({
      username: 'service-account-shop',
    });
    expect(await clientOf('web')).toMatchObject({ publicClient: true, redirectUris: ['https://web.example/*'] });
    const scopes = (await get('/client-scopes')) as (Named & { protocolMappers?: Named[] })[];
    expect(names(scopes)).toEqual(names(file.clientScopes));
    expect(scopes.find(({ name }) => name === 'orders')?.protocolMappers).toMatchObject([{ name: 'desk' }]);
    expect(await get('/identity-provider/instances/partner')).toMatchObject({
      config: { clientId: 'us', tokenUrl: 'https://partner.example/token' },
    });
    expect(await get('/authentication/required-actions/VERIFY_EMAIL')).toMatchObject({ defaultAction: true });
  });

  it('lets users in with its identity provider, by its own flow for first logins', async () => {
    const provider = await openStandIn();
    const profile = { preferred_username: 'pat', email: 'pat@partner.example', given_name: 'Pat', family_name: 'P' };
    provider.behave({ claims: profile });
    const path = `/${realm}/identity-provider/instances/partner`;
    const partner = (await admin.send('GET', path)).body;
    const config = { ...partner.config, ...provider.settings() };
    expect((await admin.send('PUT', path, { ...partner, trustEmail: true, config })).status).toBe(204);
    const agent = agentOf(server);
    const login = await agent.get(
      authorizationUrl(realm, { client_id: 'web', redirect_uri: 'https://web.example/callback' }),
    );
    const sent = await agent.get(linkOf(login, '/broker/partner/login'));
    const done = await arrive(agent, provider.wayBack(sent.location ?? ''));
    expect(answerOf(done)).toHaveProperty('code');
    const links = await get(`/users/${await userId('pat')}/federated-identity`);
    expect(links).toMatchObject([{ identityProvider: 'partner', userName: 'pat' }]);
  });

  it('keeps the keys, which verify a token that the other server signed', async () => {
    const [header, payload, signature] = readFileSync(join(folder, `${version}.token`), 'utf8')
      .trim()
      .split('.');
    const answer = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/certs`);
    const { keys } = (await answer.json()) as { keys: { kid: string; kty: string; n: string; e: string }[] };
    const key = keys.find(({ kid }) => kid === decoded(header).kid);
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify('sha256', signed, publicKey, Buffer.from(signature ?? '', 'base64url'))).toBe(true);
  });

  it('is exported with the same password hashes, and can be imported again', async () => {
    const exported = await get('/export?secrets=true');
    const secretsOf = ({ users }: { users: KeycloakUser[] }) =>
      users.find(({ username }) => username === 'ben')?.credentials.map(({ secretData }) => JSON.parse(secretData));
    expect(secretsOf(exported)).toEqual(secretsOf(file));
    const back = join(temporaryFolder(), 'back.json');
    writeFileSync(back, JSON.stringify(exported));
    const DATABASE_URL = await preparedDatabaseUrl();
    expect(await realmgate(['import', back], { DATABASE_URL })).toMatchObject({ status: 0 });
  });
});
