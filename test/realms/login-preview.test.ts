import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, type Caller, userOf } from '../support/fixture.js';
import { slowClock, startServer } from '../support/server.js';

let admin: Caller;
let viewer: Caller;
let finder: Caller;

const user = (username: string, role: string) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: 'secret-1' }],
  clientRoles: { 'realm-management': [role] },
});
const png = 'data:image/png;base64,iVBORw0KGgo=';

beforeAll(async () => {
  const server = await startServer({}, slowClock);
  admin = await administrator(server);
  const shop = {
    realm: 'shop',
    enabled: true,
    displayName: '<Shop>',
    registrationAllowed: true,
    attributes: { colour: 'blue', realmgateLoginAccentColor: '#aa0055' },
    users: [user('viewer', 'view-realm'), user('finder', 'query-users')],
  };
  expect((await admin.send('POST', '/', shop)).status).toBe(201);
  viewer = await userOf(server, 'shop', 'viewer', 'secret-1');
  finder = await userOf(server, 'shop', 'finder', 'secret-1');
});

async function preview(args: string, caller = viewer) {
  const query = `{ realm(name: "shop") { loginPagePreview${args} } }`;
  const { data, errors } = await caller.graphql<{ realm: { loginPagePreview: string | null } | null }>(query);
  return { html: data?.realm?.loginPagePreview ?? undefined, errors };
}

describe('the preview of the login page', () => {
  it('has the stored values, those that are given, or none', async () => {
    const { html } = await preview('');
    expect(html).toContain('--accent: #aa0055');
    expect(html).toContain('&lt;Shop&gt;');
    const given = await preview(`(accentColor: "#00ff00", backgroundColor: "#000080", logo: "${png}")`);
    expect(given.html).toContain('--accent: #00ff00');
    expect(given.html).toContain('--back: #000080');
    expect(given.html).toContain(`<img src="${png}" alt="&lt;Shop&gt;">`);
    expect((await preview('(accentColor: null)')).html).not.toContain('--accent: #aa0055');
  });

  it('sends nothing and has nothing of a login', async () => {
    const { html } = await preview('');
    expect(html).not.toMatch(/<form|action=|<script|autofocus|session_code|tab_id/);
    expect(html).toMatch(/<body inert>/);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;/);
  });

  it('refuses what a realm refuses', async () => {
    const { html, errors } = await preview('(accentColor: "red", logo: "https://x.example/logo.png")');
    expect(html).toBeUndefined();
    expect(JSON.stringify(errors)).toContain('`accentColor` must be a colour such as #0b5cad');
  });

  it('is there for those who may view the settings', async () => {
    expect((await preview('', finder)).html).toBeUndefined();
  });

  it('takes as many statements for many realms as for one', async () => {
    const statements = async () => {
      const query = '{ realms(first: 50) { nodes { loginPagePreview } } }';
      const { data, extensions } = await admin.graphql<{ realms: { nodes: { loginPagePreview: string }[] } }>(query);
      return [data.realms.nodes.length, extensions?.cost?.statements] as const;
    };
    await statements();
    const [few, before] = await statements();
    for (const realm of ['one', 'two', 'three']) await admin.send('POST', '/', { realm });
    await statements();
    const [many, after] = await statements();
    expect(many).toBe(few + 3);
    expect(after).toBe(before);
  });
});

describe('loginPages of a realm', () => {
  const realmOf = `realm { loginPages { accentColor backgroundColor logo } attributes { name value } } userErrors { path message }`;
  const update = async (input: object) => {
    const { id } = (await admin.graphql<{ realm: { id: string } }>('{ realm(name: "shop") { id } }')).data.realm;
    const { data } = await admin.graphql<{ realmUpdate: Record<string, unknown> }>(
      `mutation ($input: RealmUpdateInput!) { realmUpdate(input: $input) { ${realmOf} } }`,
      { input: { id, ...input } },
    );
    return data.realmUpdate;
  };

  it('are single attributes, which leave the others alone', async () => {
    expect(await update({ loginPages: { backgroundColor: '#123456', accentColor: null } })).toMatchObject({
      realm: {
        loginPages: { accentColor: null, backgroundColor: '#123456', logo: null },
        attributes: expect.arrayContaining([{ name: 'colour', value: 'blue' }]),
      },
      userErrors: [],
    });
    const both = { attributes: [{ name: 'size', value: 'L' }], loginPages: { logo: png } };
    const { realm } = (await update(both)) as { realm: { attributes: { name: string }[] } };
    expect(realm).toMatchObject({ loginPages: { accentColor: null, backgroundColor: null, logo: png } });
    expect(realm.attributes.map(({ name }) => name)).not.toContain('colour');
  });

  it('have their errors at their fields', async () => {
    expect(await update({ loginPages: { accentColor: 'red', logo: 'x' } })).toMatchObject({
      userErrors: [{ path: ['loginPages', 'accentColor'] }, { path: ['loginPages', 'logo'] }],
    });
  });
});
