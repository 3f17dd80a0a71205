import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { actionOf, agentOf, answerOf, authorizationUrl, linkOf } from '../login/agent.js';
import { atEndOfFile } from '../support/database.js';
import { app, openWorld, shopUser, type World } from './world.js';

let world: World;
let issuer = '';

/** Another project's certified provider, with its own pages for development. */
async function openProvider(redirectUri: (issuer: string) => string): Promise<Provider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEndOfFile(() => {
    server.closeAllConnections();
    server.close();
  });
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = {
    client_id: 'realmgate',
    client_secret: 'a secret of the client',
    redirect_uris: [redirectUri(issuer)],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@provider.example`,
        email_verified: true,
        name: `${id} of the Provider`,
        preferred_username: id,
      }),
    }),
  });
  server.on('request', provider.callback());
  return provider;
}

beforeAll(async () => {
  world = await openWorld({ providers: () => [] });
  await openProvider(() => `${world.server.url}/auth/realms/shop/broker/certified/endpoint`);
  const { admin } = world;
  const imported = await admin.send('POST', '/admin/realms/shop/identity-provider/import-config', {
    providerId: 'oidc',
    fromUrl: `${issuer}/.well-known/openid-configuration`,
  });
  expect(imported.status).toBe(200);
  const config = {
    ...imported.body,
    clientId: 'realmgate',
    clientSecret: 'a secret of the client',
    defaultScope: 'openid email profile',
  };
  const provider = { alias: 'certified', providerId: 'oidc', trustEmail: true, config };
  expect((await admin.send('POST', '/admin/realms/shop/identity-provider/instances', provider)).status).toBe(201);
});

describe('oidc-provider', () => {
  it('logs a user in, by the settings that its discovery document has', async () => {
    const agent = agentOf(world.server);
    const login = await agent.get(authorizationUrl('shop', app));
    const { location } = await agent.get(linkOf(login, '/broker/certified/login'));
    const upstream = agentOf({ url: issuer });
    const follow = async (address: string) => {
      let page = await upstream.get(address);
      while (page.location?.startsWith(issuer) || page.location?.startsWith('/'))
        page = await upstream.get(page.location);
      return page;
    };
    let page = await follow(location ?? '');
    // its pages for development: a login, and the consent
    for (let form = 0; form < 3 && !page.location; form += 1) {
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? actionOf(page);
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1] ?? '';
      const sent = await upstream.post(action, { prompt, login: 'polly', password: 'any' });
      page = await follow(sent.location ?? '').catch(() => sent);
      if (sent.location && !sent.location.startsWith(issuer)) page = sent;
    }
    const done = await agent.get(page.location ?? '');
    expect(answerOf(done)).toHaveProperty('code');
    expect(await shopUser(world, 'polly')).toMatchObject({
      email: 'polly@provider.example',
      emailVerified: true,
      lastName: 'Provider',
    });
  });
});
