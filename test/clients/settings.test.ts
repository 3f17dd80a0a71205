import { isEnumType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ClientSetting } from '../../src/graph/clients/setting-rows.js';
import {
  attributePaths,
  clientSettingGroups,
  generalSettings,
  settingPaths,
} from '../../src/graph/clients/settings.js';
import { storedChoices } from '../../src/graph/clients/types.js';
import { graphqlSchema } from '../../src/graph/server.js';
import { administrator, type Caller } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

let admin: Caller;
let realm: string;
let flows: Record<string, string>;

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  await admin.send('POST', '/', { realm: 'settings', enabled: true });
  const { data } = await admin.graphql<{
    realm: { id: string; authenticationFlows: { edges: { node: { id: string; alias: string } }[] } };
  }>('{ realm(name: "settings") { id authenticationFlows { edges { node { id alias } } } } }');
  realm = data.realm.id;
  flows = Object.fromEntries(data.realm.authenticationFlows.edges.map(({ node }) => [node.alias, node.id]));
});

interface Payload {
  client: { id: string; [field: string]: unknown } | null;
  userErrors: { code: string; path: string[] | null; message: string }[];
}

async function mutate(name: 'clientCreate' | 'clientUpdate', input: object, fields = 'id'): Promise<Payload> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await admin.graphql<Record<string, Payload>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { client { ${fields} } userErrors { code path message } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const made = async (clientId: string, input: object = {}): Promise<string> => {
  const { client, userErrors } = await mutate('clientCreate', { realm, clientId, ...input });
  expect(userErrors).toEqual([]);
  return client?.id ?? '';
};

const refused = async (id: string, input: object) => (await mutate('clientUpdate', { id, ...input })).userErrors[0];

/** The representation of a client as REST has it. */
async function stored(id: string) {
  const { body } = await admin.send('GET', `/settings/clients/${Buffer.from(id, 'base64').toString().slice(7)}`);
  return body as Record<string, unknown> & { attributes: Record<string, string> };
}

const schema = graphqlSchema();

/** A value other than the default, as GraphQL has it and as REST does. */
function example({ kind, attribute, standard }: ClientSetting, path: string): { given: unknown; wire: unknown } {
  const asText = (value: unknown) => (attribute ? String(value) : value);
  if (typeof kind === 'object' && 'choice' in kind) {
    const type = schema.getType(kind.choice);
    if (!isEnumType(type)) throw new Error(`${kind.choice} is not an enum`);
    const [value] = type.getValues();
    return { given: value?.name, wire: value?.value };
  }
  if (path === 'authentication.authenticator') return { given: 'client-jwt', wire: 'client-jwt' };
  if (path === 'hasAuthorizationServices') return { given: false, wire: undefined };
  const algorithm = /Encryption(Algorithm)?$/.exec(path);
  if (algorithm) {
    const value = algorithm[1] ? 'RSA-OAEP-256' : 'A128GCM';
    return { given: value, wire: value };
  }
  if (kind === 'flag') return { given: !standard, wire: asText(!standard) };
  if (kind === 'texts')
    return { given: ['https://a.example', 'https://b.example'], wire: 'https://a.example##https://b.example' };
  if (kind === 'instant') return { given: '2030-01-01T00:00:00.000Z', wire: Date.UTC(2030, 0, 1) / 1000 };
  if (kind === 'seconds' || kind === 'count') return { given: 77, wire: asText(77) };
  return { given: `https://${path.toLowerCase()}.example`, wire: `https://${path.toLowerCase()}.example` };
}

const selection = [
  ...generalSettings.map(({ name }) => name),
  ...clientSettingGroups.map(({ name, settings }) => `${name} { ${settings.map((one) => one.name).join(' ')} }`),
].join(' ');

const nested = (path: string, value: unknown): Record<string, unknown> => {
  const [group = '', name] = path.split('.');
  return { [group]: name === undefined ? value : { [name]: value } };
};

describe('typed settings of clients', () => {
  it('are written and read one by one, in GraphQL and in REST', async () => {
    const id = await made('each');
    for (const [path, setting] of settingPaths) {
      const { given, wire } = example(setting, path);
      const { client, userErrors } = await mutate('clientUpdate', { id, ...nested(path, given) }, selection);
      expect(userErrors, path).toEqual([]);
      expect(client, path).toMatchObject(nested(path, given));
      const after = await stored(id);
      expect(setting.attribute ? after.attributes[setting.attribute] : after[setting.field ?? ''], path).toEqual(wire);
    }
  });

  it('are read in one statement for any number of clients', async () => {
    const read = (first: number) =>
      admin.graphql(
        `{ realm(name: "settings") { clients(first: ${first}) { edges { node { clientId ${selection} } } } } }`,
      );
    await read(1);
    const [one, many] = [await read(1), await read(6)];
    expect(many.errors).toBeUndefined();
    expect(many.extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
  });

  it('give what can be null back with null, and refuse null elsewhere', async () => {
    const id = await made('nulls', {
      tokens: { accessTokenLifespan: 60, usesRefreshTokens: false },
      authorizationRequests: { pkceMethod: 'S256', requestUris: ['https://a.example'] },
      notBefore: '2030-01-01T00:00:00Z',
      logout: { backChannelUrl: 'https://a.example' },
    });
    const { client } = await mutate(
      'clientUpdate',
      {
        id,
        tokens: { accessTokenLifespan: null },
        authorizationRequests: { pkceMethod: null, requestUris: [] },
        notBefore: null,
        logout: { backChannelUrl: null },
      },
      'notBefore tokens { accessTokenLifespan usesRefreshTokens } authorizationRequests { pkceMethod requestUris } logout { backChannelUrl }',
    );
    expect(client).toEqual({
      notBefore: null,
      tokens: { accessTokenLifespan: null, usesRefreshTokens: false },
      authorizationRequests: { pkceMethod: null, requestUris: [] },
      logout: { backChannelUrl: null },
    });
    expect(Object.keys((await stored(id)).attributes)).toEqual(['use.refresh.tokens']);
    for (const path of [
      'tokens.usesRefreshTokens',
      'flows.isImplicitEnabled',
      'authorizationRequests.requestUris',
      'tokens',
    ]) {
      expect(await refused(id, nested(path, null)), path).toMatchObject({ code: 'INVALID', path: path.split('.') });
    }
  });

  it('are checked, and named by the path in the input', async () => {
    const id = await made('checked');
    expect(await refused(id, { tokens: { accessTokenLifespan: -2 } })).toMatchObject({
      code: 'INVALID',
      path: ['tokens', 'accessTokenLifespan'],
      message: '`tokens.accessTokenLifespan` must be at least -1, got -2',
    });
    expect(await refused(id, { logout: { backChannelUrl: 'javascript:alert(1)' } })).toMatchObject({
      code: 'INVALID',
      path: ['logout', 'backChannelUrl'],
    });
    expect(await refused(id, { authorizationRequests: { requestUris: ['https://a.example', 'a##b'] } })).toMatchObject({
      code: 'INVALID',
      path: ['authorizationRequests', 'requestUris', '1'],
    });
    expect(await refused(id, { hasAuthorizationServices: true })).toMatchObject({
      code: 'SERVICE_ACCOUNT_REQUIRED',
    });
  });

  it('switch authorization services on and off', async () => {
    const id = await made('server', { flows: { isServiceAccountEnabled: true } });
    const read = 'hasAuthorizationServices resourceServer { enforcement }';
    const on = await mutate('clientUpdate', { id, hasAuthorizationServices: true }, read);
    expect(on.client).toEqual({ hasAuthorizationServices: true, resourceServer: { enforcement: 'ENFORCING' } });
    const off = await mutate('clientUpdate', { id, hasAuthorizationServices: false }, read);
    expect(off.client).toEqual({ hasAuthorizationServices: false, resourceServer: null });
  });
});

describe('attributes of clients', () => {
  it('are those without a field of their own', async () => {
    const id = await made('own', {
      attributes: [{ name: 'colour', value: 'red' }],
      tokens: { accessTokenLifespan: 5 },
    });
    const { client } = await mutate('clientUpdate', { id }, 'attributes { name value }');
    expect(client?.attributes).toEqual([{ name: 'colour', value: 'red' }]);
    for (const [name, path] of attributePaths) {
      expect(
        await refused(id, {
          attributes: [
            { name: 'a', value: '1' },
            { name, value: 'x' },
          ],
        }),
      ).toMatchObject({
        code: 'INVALID',
        path: ['attributes', '1', 'name'],
        message: `The attribute \`${name}\` is set as \`${path}\``,
      });
    }
  });

  it('show no value that a field cannot have', async () => {
    const id = await made('odd');
    const client = await stored(id);
    const odd = { 'access.token.lifespan': 'soon', 'pkce.code.challenge.method': 'S1024' };
    await admin.send('PUT', `/settings/clients/${client.id}`, { attributes: odd });
    const fields = 'attributes { name } tokens { accessTokenLifespan } authorizationRequests { pkceMethod }';
    expect((await mutate('clientUpdate', { id }, fields)).client).toEqual({
      attributes: [],
      tokens: { accessTokenLifespan: null },
      authorizationRequests: { pkceMethod: null },
    });
  });

  it('have known names of choices', () => {
    for (const [path, { kind }] of settingPaths) {
      if (typeof kind === 'object' && 'choice' in kind)
        expect(storedChoices(kind.choice).size, path).toBeGreaterThan(1);
    }
  });
});

describe('flow overrides of clients', () => {
  const read = 'flowOverrides { browser { alias } directGrant { alias } }';

  it('are flows', async () => {
    const id = await made('flows', { flowOverrides: { browser: flows.browser } });
    const both = await mutate('clientUpdate', { id, flowOverrides: { directGrant: flows['direct grant'] } }, read);
    expect(both.client).toEqual({
      flowOverrides: { browser: { alias: 'browser' }, directGrant: { alias: 'direct grant' } },
    });
    const one = await mutate('clientUpdate', { id, flowOverrides: { browser: null } }, read);
    expect(one.client).toEqual({ flowOverrides: { browser: null, directGrant: { alias: 'direct grant' } } });
  });

  it('must be flows of the realm', async () => {
    const id = await made('foreign');
    const { data } = await admin.graphql<{ realm: { authenticationFlow: { id: string } } }>(
      '{ realm(name: "master") { authenticationFlow(alias: "browser") { id } } }',
    );
    const foreign = data.realm.authenticationFlow.id;
    expect(await refused(id, { flowOverrides: { directGrant: foreign } })).toMatchObject({
      code: 'INVALID',
      path: ['flowOverrides', 'directGrant'],
    });
    expect(await refused(id, { flowOverrides: { browser: realm } })).toMatchObject({
      code: 'BAD_ID',
      path: ['flowOverrides', 'browser'],
    });
  });

  it('are read at once for a list', async () => {
    for (const clientId of ['bound-1', 'bound-2', 'bound-3'])
      await made(clientId, { flowOverrides: { browser: flows.browser } });
    const list = (first: number) =>
      admin.graphql(
        `{ realm(name: "settings") { clients(first: ${first}, filter: { search: "bound" }) { edges { node { ${read} } } } } }`,
      );
    await list(1);
    const [one, three] = [await list(1), await list(3)];
    expect(three.errors).toBeUndefined();
    expect(three.extensions?.cost?.statements).toBe(one.extensions?.cost?.statements);
  });
});
