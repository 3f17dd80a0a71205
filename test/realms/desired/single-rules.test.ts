import { beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../support/fixture.js';
import { randomFrom } from './edits.js';
import {
  directory,
  faults,
  ids,
  keyProvider,
  long,
  modes,
  provider,
  realm,
  type Single,
  singles,
  startWorld,
  storage,
  type World,
} from './single-rules-world.js';

// What an operation on a single object refuses, a file of the realm refuses too: it is no way around the rules.
const seed = Number(process.env.REALMGATE_SEED ?? 1);
const rounds = 25 * Number(process.env.REALMGATE_ROUNDS ?? 6);

let admin: Caller;
let plan: World['plan'];
let apply: World['apply'];

beforeAll(async () => {
  ({ admin, plan, apply } = await startWorld());
});

describe('a file', () => {
  it(`is refused where the operation on the object is (${rounds} of ${faults.length} faults, seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const passed: unknown[] = [];
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { name, field, value } = faults[Math.floor(random() * faults.length)] as (typeof faults)[number];
      const single = singles[name] as Single;
      const object = { ...single.base, [field]: value };
      const [method, path, body] = single.request(object);
      const alone = await admin.send(method, path, body, { prefer: 'dry-run' });
      const planned = await plan(single.file(object));
      // a file takes a text where a setting of a component is a list of one
      const isRefused = alone.status >= 400 && !/expected array, received string/.test(alone.body.errorMessage);
      if (isRefused) refused += 1;
      if (planned.status >= 500 || (isRefused && planned.status < 400))
        passed.push([name, field, JSON.stringify(value).slice(0, 60), alone.status, planned.status]);
    }
    expect(passed).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  it.each([
    ['a script as redirect URI', 'client', { redirectUris: ['javascript:alert(1)'] }, 'clients.0.redirectUris.0'],
    ['a script as root URL', 'client that is there', { rootUrl: 'javascript:alert(1)' }, 'clients.0.rootUrl'],
    ['an attribute of directories', 'user', { attributes: { LDAP_ID: ['1'] } }, 'users.0.attributes.LDAP_ID'],
    ['the same of somebody', 'user who is there', { attributes: { LDAP_ID: ['1'] } }, 'users.0.attributes.LDAP_ID'],
    ['a weak password', 'user', { credentials: [{ type: 'password', value: 'short' }] }, 'users.0.credentials'],
    ['a name without end', 'user', { firstName: long }, 'users.0.firstName'],
    [
      'an address of no server',
      'identity provider',
      { config: { ...provider, tokenUrl: 'ftp://x' } },
      'identityProviders.0.config.tokenUrl',
    ],
    ['an alias of two segments', 'identity provider', { alias: 'a/b' }, 'identityProviders.0.alias'],
    ['no priority', 'key provider', { config: { priority: ['abc'] } }, `components.${keyProvider}.0.config`],
    [
      'an unknown edit mode',
      'directory',
      { config: { ...directory, editMode: ['x'] } },
      `components.${storage}.0.config.editMode`,
    ],
    ['an unknown algorithm', 'realm', { defaultSignatureAlgorithm: 'none' }, 'defaultSignatureAlgorithm'],
    ['the email address of a username', 'user', { email: 'bob@shop.example' }, 'users.0.email'],
    ['a name like another', 'user', { username: '\u0441\u043e\u0440' }, 'users.0.username'],
  ])('with %s is refused, at its place', async (_what, name, change, field) => {
    const single = singles[name] as Single;
    const file = single.file({ ...single.base, ...change });
    const [method, path, body] = single.request({ ...single.base, ...change });
    const alone = await admin.send(method, path, body, { prefer: 'dry-run' });
    const answers = [alone, await plan(file), await apply(file)];
    expect(answers.map(({ status }) => [400, 409].includes(status))).toEqual([true, true, true]);
    const { data } = await admin.graphql<{ realmApply: { userErrors: { path: string[] }[] } }>(
      'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { path message } } }',
      { input: { id: btoa(`Realm:${ids.realm}`), desired: { json: file }, modes } },
    );

    expect(data.realmApply.userErrors.map((error) => error.path.join('.'))).toEqual([
      expect.stringMatching(new RegExp(`(^|\\.)${field.replaceAll('.', '\\.')}$`)),
    ]);
  });

  it('names everything that is wrong with it', async () => {
    const { data } = await admin.graphql<{ realmApply: { userErrors: { path: string[]; code: string }[] } }>(
      'mutation ($input: RealmApplyInput!) { realmApply(input: $input) { userErrors { path code } } }',
      {
        input: {
          id: btoa(`Realm:${ids.realm}`),
          desired: {
            json: {
              clients: [{ clientId: 'shop' }, { clientId: 'new', redirectUris: ['javascript:1'] }],
              users: [{ username: 'new', credentials: [{ value: 'short' }], attributes: { LDAP_ID: ['1'] } }],
            },
          },
          modes,
        },
      },
    );
    const found = data.realmApply.userErrors.map(({ path, code }) => `${path.slice(-3).join('.')} ${code}`);
    expect(found).toEqual([
      '1.redirectUris.0 INVALID',
      '0.attributes.LDAP_ID READ_ONLY',
      'users.0.credentials PASSWORD_POLICY',
    ]);
  });

  it('may leave what a realm has although the operations refuse it', async () => {
    const imported = { clientId: 'older', redirectUris: ['javascript:older'] };
    const kept = await plan({ clients: [{ clientId: 'older', description: 'New' }] });
    expect([kept.status, kept.body.summary?.update]).toEqual([200, 1]);
    expect((await plan({ clients: [{ ...imported, redirectUris: ['javascript:other'] }] })).status).toBe(400);
  });

  it('keeps the attributes that a directory has set', async () => {
    const linked = { username: 'linked', federationLink: ids.storage, attributes: { LDAP_ID: ['42'], team: ['a'] } };
    expect((await apply({ users: [linked] })).status).toBe(200);
    const changed = await apply({ users: [{ username: 'linked', attributes: { team: ['b'] } }] });
    expect([changed.status, changed.body.summary?.update]).toEqual([200, 1]);
    const [user] = (await admin.send('GET', `/${realm}/users?username=linked`)).body;
    expect(user.attributes).toEqual({ LDAP_ID: ['42'], team: ['b'] });
    expect((await plan({ users: [{ username: 'linked', attributes: { LDAP_ID: ['43'] } }] })).status).toBe(400);
  });
});
