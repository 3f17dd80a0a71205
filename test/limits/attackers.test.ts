import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, noticeOf } from '../login/agent.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { longestHold } from '../support/hold.js';
import { startServer, type TestServer } from '../support/server.js';

// Requests whose cost once grew with what they say times what is stored. Each is sent to a realm with much in it, and the time is
// measured for which nobody else is answered.
const mostHeld = 100;
const many = 1500;
const realm = 'attacked';
const ticketGrant = 'urn:ietf:params:oauth:grant-type:uma-ticket';

let server: TestServer;
let admin: Caller;
let api: Caller;
let apiId: string;

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const form = async (path: string, body: Record<string, string>, bearer?: string) => {
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(`${server.url}/auth/realms/${realm}/${path}`, {
    method: 'POST',
    body: new URLSearchParams(body),
    headers,
  });
  return { status: answer.status, body: await answer.json() };
};
const token = (body: Record<string, string>, bearer?: string) => form('protocol/openid-connect/token', body, bearer);

const resource = (at: number) => ({ name: `thing-${at}`, type: `type-${at}`, uris: [`/things/${at}/*`] });
const regex = (name: string, pattern: string) => ({
  name,
  type: 'regex',
  config: { targetClaim: 'long', pattern },
});
const permission = (at: number) => ({
  name: `about-${at}`,
  type: 'resource',
  config: { resources: JSON.stringify([`thing-${at}`]), applyPolicies: '["everybody"]' },
});

beforeAll(async () => {
  server = await startServer();
  admin = await administrator(server);
  const claim = { 'claim.name': 'long', 'claim.value': 'a'.repeat(4000), 'access.token.claim': 'true' };
  const resourceServer = {
    clientId: 'api',
    secret: 's',
    serviceAccountsEnabled: true,
    authorizationServicesEnabled: true,
    protocolMappers: [
      { name: 'long', protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config: claim },
    ],
    authorizationSettings: {
      resources: [...numbered(many, resource), { name: 'guarded', uris: ['/guarded'] }],
      policies: [
        { name: 'everybody', type: 'js', config: { code: '$evaluation.grant();' } },
        ...['((a?){500}){2}b', '(.*a){300}b', '.*[a-z]{0,999}!'].map((pattern, at) => regex(`slow-${at}`, pattern)),
        ...numbered(many, permission),
        {
          name: 'guard',
          type: 'resource',
          config: { resources: '["guarded"]', applyPolicies: '["slow-0","slow-1","slow-2"]' },
        },
      ],
    },
  };
  const browser = (at: number) => ({
    clientId: `app-${at}`,
    publicClient: true,
    redirectUris: [`https://app-${at}.example/*`, '/below/*'],
  });
  const user = (at: number) => ({ username: `user-${at}`, firstName: `First ${at}`, enabled: true });
  const body = {
    realm,
    enabled: true,
    clients: [...numbered(many, browser), resourceServer],
    users: numbered(300, user),
    roles: {
      realm: numbered(6000, (at) => ({ name: `role-${at}` })),
      client: { api: numbered(6000, (at) => ({ name: `own-${at}`, attributes: { floor: ['1', '2', '3'] } })) },
    },
    internationalizationEnabled: true,
    supportedLocales: numbered(200, (at) => `l${at}`),
  };
  expect((await admin.send('POST', '/', body)).status).toBe(201);
  const granted = await token({ grant_type: 'client_credentials', client_id: 'api', client_secret: 's' });
  api = callerWith(server, granted.body.access_token);
  // what is loaded with the first request of its kind is none of theirs
  expect((await admin.graphql('{ realm(name: "attacked") { name } }')).errors).toBeUndefined();
  [{ id: apiId }] = (await admin.send('GET', `/${realm}/clients?clientId=api`)).body;
});

describe('nobody is held up by', () => {
  it('a logout with a long address of a client that is not named', async () => {
    const post_logout_redirect_uri = `https://app-x.example/${'%2561'.repeat(600)}`;
    const address = `/auth/realms/${realm}/protocol/openid-connect/logout?${new URLSearchParams({ post_logout_redirect_uri })}`;
    const agent = agentOf(server);
    const held = await longestHold(async () => {
      for (const _ of [1, 2, 3]) expect((await agent.get(address)).status).toBe(400);
    });
    expect(held).toBeLessThan(mostHeld);
    const known = { post_logout_redirect_uri: `https://app-${many - 1}.example/bye` };
    const found = await agent.get(address.replace(/\?.*/, `?${new URLSearchParams(known)}`));
    expect([found.status, found.location]).toEqual([302, known.post_logout_redirect_uri]);
  });

  it('a wish for thousands of languages', async () => {
    const address = `/auth/realms/${realm}/device?ui_locales=${'x+'.repeat(6000)}`;
    const agent = agentOf(server);
    expect(await longestHold(async () => expect((await agent.get(address)).status).toBe(200))).toBeLessThan(mostHeld);
  });

  it('a search for many long words', async () => {
    const words = numbered(60, (at) => `${at}${'user'.repeat(45)}`).join(' ');
    const search = () => admin.send('GET', `/${realm}/users?search=${encodeURIComponent(words)}`);
    const held = await longestHold(async () => expect(await search()).toMatchObject({ status: 200, body: [] }));
    expect(held).toBeLessThan(mostHeld);
  });

  it('a filter with hundreds of conditions', async () => {
    const filter = { or: numbered(200, (at) => ({ name: { contains: `nobody ${at}` } })) };
    const query =
      'query($filter: RoleFilter) { realm(name: "attacked") { roles(first: 5, filter: $filter) { totalCount } } }';
    const held = await longestHold(async () => {
      const { data, errors } = await admin.graphql(query, { filter });
      expect(errors).toBeUndefined();
      expect(data).toEqual({ realm: { roles: { totalCount: 0 } } });
    });
    expect(held).toBeLessThan(mostHeld * 2);
  });

  it('patterns of resources with very many stars', async () => {
    const protection = `/realms/${realm}/authz/protection/resource_set`;
    const uris = numbered(4, (at) => `/${at}${'*a'.repeat(900)}b`);
    expect((await api.send('POST', protection, { name: 'stars', uris })).status).toBe(201);
    const uri = `/1${'a'.repeat(6000)}`;
    const ask = () => api.send('GET', `${protection}?matchingUri=true&uri=${uri}`);
    expect(await longestHold(async () => expect((await ask()).body).toEqual([]))).toBeLessThan(mostHeld);
  });

  it('a plan of a realm with very many texts', async () => {
    const texts = Object.fromEntries(numbered(5000, (at) => [`text-${at}`, 'x']));
    const file = { realm: 'texts', enabled: true, localizationTexts: { en: texts, de: texts } };
    expect((await admin.send('POST', '/', file)).status).toBe(201);
    const plan = () => admin.send('POST', '/texts/plan', { desired: {} });
    expect((await plan()).status).toBe(200);
    const held = await longestHold(async () => expect((await plan()).status).toBe(200));
    expect(held).toBeLessThan(mostHeld * 2);
  });

  it('metadata with very many elements', async () => {
    const entities = numbered(20_000, (at) => `<Extension name="${at}"/>`).join('');
    const body = new FormData();
    body.set('providerId', 'saml');
    body.set('file', new Blob([`<EntityDescriptor>${entities}</EntityDescriptor>`]), 'metadata.xml');
    const address = `${server.url}/auth/admin/realms/${realm}/identity-provider/import-config`;
    const headers = { authorization: `Bearer ${admin.token}` };
    const held = await longestHold(async () =>
      expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(200),
    );
    expect(held).toBeLessThan(mostHeld);
  });

  it('a body with millions of lists', async () => {
    const body = `{"redirectUris":[${'[],'.repeat(3_000_000)}[]]}`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` };
    const address = `${server.url}/auth/admin/realms/${realm}/clients`;
    const held = await longestHold(async () =>
      expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(400),
    );
    expect(held).toBeLessThan(mostHeld);
  });

  it('a GraphQL request with millions of values, which is read in pieces', async () => {
    const value = (count: number) =>
      `{"query":"{ viewer { __typename } }","variables":{"a":[${'{},'.repeat(count)}1]}}`;
    const send = async (body: string) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${api.token}` };
      return (await fetch(`${server.url}/graphql`, { method: 'POST', headers, body })).json();
    };
    const body = value(500_000);
    const held = await longestHold(async () => {
      expect((await send(body)).data).toEqual({ viewer: { __typename: 'Viewer' } });
    });
    expect(held).toBeLessThan(mostHeld);
  });

  it('a list of objects which are all faulty', async () => {
    const resources = numbered(45_000, () => ({ a: 1 }));
    const client = { clientId: 'faulty', authorizationSettings: { resources } };
    const held = await longestHold(async () =>
      expect(await admin.send('POST', `/${realm}/clients`, client)).toMatchObject({
        status: 400,
        body: 'Unrecognized field "a" (class ClientRepresentation), not marked as ignorable',
      }),
    );
    expect(held).toBeLessThan(mostHeld * 2);
  });

  it('a ticket for everything of a resource server', async () => {
    const ask = () => token({ grant_type: ticketGrant, audience: 'api', response_mode: 'permissions' }, api.token);
    let granted: unknown[] = [];
    const held = await longestHold(async () => {
      granted = (await ask()).body;
    });
    expect(granted.length).toBe(many);
    expect(held).toBeLessThan(mostHeld * 2);
  });

  it('the deletion of a client with very many roles', async () => {
    const held = await longestHold(async () => {
      const { status } = await admin.send('DELETE', `/${realm}/clients/${apiId}`, undefined, { prefer: 'dry-run' });
      expect(status).toBe(204);
    });
    expect(held).toBeLessThan(mostHeld);
  });

  it('policies with patterns that take long', async () => {
    const ask = () => token({ grant_type: ticketGrant, audience: 'api', permission: 'guarded' }, api.token);
    expect(await longestHold(async () => expect((await ask()).status).toBe(403))).toBeLessThan(mostHeld * 2);
  });
});

describe('a code of a device', () => {
  it('is guessed at twenty times from an address, then only after a pause', async () => {
    const agent = agentOf(server);
    const page = await agent.get(`/auth/realms/${realm}/device`);
    const guess = (code: string) => agent.submit(page, { device_user_code: code });
    for (const code of numbered(20, (at) => `AAAA-AAA${at}`)) expect(noticeOf(await guess(code))).toMatch(/not valid/);
    const refused = await guess('BBBB-BBBB');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

describe('keys', () => {
  it('are generated one at a time, and those of a realm once', async () => {
    const provider = (at: number) => ({
      name: `key-${at}`,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['1'], keySize: ['1024'] },
    });
    for (const at of [1, 2]) {
      expect((await admin.send('POST', `/${realm}/components`, provider(at))).status).toBe(201);
    }
    const certs = () => fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/certs`);
    const sets = await Promise.all(
      numbered(5, async () => ((await (await certs()).json()) as { keys: object[] }).keys),
    );
    for (const keys of sets) expect(keys).toEqual(sets[0]);
    const zips = await Promise.all(
      numbered(3, () => admin.send('GET', `/${realm}/clients/${apiId}/installation/providers/docker-v2-compose-yaml`)),
    );
    expect(zips.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
