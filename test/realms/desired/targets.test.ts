// @both-databases
import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startWithRealm } from '../../support/fixture.js';

const realm = 'targets';
const start = {
  realm,
  enabled: true,
  displayName: 'Market',
  roles: {
    realm: [{ name: 'buyer' }, { name: 'seller', composites: { client: { shop: ['sell'] } } }],
    client: { shop: [{ name: 'sell' }] },
  },
  groups: [{ name: 'staff', subGroups: [{ name: 'night' }] }],
  clients: [{ clientId: 'shop', serviceAccountsEnabled: true, secret: 'secret-of-shop' }],
};
const modes = {
  clients: 'KEEP',
  roles: 'KEEP',
  clientRoles: 'KEEP',
  clientScopes: 'KEEP',
  authenticationFlows: 'KEEP',
};

let admin: Caller;
beforeAll(async () => {
  ({ admin } = await startWithRealm(start));
});

interface Shown {
  digest: string;
  changes: { action: string; kind: string; key: string; fields: { path: string[] }[] }[];
  omitted?: number;
}

/** A plan of these objects, and what an apply of it has changed. */
async function changed(desired: object, names: string[], more: object = {}) {
  const targets = names.map((name) => ({ kind: name.split('/')[0], key: name.slice(name.indexOf('/') + 1) }));
  const input = { desired, modes, targets, allowDeletes: 10, ...more };
  const planned = await admin.send('POST', `/admin/realms/${realm}/plan`, input);
  if (planned.status !== 200) return { status: planned.status, lines: [], omitted: undefined, body: planned.body };
  const { digest } = planned.body as Shown;
  const { status, body } = await admin.send('POST', `/admin/realms/${realm}/apply`, {
    ...input,
    expectedDigest: digest,
  });
  expect([status, (body as Shown).digest]).toEqual([200, digest]);
  const { changes, omitted } = body as Shown;
  return { status, lines: changes.map(({ action, kind, key }) => `${action} ${kind} ${key}`), omitted, changes };
}

describe('a plan of some objects', () => {
  it('has their changes alone, and counts the others', async () => {
    const desired = {
      displayName: 'Fair',
      roles: { realm: [{ name: 'buyer', description: 'Buys' }, { name: 'packer' }] },
    };
    expect(await changed(desired, ['REALM_ROLE/buyer'])).toMatchObject({
      lines: ['UPDATE REALM_ROLE buyer'],
      omitted: 2,
    });
    expect(await changed(desired, ['REALM_ROLE/packer', 'REALM/targets'])).toMatchObject({
      lines: ['UPDATE REALM targets', 'CREATE REALM_ROLE packer'],
      omitted: 0,
    });
    expect(await changed(desired, ['REALM_ROLE/packer'])).toMatchObject({ lines: [], omitted: 0 });
  });

  it('has new objects that these refer to, and what comes with a client', async () => {
    const desired = {
      browserFlow: 'own browser',
      authenticationFlows: [
        {
          alias: 'own browser',
          providerId: 'basic-flow',
          topLevel: true,
          authenticationExecutions: [{ authenticator: 'auth-cookie', requirement: 'ALTERNATIVE' }],
        },
        { alias: 'unused', providerId: 'basic-flow', topLevel: true },
      ],
      clientScopes: [
        { name: 'prices', protocol: 'openid-connect' },
        { name: 'stock', protocol: 'openid-connect' },
      ],
      clients: [{ clientId: 'till', serviceAccountsEnabled: true, defaultClientScopes: ['prices'] }],
      users: [{ username: 'service-account-till', serviceAccountClientId: 'till', realmRoles: ['cashier'] }],
      roles: { realm: [{ name: 'cashier' }] },
    };
    expect(await changed(desired, ['CLIENT/till'])).toMatchObject({
      lines: [
        'CREATE CLIENT till',
        'CREATE CLIENT_SCOPE prices',
        'CREATE REALM_ROLE cashier',
        'CREATE USER service-account-till',
      ],
      omitted: 4,
    });
    expect(await changed(desired, ['REALM/targets'])).toMatchObject({
      lines: ['CREATE AUTH_FLOW own browser', 'UPDATE REALM targets'],
      omitted: 2,
    });
  });

  it('takes from others only what refers to a deleted object', async () => {
    const desired = {
      clients: [],
      roles: { realm: [{ name: 'seller', description: 'Sells', composites: { realm: ['buyer'] } }] },
    };
    const { lines, omitted, changes } = await changed(desired, ['CLIENT/till'], {
      modes: { ...modes, clients: 'FULL' },
    });
    expect([lines, omitted]).toEqual([['DELETE CLIENT till', 'DELETE USER service-account-till'], 4]);
    const { lines: ofShop, changes: withRole } = await changed(desired, ['CLIENT/shop'], {
      modes: { ...modes, clients: 'FULL' },
    });
    expect(ofShop).toEqual([
      'DELETE CLIENT shop',
      'DELETE CLIENT_ROLE shop/sell',
      'UPDATE REALM_ROLE seller',
      'DELETE USER service-account-shop',
    ]);
    expect(changes?.length).toBe(2);
    expect(withRole?.[2]?.fields.map(({ path }) => path.join('.'))).toEqual(['composites.shop/sell']);
  });

  it('has the objects that have given up a name, and paths below a group', async () => {
    const idOf = async (name: string) => (await admin.send('GET', `/${realm}/roles/${name}`)).body.id;
    const swapped = [
      { id: await idOf('buyer'), name: 'trader' },
      { id: await idOf('seller'), name: 'buyer' },
    ];
    expect(await changed({ roles: { realm: swapped } }, ['REALM_ROLE/buyer'])).toMatchObject({
      lines: ['UPDATE REALM_ROLE buyer', 'UPDATE REALM_ROLE trader'],
    });
    const subGroups = [{ name: 'night' }, { name: 'early' }];
    const groups = [{ name: 'crew', renamedFrom: 'staff', subGroups }];
    expect(await changed({ groups }, ['GROUP//crew/early'])).toMatchObject({ lines: ['CREATE GROUP /staff/early'] });
    expect(await changed({ groups }, ['GROUP//crew'])).toMatchObject({
      lines: ['UPDATE GROUP /crew', 'UPDATE GROUP /crew/early', 'UPDATE GROUP /crew/night'],
      omitted: 0,
    });
  });

  it('is refused for an object that neither the realm nor the file has', async () => {
    const { status, body } = await changed({ roles: { realm: [{ name: 'one' }] } }, ['REALM_ROLE/one', 'CLIENT/shoop']);
    expect([status, body]).toMatchObject([
      400,
      {
        errorMessage: 'Neither the realm nor the file has the object CLIENT/shoop',
        faults: [{ path: ['targets', '1'] }],
      },
    ]);
    const answer = await admin.send('POST', `/admin/realms/${realm}/plan`, {
      desired: {},
      targets: [{ kind: 'CLIENT' }],
    });
    expect([answer.status, answer.body.errorMessage]).toEqual([400, '`key` of an object is required']);
  });

  it('leaves the files that the realm follows as they are', async () => {
    const desired = { roles: { realm: [{ name: 'followed' }] } };
    await changed(desired, ['REALM_ROLE/followed'], { source: 'https://git.example/realms' });
    expect((await admin.send('GET', `/admin/realms/${realm}/managed`)).status).toBe(404);
  });
});
