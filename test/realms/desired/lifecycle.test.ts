import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

const realm = 'lifecycle';
const mapper = (name: string) => ({ name, protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper' });
const start = {
  realm,
  enabled: true,
  displayName: 'Market',
  attributes: { colour: 'red', size: 'small' },
  roles: { realm: [{ name: 'buyer' }], client: { shop: [{ name: 'sell', description: 'Sells' }] } },
  groups: [{ name: 'staff', attributes: { floor: ['1'] }, subGroups: [{ name: 'night', realmRoles: ['buyer'] }] }],
  clients: [
    {
      clientId: 'shop',
      secret: 'secret-of-shop',
      redirectUris: ['https://shop.example/*'],
      attributes: { 'login.theme': 'plain', 'pkce.code.challenge.method': 'S256' },
      protocolMappers: [mapper('one')],
    },
  ],
  identityProviders: [{ alias: 'partner', providerId: 'oidc', config: { clientId: 'us', clientSecret: 'hidden' } }],
};

let admin: Caller;
beforeAll(async () => {
  ({ admin } = await startWithRealm(start));
});

type Rules = Record<string, { preventDestroy?: boolean; ignoreChanges?: string[] }>;

async function planned(desired: object, rules: Rules, more: object = {}) {
  const lifecycle = Object.entries(rules).map(([name, rule]) => ({
    kind: name.split('/')[0],
    key: name.slice(name.indexOf('/') + 1),
    ...rule,
  }));
  const input = { desired, lifecycle, modes: { clients: 'KEEP', roles: 'KEEP' }, ...more };
  const { status, body } = await admin.send('POST', `/admin/realms/${realm}/plan`, input);
  const lines = (body.changes ?? []).map(
    ({ kind, key, fields }: { kind: string; key: string; fields: { path: string[] }[] }) =>
      `${kind} ${key}: ${fields.map(({ path }) => path.join('.')).join(', ')}`,
  );
  return { status, body, lines, input };
}

describe('ignored fields', () => {
  it('stay as they are in the realm, also within maps, and are in no plan', async () => {
    const desired = {
      displayName: 'Fair',
      attributes: { colour: 'blue', size: 'large' },
      clients: [
        {
          clientId: 'shop',
          description: 'Sells',
          redirectUris: [],
          attributes: { 'login.theme': 'dark', 'pkce.code.challenge.method': 'plain' },
          protocolMappers: [],
        },
      ],
      roles: {
        realm: [{ name: 'buyer', description: 'Buys' }],
        client: { shop: [{ name: 'sell', description: 'Other' }] },
      },
      groups: [{ name: 'staff', attributes: { floor: ['2'] }, subGroups: [{ name: 'night', realmRoles: [] }] }],
    };
    const rules: Rules = {
      'REALM/lifecycle': { ignoreChanges: ['displayName', 'attributes.size'] },
      'CLIENT/shop': { ignoreChanges: ['redirectUris', 'attributes.login.theme', 'protocolMappers', 'nothing'] },
      'CLIENT_ROLE/shop/sell': { ignoreChanges: ['description'] },
      'GROUP//staff': { ignoreChanges: ['attributes.floor'] },
      'GROUP//staff/night': { ignoreChanges: ['realmRoles'] },
    };
    const { body, lines, input } = await planned(desired, rules);
    expect(lines).toEqual([
      'CLIENT shop: attributes.pkce.code.challenge.method, description',
      'REALM lifecycle: attributes.colour',
      'REALM_ROLE buyer: description',
    ]);
    const applied = await admin.send('POST', `/admin/realms/${realm}/apply`, { ...input, expectedDigest: body.digest });
    expect(applied.status).toBe(200);
    expect((await planned(desired, rules)).lines).toEqual([]);
    const [{ redirectUris, attributes, protocolMappers }] = (await admin.send('GET', `/${realm}/clients?clientId=shop`))
      .body;
    expect([redirectUris, attributes['login.theme'], protocolMappers]).toMatchObject([
      ['https://shop.example/*'],
      'plain',
      [{ name: 'one' }],
    ]);
  });

  it('stay where the file resets the settings of the realm', async () => {
    const desired = { displayNameHtml: '<b>Fair</b>' };
    const rules: Rules = { 'REALM/lifecycle': { ignoreChanges: ['displayName', 'attributes.size'] } };
    const { lines } = await planned(desired, rules, { modes: { settings: 'FULL' } });
    expect(lines).toEqual(['REALM lifecycle: attributes.colour, displayNameHtml']);
  });

  it('are those of the file for new objects', async () => {
    const rules: Rules = { 'CLIENT/till': { ignoreChanges: ['description'] } };
    const { body } = await planned({ clients: [{ clientId: 'till', description: 'New' }] }, rules);
    expect(body.changes[0].fields).toContainEqual(expect.objectContaining({ path: ['description'], after: 'New' }));
  });
});

describe('protected objects', () => {
  it('refuse a plan that deletes them, also with others', async () => {
    const rules: Rules = {
      'CLIENT/shop': { preventDestroy: true },
      'CLIENT_ROLE/shop/sell': { preventDestroy: true },
      'REALM_ROLE/buyer': { preventDestroy: true },
      'IDENTITY_PROVIDER/partner': { preventDestroy: false },
    };
    const { status, body } = await planned({ clients: [], identityProviders: [] }, rules, { modes: {} });
    expect([status, body.faults]).toEqual([
      400,
      [
        {
          path: ['lifecycle', '0', 'preventDestroy'],
          message: expect.stringContaining('The plan would delete CLIENT/shop,'),
        },
        { path: ['lifecycle', '1', 'preventDestroy'], message: expect.stringContaining('CLIENT_ROLE/shop/sell') },
      ],
    ]);
    const apply = {
      desired: { clients: [] },
      lifecycle: [{ kind: 'CLIENT', key: 'shop', preventDestroy: true }],
      allowDeletes: 9,
    };
    expect((await admin.send('POST', `/admin/realms/${realm}/apply`, apply)).status).toBe(400);
    const changed = { clients: [{ clientId: 'shop', description: 'Changed' }] };
    expect(await planned(changed, rules)).toMatchObject({ status: 200, lines: ['CLIENT shop: description'] });
    const other = { ...apply, targets: [{ kind: 'CLIENT', key: 'account' }] };
    expect((await admin.send('POST', `/admin/realms/${realm}/plan`, other)).body.omitted).toBeGreaterThan(0);
  });

  it('are warned of where they do not exist', async () => {
    const { body } = await planned(
      {},
      { 'CLIENT/shoop': { preventDestroy: true }, 'USER/ann': { preventDestroy: true } },
    );
    expect(body.warnings).toEqual([
      '`lifecycle` of CLIENT/shoop has no effect: neither the realm nor the file has it.',
    ]);
  });
});

it('GraphQL has the same rules, and targets', async () => {
  const { id } = (await admin.send('GET', `/${realm}`)).body;
  const input = {
    id: btoa(`Realm:${id}`),
    desired: { json: { identityProviders: [], roles: { realm: [{ name: 'buyer', description: 'Over GraphQL' }] } } },
    modes: { roles: 'KEEP' },
    lifecycle: [{ kind: 'IDENTITY_PROVIDER', key: 'partner', preventsDestroy: true }],
  };
  const apply = (more: object) =>
    admin.graphql<{ realmApply: { plan: object | null; userErrors: { path: string[]; message: string }[] } }>(
      `mutation ($input: RealmApplyInput!) {
        realmApply(input: $input) { plan { omitted summary { update } } userErrors { path message } }
      }`,
      { input: { ...input, ...more } },
    );
  expect((await apply({})).data.realmApply.userErrors).toMatchObject([
    { path: ['lifecycle', '0', 'preventsDestroy'], message: expect.stringContaining('IDENTITY_PROVIDER/partner') },
  ]);
  const { data, errors } = await apply({ targets: [{ kind: 'REALM_ROLE', key: 'buyer' }] });
  expect([errors, data.realmApply]).toEqual([
    undefined,
    { plan: { omitted: 1, summary: { update: 1 } }, userErrors: [] },
  ]);
});
