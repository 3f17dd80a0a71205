// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { hasName } from '../../src/graph/core/setting-types.js';
import { flowPurposes } from '../../src/graph/realms/flows.js';
import { settingGroups } from '../../src/graph/realms/settings.js';
import { settingFields } from '../../src/services/realms/representation.js';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

let admin: Caller;
let viewer: Caller;
let finder: Caller;

interface UserError {
  code: string;
  path: string[] | null;
  message: string;
}
interface Payload {
  realm: Record<string, never> | null;
  userErrors: UserError[];
  adminEvents: { operation: string }[];
  deletedId?: string;
}

async function mutate(name: string, input: object, caller = admin, fields = 'id'): Promise<Payload> {
  const returned = name === 'realmDelete' ? 'deletedId' : `realm { ${fields} }`;
  const typed = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await caller.graphql<Record<string, Payload>>(
    `mutation ($input: ${typed}!) { ${name}(input: $input) { ${returned} userErrors { code path message } adminEvents { operation } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[name] as Payload;
}

const idOf = async (name: string, caller = admin): Promise<string> =>
  (await caller.graphql<{ realm: { id: string } }>(`{ realm(name: "${name}") { id } }`)).data.realm.id;

const user = (username: string, ...roles: string[]) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'secret-1' }],
  clientRoles: { 'realm-management': roles },
});

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  const users = [user('viewer', 'view-realm'), user('finder', 'query-users')];
  await mutate('realmImport', { representation: { json: { realm: 'shop', enabled: true, users } } });
  viewer = await userOf(server, 'shop', 'viewer', 'secret-1');
  finder = await userOf(server, 'shop', 'finder', 'secret-1');
});

describe('the settings', () => {
  const own = new Set(['clientPolicies', 'clientProfiles']);

  it('are all there, each once', () => {
    const wires = settingGroups
      .filter(({ within }) => within !== 'attributes')
      .flatMap(({ within, settings }) => within ?? settings.map(({ wire }) => wire));
    const flows = flowPurposes.map(({ wire }) => wire);
    expect([...wires, ...flows, 'displayNameHtml', ...own].sort()).toEqual(Object.keys(settingFields).sort());
  });

  it('can be read and written back, and change nothing then', async () => {
    const fields = settingGroups
      .map(({ name, settings }) => {
        const names = settings.map((setting) => (setting.kind === 'secret' ? hasName(setting.name) : setting.name));
        return `${name} { ${names.join(' ')} }`;
      })
      .join(' ');
    const query = `{ realm(name: "shop") { ${fields} } }`;
    const before = await admin.graphql<{ realm: Record<string, Record<string, unknown>> }>(query);
    expect(before.errors).toBeUndefined();
    const rest = (await admin.send('GET', '/shop')).body;
    const { hasPassword: _, ...smtp } = before.data.realm.smtp ?? {};
    const { userErrors } = await mutate('realmUpdate', { id: await idOf('shop'), ...before.data.realm, smtp });
    expect(userErrors).toEqual([]);
    expect((await admin.graphql(query)).data).toEqual(before.data);
    const after = (await admin.send('GET', '/shop')).body;
    // texts that were empty are there now, and empty
    for (const [name, value] of Object.entries(after)) if (rest[name] === undefined) expect(value).toBe('');
    expect(after).toMatchObject({ ...rest, smtpServer: {}, attributes: {} });
  });
});

describe('realmCreate and realmUpdate', () => {
  it('take settings in groups and leave alone what is left out', async () => {
    const created = await mutate('realmCreate', {
      name: 'market',
      displayName: 'Market',
      tokens: { accessTokenLifespan: 77, notBefore: '2026-01-01T00:00:00.000Z', signatureAlgorithm: 'ES256' },
      login: { sslRequired: 'NONE', passwordPolicy: 'length(4)' },
      smtp: { host: 'mail.example', port: 25, requiresAuthentication: true, password: 'pw' },
      webAuthnPasswordless: { signatureAlgorithms: ['ES256', 'RS256'], residentKey: 'YES' },
      events: { types: ['LOGIN', 'LOGIN_ERROR'] },
      attributes: [{ name: 'colour', value: 'red' }],
    });
    expect(created).toMatchObject({ userErrors: [], adminEvents: [{ operation: 'realm.create' }] });
    const id = await idOf('market');
    const fields = `displayName tokens { accessTokenLifespan notBefore signatureAlgorithm refreshTokenMaxReuse }
      login { sslRequired passwordPolicy allowsRememberMe } smtp { host port requiresAuthentication usesSsl from hasPassword } themes { login }
      webAuthnPasswordless { signatureAlgorithms residentKey } webAuthn { residentKey } events { types }`;
    const changed = await mutate(
      'realmUpdate',
      {
        id,
        displayName: null,
        login: { passwordPolicy: null, allowsRememberMe: true },
        // the stored password stays only where it goes to the same server and port
        smtp: { from: 'a@b.example', port: null, password: 'pw' },
        themes: { login: 'base' },
      },
      admin,
      fields,
    );
    expect(changed.realm).toEqual({
      displayName: null,
      tokens: {
        accessTokenLifespan: 77,
        notBefore: '2026-01-01T00:00:00.000Z',
        signatureAlgorithm: 'ES256',
        refreshTokenMaxReuse: 0,
      },
      login: { sslRequired: 'NONE', passwordPolicy: null, allowsRememberMe: true },
      smtp: {
        host: 'mail.example',
        port: 0,
        requiresAuthentication: true,
        usesSsl: false,
        from: 'a@b.example',
        hasPassword: true,
      },
      themes: { login: 'base' },
      webAuthnPasswordless: { signatureAlgorithms: ['ES256', 'RS256'], residentKey: 'YES' },
      webAuthn: { residentKey: 'NOT_SPECIFIED' },
      events: { types: ['LOGIN', 'LOGIN_ERROR'] },
    });
    const rest = (await admin.send('GET', '/market')).body;
    expect(rest).toMatchObject({ sslRequired: 'none', enabled: true, attributes: { colour: 'red' } });
    expect(rest.smtpServer).toEqual({
      host: 'mail.example',
      auth: 'true',
      from: 'a@b.example',
      password: '**********',
    });
    const emptied = await mutate('realmUpdate', { id, smtp: { password: null } }, admin, 'smtp { host hasPassword }');
    expect(emptied.realm).toEqual({ smtp: { host: 'mail.example', hasPassword: false } });
  });

  it('name the field at fault as it is here', async () => {
    const id = await idOf('shop');
    const fieldOf = async (input: object) =>
      (await mutate('realmUpdate', { id, ...input })).userErrors[0]?.path?.join('.');
    expect(await fieldOf({ flows: { browser: null } })).toBe('flows.browser');
    expect(await fieldOf({ login: { passwordPolicy: 'none(1)' } })).toBe('login.passwordPolicy');
    expect((await mutate('realmCreate', { name: 'a/b' })).userErrors[0]?.path).toEqual(['name']);
    const { userErrors } = await mutate('realmImport', {
      representation: { json: { realm: 'x', enabled: 'perhaps' } },
    });
    expect(userErrors).toMatchObject([{ code: 'INVALID', path: ['representation', 'json', 'enabled'] }]);
  });

  it('of a file name what this version does not know', async () => {
    const ignored = async (representation: object) => {
      const { data } = await admin.graphql<{ realmImport: { ignoredFields: string[] } }>(
        'mutation ($input: RealmImportInput!) { realmImport(input: $input) { ignoredFields } }',
        { input: { representation: { json: representation } } },
      );
      return data.realmImport.ignoredFields;
    };
    const users = [{ username: 'ann', favourite: 1 }];
    const newer = { realm: 'newer', enabled: true, organizationsEnabled: true, users };
    expect((await ignored(newer)).sort()).toEqual(['organizationsEnabled', 'users.0.favourite']);
    expect(await ignored({ realm: 'known' })).toEqual([]);
  });

  it('refuse what the caller may not do', async () => {
    const id = await idOf('shop');
    for (const [name, input] of [
      ['realmUpdate', { id, displayName: 'x' }],
      ['realmRename', { id, name: 'x' }],
      ['realmDelete', { id }],
      ['realmCreate', { name: 'x' }],
      ['realmImport', { representation: { json: { realm: 'x' } } }],
    ] as const) {
      expect((await mutate(name, input, viewer)).userErrors).toMatchObject([{ code: 'FORBIDDEN' }]);
    }
    expect((await mutate('realmCreate', { name: 'shop' })).userErrors).toMatchObject([{ code: 'NAME_TAKEN' }]);
  });

  it('rename and delete', async () => {
    await mutate('realmCreate', { name: 'brief' });
    const id = await idOf('brief');
    expect((await mutate('realmRename', { id, name: 'briefly' }, admin, 'name')).realm).toEqual({ name: 'briefly' });
    expect((await mutate('realmDelete', { id })).deletedId).toBe(id);
    expect((await admin.graphql('{ realm(name: "briefly") { id } }')).data).toEqual({ realm: null });
  });
});

describe('realms', () => {
  interface Realms {
    realms: { totalCount: number; edges: { cursor: string; node: { name: string } }[] };
  }
  const names = ({ realms }: Realms) => realms.edges.map(({ node }) => node.name);

  it('are those that the caller may see', async () => {
    const all = await admin.graphql<Realms>('{ realms { totalCount edges { node { name } } } }');
    expect(names(all.data)).toEqual(expect.arrayContaining(['master', 'shop']));
    expect(all.data.realms.totalCount).toBe(names(all.data).length);
    expect(names((await viewer.graphql<Realms>('{ realms { edges { node { name } } } }')).data)).toEqual(['shop']);
  });

  it('come in pages and in an order', async () => {
    for (const letter of ['a', 'b', 'c']) await mutate('realmCreate', { name: `page-${letter}` });
    const page = (after: string | null) =>
      admin.graphql<Realms>(
        `query ($after: String) { realms(first: 2, after: $after, filter: { name: { startsWith: "page-" } },
          orderBy: { field: NAME, direction: DESC }) { totalCount edges { cursor node { name } } } }`,
        { after },
      );
    const first = (await page(null)).data;
    expect([names(first), first.realms.totalCount]).toEqual([['page-c', 'page-b'], 3]);
    expect(names((await page(first.realms.edges.at(-1)?.cursor ?? null)).data)).toEqual(['page-a']);
  });

  it('cost the same number of statements however many there are', async () => {
    const query = (first: number) =>
      admin.graphql(`{ realms(first: ${first}) { totalCount edges { node { name tokens { accessTokenLifespan }
        smtp { host } viewerCan { update { isAllowed } } attributes { name value } } } } }`);
    await query(5);
    const statements = (await query(1)).extensions?.cost?.statements;
    expect((await query(5)).extensions?.cost?.statements).toBe(statements);
    expect(statements).toBeLessThanOrEqual(6);
  });

  it('show their settings only to those who may see them', async () => {
    const query =
      '{ realm(name: "shop") { name viewerCan { update { isAllowed } } tokens { accessTokenLifespan } attributes { name } } }';
    const seen = await viewer.graphql(query);
    expect(seen.errors).toBeUndefined();
    expect(seen.data).toMatchObject({
      realm: { viewerCan: { update: { isAllowed: false } }, tokens: { accessTokenLifespan: 300 } },
    });
    const hidden = await finder.graphql(query);
    expect(hidden.data).toEqual({
      realm: { name: 'shop', viewerCan: { update: { isAllowed: false } }, tokens: null, attributes: null },
    });
    expect(hidden.errors?.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect((await viewer.graphql('{ realm(name: "master") { id } }')).data).toEqual({ realm: null });
  });
});
