// @both-databases
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Profile, SamlConfig } from '@node-saml/node-saml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Agent, agentOf, answerOf, authorizationUrl, type Page, token } from '../login/agent.js';
import { callback } from '../login/realm.js';
import {
  endpoint,
  eventsOf,
  formOf,
  logIn,
  logoutConsumer,
  openWorld,
  providerOf,
  responseOn,
  samlClient,
  type World,
} from './world.js';

let world: World;
let told: { path: string; type: string; body: string }[] = [];
const clients = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    told.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body });
    response.end();
  });
});

beforeAll(async () => {
  await new Promise<void>((done) => clients.listen(0, '127.0.0.1', done));
  const there = `http://127.0.0.1:${(clients.address() as AddressInfo).port}`;
  const onlyHere = { saml_single_logout_service_url_post: '', saml_single_logout_service_url_redirect: '' };
  world = await openWorld((keys) => [
    samlClient(keys, { clientId: 'sp' }),
    samlClient(keys, {
      clientId: 'by redirect',
      attributes: { 'saml.force.post.binding': 'false', 'saml.server.signature.keyinfo.ext': 'true' },
    }),
    samlClient(keys, {
      clientId: 'soap',
      attributes: { ...onlyHere, saml_single_logout_service_url_soap: `${there}/soap` },
    }),
    samlClient(keys, {
      clientId: 'post',
      attributes: { ...onlyHere, saml_single_logout_service_url_post: `${there}/post` },
    }),
    samlClient(keys, {
      clientId: 'front',
      frontchannelLogout: true,
      attributes: { saml_single_logout_service_url_post: 'http://front.example/slo' },
    }),
    samlClient(keys, {
      clientId: 'front by redirect',
      frontchannelLogout: true,
      attributes: {
        ...onlyHere,
        'saml.force.post.binding': 'false',
        saml_single_logout_service_url_redirect: 'http://redirect.example/slo',
      },
    }),
    samlClient(keys, { clientId: 'open', attributes: { 'saml.client.signature': 'false' } }),
    {
      clientId: 'tokens',
      publicClient: true,
      redirectUris: [callback],
      attributes: { 'backchannel.logout.url': `${there}/token` },
    },
  ]);
});
afterAll(() => new Promise((done) => clients.close(done)));
beforeEach(() => {
  told = [];
});

type Provider = ReturnType<typeof providerOf>;

interface Login {
  provider: Provider;
  agent: Agent;
  profile: Profile;
}

/** Logs a browser in at a client, or has it join with the session that it has. */
async function logInAt(
  clientId: string,
  agent = agentOf(world.server),
  options: Partial<SamlConfig> = {},
): Promise<Login> {
  const provider = providerOf(world, clientId, options);
  const begun = await agent.get(await provider.getAuthorizeUrlAsync('', undefined, {}));
  const page = begun.text.includes('name="password"') ? await logIn(agent, begun) : begun;
  const { profile } = await provider.validatePostResponseAsync(formOf(page).fields);
  if (!profile) throw new Error('nobody is logged in');
  return { provider, agent, profile };
}

const logoutOf = async ({ provider, agent, profile }: Login, relayState = ''): Promise<Page> =>
  agent.get(await provider.getLogoutUrlAsync(profile, relayState, {}));

const isLoggedIn = async (agent: Agent): Promise<boolean> => {
  const open = authorizationUrl('shop', { client_id: 'app', redirect_uri: callback, prompt: 'none' });
  return 'code' in answerOf(await agent.get(open));
};

/** The request to log out in what a client was sent. */
const requestIn = (body: string): string =>
  body.startsWith('SAML') ? Buffer.from(new URLSearchParams(body).get('SAMLRequest') ?? '', 'base64').toString() : body;

describe('a logout that a SAML client asks for', () => {
  it('ends the session and is answered, by the binding of the request or the one that is forced', async () => {
    const login = await logInAt('sp');
    const done = await logoutOf(login, 'back-here');
    const { action, fields } = formOf(done);
    expect(action).toBe(logoutConsumer);
    expect(fields.RelayState).toBe('back-here');
    // node-saml looks for it in a response to a login alone
    expect(responseOn(done)).toMatch(/<samlp:LogoutResponse [^>]*InResponseTo="_/);
    const reader = providerOf(world, 'sp', { validateInResponseTo: 'never' as never });
    const { loggedOut } = await reader.validatePostResponseAsync(fields);
    expect(loggedOut).toBe(true);
    expect(login.agent.cookies.has('KEYCLOAK_IDENTITY')).toBe(false);
    const [event] = await eventsOf(world, 'LOGOUT');
    expect(event).toMatchObject({ clientId: 'sp', details: { auth_method: 'saml' } });

    const other = await logInAt('by redirect');
    const { location } = await logoutOf(other);
    const { searchParams, search } = new URL(location ?? '');
    const container = Object.fromEntries(searchParams);
    await expect(other.provider.validateRedirectAsync(container, search.slice(1))).resolves.toMatchObject({
      loggedOut: true,
    });
  });

  it('tells clients of the session without the browser: by SOAP, a form, or a logout token', async () => {
    const login = await logInAt('sp');
    await logInAt('soap', login.agent);
    await logInAt('post', login.agent);
    const code = answerOf(
      await login.agent.get(authorizationUrl('shop', { client_id: 'tokens', redirect_uri: callback })),
    ).code;
    await token(world.server, 'shop', {
      grant_type: 'authorization_code',
      client_id: 'tokens',
      code: code ?? '',
      redirect_uri: callback,
    });
    const { fields } = formOf(await logoutOf(login));
    expect(Buffer.from(fields.SAMLResponse ?? '', 'base64').toString()).not.toContain('PartialLogout');
    expect(told.map(({ path }) => path).sort()).toEqual(['/post', '/soap', '/token']);
    const soap = told.find(({ path }) => path === '/soap');
    expect(soap?.type).toContain('text/xml');
    const request = /<samlp:LogoutRequest[\s\S]*<\/samlp:LogoutRequest>/.exec(soap?.body ?? '')?.[0] ?? '';
    const posted = Buffer.from(requestIn(told.find(({ path }) => path === '/post')?.body ?? ''));
    for (const [clientId, text] of [
      ['soap', request],
      ['post', posted.toString()],
    ] as const) {
      const received = await providerOf(world, clientId).validatePostRequestAsync({
        SAMLRequest: Buffer.from(text).toString('base64'),
      });
      expect(received.profile, clientId).toMatchObject({ nameID: 'ann' });
    }
  });

  it('leads the browser to the clients that want it, and back to the client that has asked', async () => {
    const login = await logInAt('sp');
    await logInAt('front', login.agent);
    await logInAt('front by redirect', login.agent);
    const first = await logoutOf(login, 'state');
    expect(await isLoggedIn(login.agent)).toBe(false);
    const { action, fields } = formOf(first);
    expect(action).toBe('http://front.example/slo');
    const front = providerOf(world, 'front');
    const request = await front.validatePostRequestAsync(fields);
    if (!request.profile) throw new Error('no request');
    const back = await front.getLogoutResponseUrlAsync(request.profile, '', {}, true);
    const second = await login.agent.get(back);
    expect(second.location).toMatch(/^http:\/\/redirect\.example\/slo\?SAMLRequest=/);
    const { searchParams, search } = new URL(second.location ?? '');
    const byRedirect = providerOf(world, 'front by redirect');
    const asked = await byRedirect.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1));
    if (!asked.profile) throw new Error('no request');
    const last = await login.agent.get(await byRedirect.getLogoutResponseUrlAsync(asked.profile, '', {}, false));
    expect(formOf(last)).toMatchObject({ action: logoutConsumer, fields: { RelayState: 'state' } });
    // the last client has said that it failed
    expect(responseOn(last)).toContain('urn:oasis:names:tc:SAML:2.0:status:PartialLogout');
    expect((await login.agent.get(back)).status).toBe(400);
  });

  it('is for a session in which the client knows the user', async () => {
    const login = await logInAt('open');
    const stranger = { ...login.profile, nameID: 'bob' };
    const refused = await logoutOf({ ...login, profile: stranger });
    expect(responseOn(refused)).toContain('status:UnknownPrincipal');
    expect(await isLoggedIn(login.agent)).toBe(true);
    const another = await logInAt('sp', agentOf(world.server));
    // the client is in no session of this browser
    const asOpen = { ...login.profile, nameID: 'ann', sessionIndex: another.profile.sessionIndex ?? '' };
    await another.agent.get(await login.provider.getLogoutUrlAsync(asOpen, '', {}));
    expect(await isLoggedIn(another.agent)).toBe(true);
    // by its index, the session ends from any browser
    await agentOf(world.server).get(await login.provider.getLogoutUrlAsync(login.profile, '', {}));
    expect(await isLoggedIn(login.agent)).toBe(false);
  });

  it('is signed, and counts once', async () => {
    const login = await logInAt('sp');
    const url = await login.provider.getLogoutUrlAsync(login.profile, '', {});
    const unsigned = new URL(url);
    unsigned.searchParams.delete('Signature');
    expect((await login.agent.get(unsigned.href)).status).toBe(400);
    expect(await isLoggedIn(login.agent)).toBe(true);
    expect((await login.agent.get(url)).status).toBe(200);
    expect((await login.agent.get(url)).status).toBe(400);
    const [event] = await eventsOf(world, 'LOGOUT_ERROR');
    expect(event).toMatchObject({ error: 'invalid_logout_request', details: { reason: 'replayed' } });
  });
});

describe('another logout', () => {
  it('tells SAML clients, by a client of OpenID Connect', async () => {
    const { agent } = await logInAt('soap');
    const code = answerOf(await agent.get(authorizationUrl('shop', { client_id: 'app', redirect_uri: callback }))).code;
    const { body } = await token(world.server, 'shop', {
      grant_type: 'authorization_code',
      client_id: 'app',
      code: code ?? '',
      redirect_uri: callback,
    });
    await agent.get(`${endpoint(world).replace('saml', 'openid-connect')}/logout?id_token_hint=${body.id_token}`);
    expect(told.map(({ path }) => path)).toEqual(['/soap']);
    expect(told[0]?.body).toContain('ann</saml:NameID>');
  });

  it('tells SAML clients, by an administrator', async () => {
    await logInAt('post');
    const [user] = (await world.admin.send('GET', '/admin/realms/shop/users?username=ann')).body;
    expect((await world.admin.send('POST', `/admin/realms/shop/users/${user.id}/logout`)).status).toBe(204);
    expect(told.map(({ path }) => path)).toContain('/post');
    told = [];
    await logInAt('soap');
    const all = await world.admin.send('POST', '/admin/realms/shop/logout-all');
    expect(all.body.failedRequests).toBeUndefined();
    expect(told.map(({ path }) => path)).toContain('/soap');
  });
});
