import { beforeAll, describe, expect, it } from 'vitest';
import { token } from '../login/agent.js';
import { type Caller, startWithRealm } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

const realm = 'expiring';
const now = () => Math.floor(Date.now() / 1000);
let server: TestServer;
let admin: Caller;

beforeAll(async () => {
  ({ server, admin } = await startWithRealm({ realm, enabled: true }));
});

/** A client whose secret expires then, in seconds since 1970. */
async function clientUntil(clientId: string, end: number) {
  const attributes = { 'client.secret.expiration.time': String(end), colour: 'blue' };
  const client = { clientId, secret: 'old', serviceAccountsEnabled: true, attributes };
  expect((await admin.send('POST', `/${realm}/clients`, client)).status).toBe(201);
  const [{ id }] = (await admin.send('GET', `/${realm}/clients?clientId=${clientId}`)).body;
  const logIn = async (client_secret: string) =>
    (await token(server, realm, { grant_type: 'client_credentials', client_id: clientId, client_secret })).status;
  return { id, logIn };
}

describe('the secret of a client', () => {
  it('counts until it expires, and for ever if it never does', async () => {
    expect(await (await clientUntil('later', now() + 3600)).logIn('old')).toBe(200);
    expect(await (await clientUntil('never', 0)).logIn('old')).toBe(200);
    expect(await (await clientUntil('over', now() - 1)).logIn('old')).toBe(401);
  });

  it('does not expire when it is new, and is no previous one after its end', async () => {
    const { id, logIn } = await clientUntil('renewed', now() - 1);
    const { body } = await admin.send('POST', `/${realm}/clients/${id}/client-secret`);
    expect([await logIn('old'), await logIn(body.value)]).toEqual([401, 200]);
    const { attributes } = (await admin.send('GET', `/${realm}/clients/${id}`)).body;
    expect(attributes).toMatchObject({ colour: 'blue' });
    expect(attributes).not.toHaveProperty(['client.secret.expiration.time']);
  });
});

describe('introspection', () => {
  it('has the token in the claim `jwt` for a client that may have it', async () => {
    const name = 'client.introspection.response.allow.jwt.claim.enabled';
    for (const allowed of ['true', 'false']) {
      const clientId = `introspects-${allowed}`;
      const client = { clientId, secret: 's', serviceAccountsEnabled: true, attributes: { [name]: allowed } };
      expect((await admin.send('POST', `/${realm}/clients`, client)).status).toBe(201);
      const by = { client_id: clientId, client_secret: 's' };
      const { access_token = '' } = (await token(server, realm, { grant_type: 'client_credentials', ...by })).body;
      const asked = async (text: string) => {
        const to = `${server.url}/auth/realms/${realm}/protocol/openid-connect/token/introspect`;
        return (await fetch(to, { method: 'POST', body: new URLSearchParams({ ...by, token: text }) })).json();
      };
      expect(await asked(access_token)).toMatchObject({ active: true });
      expect((await asked(access_token)).jwt).toBe(allowed === 'true' ? access_token : undefined);
      expect(await asked('nothing')).toEqual({ active: false });
    }
  });
});
