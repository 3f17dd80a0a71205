import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';

const realm = 'vault';
const mask = '**********';
let server: TestServer;
let admin: Caller;

const mail = { host: 'mail.example', port: '587', starttls: 'true', from: 'a@mail.example', auth: 'true', user: 'u' };
const ldap = {
  vendor: ['other'],
  connectionUrl: ['ldaps://ldap.example'],
  bindDn: ['cn=reader'],
  usersDn: ['ou=people'],
  authType: ['simple'],
  startTls: ['false'],
};
const broker = { clientId: 'us', tokenUrl: 'https://op.example/token', authorizationUrl: 'https://op.example/auth' };

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const created = await admin.send('POST', '/', {
    realm,
    enabled: true,
    smtpServer: { ...mail, password: 'mail-secret' },
    webhooks: [{ name: 'hook', url: 'https://hooks.example/a', loginEvents: true, secret: 'hook-secret' }],
    identityProviders: [{ alias: 'op', providerId: 'oidc', config: { ...broker, clientSecret: 'op-secret' } }],
    components: {
      'org.keycloak.storage.UserStorageProvider': [
        {
          id: 'directory',
          name: 'directory',
          providerId: 'ldap',
          config: { ...ldap, bindCredential: ['ldap-secret'] },
        },
      ],
    },
  });
  expect(created.status).toBe(201);
});

/** The stored secrets, in clear. */
async function stored() {
  const whole = (await admin.send('GET', `/${realm}/export?secrets=true&users=false`)).body;
  const [storage] = whole.components['org.keycloak.storage.UserStorageProvider'];
  return {
    mail: [whole.smtpServer.host, whole.smtpServer.password],
    ldap: [storage.config.connectionUrl[0], storage.config.bindCredential[0]],
    broker: [whole.identityProviders[0].config.tokenUrl, whole.identityProviders[0].config.clientSecret],
  };
}
const untouched = {
  mail: ['mail.example', 'mail-secret'],
  ldap: ['ldaps://ldap.example', 'ldap-secret'],
  broker: ['https://op.example/token', 'op-secret'],
};

const setMail = (change: object, password = mask) =>
  admin.send('PUT', `/${realm}`, { smtpServer: { ...mail, password, ...change } });
const storageId = async () =>
  (await admin.send('GET', `/${realm}/components?type=org.keycloak.storage.UserStorageProvider`)).body[0].id;
const setLdap = async (change: object, bindCredential: string[] | undefined = [mask]) =>
  admin.send('PUT', `/${realm}/components/${await storageId()}`, {
    name: 'directory',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    config: { ...ldap, ...(bindCredential && { bindCredential }), ...change },
  });
const setBroker = (change: object, clientSecret = mask) =>
  admin.send('PUT', `/${realm}/identity-provider/instances/op`, {
    alias: 'op',
    providerId: 'oidc',
    config: { ...broker, clientSecret, ...change },
  });

describe('a stored secret', () => {
  it.each([{ host: 'evil.example' }, { port: '25' }, { starttls: 'false' }, { ssl: 'true' }, { user: 'other' }])(
    'of a mail server stays where it is when %j is sent with a mask',
    async (change) => {
      const { status, body } = await setMail(change);
      expect([status, body.errorMessage]).toEqual([400, expect.stringContaining('password must be sent again')]);
      expect(await stored()).toEqual(untouched);
    },
  );

  it.each([
    { connectionUrl: ['ldap://evil.example'] },
    { connectionUrl: ['ldaps://ldap.example ldap://evil.example'] },
    { connectionUrl: ['ldap://ldap.example'] },
    { bindDn: ['cn=other'] },
    { startTls: ['true'] },
  ])('of a directory stays where it is when %j is sent with a mask, or without the password', async (change) => {
    for (const credential of [[mask], undefined]) {
      const { status, body } = await setLdap(change, credential);
      expect([status, body.errorMessage]).toEqual([400, expect.stringContaining('bindCredential must be sent again')]);
    }
    expect(await stored()).toEqual(untouched);
  });

  it.each([
    { tokenUrl: 'https://evil.example/token' },
    { userInfoUrl: 'https://evil.example/info' },
    { authorizationUrl: 'https://evil.example/auth' },
  ])('of an identity provider stays where it is when %j is sent with a mask', async (change) => {
    const { status, body } = await setBroker(change);
    expect([status, body.errorMessage]).toEqual([400, expect.stringContaining('clientSecret must be sent again')]);
    const file = {
      ifResourceExists: 'OVERWRITE',
      identityProviders: [{ alias: 'op', providerId: 'oidc', config: { ...broker, clientSecret: mask, ...change } }],
    };
    expect((await admin.send('POST', `/${realm}/partialImport`, file)).status).toBe(400);
    expect(await stored()).toEqual(untouched);
  });

  it('does not follow over GraphQL either', async () => {
    const { id } = (await admin.send('GET', `/${realm}`)).body;
    const node = (type: string, of: string) => Buffer.from(`${type}:${of}`).toString('base64');
    const run = (name: string, input: object) =>
      admin.graphql<Record<string, { userErrors: object[] } | null>>(
        `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { userErrors { code message } } }`,
        { input },
      );
    const answers = [
      await run('realmUpdate', { id: node('Realm', id), smtp: { host: 'evil.example' } }),
      await run('componentUpdate', {
        id: node('Component', await storageId()),
        settings: [{ name: 'connectionUrl', values: ['ldap://evil.example'] }],
      }),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('must be sent again');
    expect(await stored()).toEqual(untouched);
  });

  it('does not go to another mail server for a test', async () => {
    for (const change of [{ host: '127.0.0.1', port: '1' }, { starttls: 'false' }, { ssl: 'true' }]) {
      const settings = { ...mail, password: mask, ...change };
      const { status, body } = await admin.send('POST', `/${realm}/testSMTPConnection`, settings);
      expect([status, body.errorMessage]).toEqual([
        400,
        'A password is required, because the stored one is for another SMTP server',
      ]);
    }
  });

  it('of a webhook is another one once the webhook leads to another host', async () => {
    type Found = { realm: { webhooks: { edges: { node: { id: string } }[] } } };
    const { data } = await admin.graphql<Found>(`{ realm(name: "${realm}") { webhooks { edges { node { id } } } } }`);
    const id = data.realm.webhooks.edges[0]?.node.id;
    const secretAfter = async (url: string) => {
      const query = `mutation { webhookUpdate(input: { id: "${id}", url: "${url}" }) { userErrors { message } } }`;
      expect((await admin.graphql(query)).data).toEqual({ webhookUpdate: { userErrors: [] } });
      return (await admin.send('GET', `/${realm}/export?secrets=true&users=false`)).body.webhooks[0].secret;
    };
    expect(await secretAfter('https://hooks.example/b')).toBe('hook-secret');
    const moved = await secretAfter('https://evil.example/b');
    expect(moved).not.toBe('hook-secret');
    expect(await secretAfter('https://hooks.example/b')).not.toBe(moved);
  });

  it('stays with other changes, and goes along when it is sent again', async () => {
    expect((await setMail({ from: 'b@mail.example', replyTo: 'c@mail.example' })).status).toBe(204);
    expect((await setLdap({ priority: ['3'] })).status).toBe(204);
    expect((await setLdap({ priority: ['4'] }, undefined)).status).toBe(204);
    expect((await setBroker({ clientId: 'we', extra: 'x' })).status).toBe(204);
    expect(await stored()).toEqual(untouched);
    expect((await setMail({ host: 'mail2.example' }, 'mail-secret')).status).toBe(204);
    expect((await setLdap({ connectionUrl: ['ldaps://ldap2.example'] }, ['ldap-secret'])).status).toBe(204);
    expect((await setBroker({ tokenUrl: 'https://op2.example/token' }, 'op-secret')).status).toBe(204);
    expect(await stored()).toEqual({
      mail: ['mail2.example', 'mail-secret'],
      ldap: ['ldaps://ldap2.example', 'ldap-secret'],
      broker: ['https://op2.example/token', 'op-secret'],
    });
  });
});
