import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'profiles';
let server: TestServer;
let admin: Caller;
let viewer: Caller;
let user: string;
let client: string;

const send = (method: string, path: string, body?: unknown, caller = admin) =>
  caller.send(method, `/${realm}${path}`, body);

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const { status } = await admin.send('POST', '/', {
    realm,
    enabled: true,
    users: [
      {
        username: 'viewer',
        enabled: true,
        credentials: [{ type: 'password', value: 'secret-1' }],
        clientRoles: { 'realm-management': ['view-realm'] },
        attributes: { colour: ['red', 'blue'] },
      },
      { username: 'bare' },
    ],
    clients: [{ clientId: 'app', secret: 'first-secret' }],
  });
  expect(status).toBe(201);
  user = (await send('GET', '/users?username=viewer')).body[0].id;
  client = (await send('GET', '/clients?clientId=app')).body[0].id;
  viewer = await userOf(server, realm, 'viewer', 'secret-1');
});

describe('the user profile', () => {
  it('is the one that users have, in the form of version 26', async () => {
    const { status, body } = await send('GET', '/users/profile');
    expect(status).toBe(200);
    expect(body.attributes.map(({ name }: { name: string }) => name)).toEqual([
      'username',
      'email',
      'firstName',
      'lastName',
    ]);
    expect(body.unmanagedAttributePolicy).toBe('ENABLED');
    expect((await send('PUT', '/users/profile', body)).headers.get('x-ignored-fields')).toBeNull();
  });

  it('is returned for another one, of which the answer names the parts without effect', async () => {
    const { body: profile } = await send('GET', '/users/profile');
    const other = {
      ...profile,
      attributes: [...profile.attributes, { name: 'colour', required: { roles: ['user'] } }],
      unmanagedAttributePolicy: 'ADMIN_EDIT',
    };
    const { status, headers, body } = await send('PUT', '/users/profile', other);
    expect(status).toBe(200);
    expect(headers.get('x-ignored-fields')).toBe('2: attributes.4, unmanagedAttributePolicy');
    expect(body).toEqual(profile);
    expect((await send('PUT', '/users/profile', { attributes: [{}] })).status).toBe(400);
    expect((await send('PUT', '/users/profile', profile, viewer)).status).toBe(403);
  });

  it('has metadata, which also come with a user on request', async () => {
    const { body: metadata } = await send('GET', '/users/profile/metadata');
    expect(metadata.attributes[0]).toMatchObject({ name: 'username', required: true, readOnly: true });
    expect((await send('GET', `/users/${user}?userProfileMetadata=true`)).body.userProfileMetadata).toEqual(metadata);
    const { body: plain } = await send('GET', `/users/${user}`);
    expect(plain).not.toHaveProperty('userProfileMetadata');
    expect((await send('PUT', '', { editUsernameAllowed: true })).status).toBe(204);
    expect((await send('GET', '/users/profile/metadata')).body.attributes[0].readOnly).toBe(false);
    // a tool sends back the profile that it has read
    const back = await send('PUT', `/users/${user}`, { ...plain, userProfileMetadata: metadata });
    expect(back.status).toBe(204);
  });

  it('declares no attributes of a user', async () => {
    const bare = (await send('GET', '/users?username=bare')).body[0].id;
    expect((await send('GET', `/users/${user}/unmanagedAttributes`)).body).toEqual({ colour: ['red', 'blue'] });
    expect((await send('GET', `/users/${bare}/unmanagedAttributes`)).body).toEqual({});
    expect((await send('GET', '/users/none/unmanagedAttributes')).status).toBe(404);
    expect((await send('GET', `/users/${user}/unmanagedAttributes`, undefined, viewer)).status).toBe(403);
  });
});

describe('the rotated secret of a client', () => {
  const path = () => `/clients/${client}/client-secret/rotated`;

  it('is the previous one in its grace period', async () => {
    const none = await send('GET', path());
    expect(none).toMatchObject({ status: 404, body: { error: 'Client does not have a rotated secret' } });
    const id = Buffer.from(`Client:${client}`).toString('base64');
    const rotate = 'mutation ($id: ID!) { clientRotateSecret(input: { id: $id }) { secret userErrors { message } } }';
    expect((await admin.graphql<{ clientRotateSecret: { userErrors: object[] } }>(rotate, { id })).data).toMatchObject({
      clientRotateSecret: { userErrors: [] },
    });
    expect((await send('GET', path())).body).toEqual({ type: 'secret', value: 'first-secret' });
    expect((await send('GET', path(), undefined, viewer)).status).toBe(403);
  });

  it('is no more accepted once it is deleted', async () => {
    expect((await send('DELETE', path())).status).toBe(204);
    expect((await send('GET', path())).status).toBe(404);
    expect((await send('DELETE', path())).status).toBe(204);
  });
});
