import { beforeAll, describe, expect, it } from 'vitest';
import { type SettingWithoutEffect, settingsWithoutEffect } from '../../src/services/core/settings-without-effect.js';
import { type Caller, startWithRealm } from '../support/fixture.js';

let admin: Caller;
const realm = 'idle';

beforeAll(async () => {
  ({ admin } = await startWithRealm({ realm, enabled: true }));
});

const ignoredBy = ({ headers }: { headers: Headers }) =>
  (headers.get('x-ignored-fields') ?? '')
    .replace(/^\d+: /, '')
    .split(', ')
    .filter(Boolean);
const pathOf = ({ map, name }: SettingWithoutEffect) => (map ? `${map}.${name}` : name);

/** An object that asks for a setting, or has a value of it that asks for nothing. */
function objectWith({ map, name, of }: SettingWithoutEffect, value: string): Record<string, unknown> {
  const isList = ['requiredCredentials', 'eventsListeners', 'defaultRoles'].includes(name);
  const isFlag = ['surrogateAuthRequired', 'authenticateByDefault'].includes(name);
  const typed = of === 'ComponentRepresentation' || isList ? [value] : isFlag ? value === 'true' : value;
  return map ? { [map]: { [name]: typed } } : { [name]: typed };
}

const asked = ({ idle }: SettingWithoutEffect) => (idle.includes('false') ? 'true' : 'something');
const file = ({ of, providerId }: SettingWithoutEffect, object: object): [path: string, file: object] => {
  if (of === 'RealmRepresentation') return ['', object];
  if (of === 'ClientRepresentation') return ['clients.0.', { clients: [{ clientId: 'app', ...object }] }];
  if (of === 'IdentityProviderRepresentation')
    return [
      'identityProviders.0.',
      { identityProviders: [{ alias: 'one', providerId: providerId ?? 'oidc', ...object }] },
    ];
  if (of === 'ClientScopeRepresentation')
    return ['clientScopes.0.', { clientScopes: [{ name: 'one', protocol: 'openid-connect', ...object }] }];
  const type = 'org.keycloak.storage.UserStorageProvider';
  return [`components.${type}.0.`, { components: { [type]: [{ name: 'one', providerId: 'ldap', ...object }] } }];
};

describe('settings without effect', () => {
  const whole = settingsWithoutEffect.filter(({ name }) => name === 'providerId');
  const single = settingsWithoutEffect.filter(({ name }) => name !== 'providerId');

  it('are named in the answer to an import, and not if they ask for nothing', async () => {
    const outcomes = await Promise.all(
      single.map(async (setting, at) => {
        const send = async (value: string, name: string) => {
          const [place, object] = file(setting, objectWith(setting, value));
          const answer = await admin.send('POST', '/admin/realms', { realm: name, ...object }, { prefer: 'dry-run' });
          const told = ignoredBy(answer).includes(place + pathOf(setting));
          return answer.status === 201 ? told : `${answer.status} ${JSON.stringify(answer.body)}`;
        };
        const idle = await send(setting.idle[0] ?? '', `idle-${at}`);
        return [pathOf(setting), await send(asked(setting), `asked-${at}`), idle];
      }),
    );
    expect(outcomes).toEqual(single.map((setting) => [pathOf(setting), true, false]));
  });

  it('are named for whole providers', async () => {
    expect(whole.map(({ providerId }) => providerId)).toEqual(['kerberos', 'declarative-user-profile']);
    const type = 'org.keycloak.storage.UserStorageProvider';
    const kerberos = { components: { [type]: [{ name: 'one', providerId: 'kerberos' }] } };
    const answer = await admin.send('POST', '/admin/realms', { realm: 'whole', ...kerberos }, { prefer: 'dry-run' });
    expect([answer.status, ignoredBy(answer)]).toEqual([201, [`components.${type}.0.providerId`]]);
  });

  it('are named in the answer to a write of one object, and the value is kept', async () => {
    const clients = `/admin/realms/${realm}/clients`;
    const attributes = { login_theme: 'mine', 'saml.allow.ecp.flow': 'false', colour: 'blue' };
    const created = await admin.send('POST', clients, { clientId: 'app', attributes });
    expect(created.headers.get('x-ignored-fields')).toBe('1: attributes.login_theme');
    const [client] = (await admin.send('GET', `${clients}?clientId=app`)).body;
    expect(client.attributes).toMatchObject(attributes);
    const read = await admin.send('GET', `${clients}/${client.id}`);
    expect(read.headers.get('x-ignored-fields')).toBeNull();
    const put = await admin.send('PUT', `${clients}/${client.id}`, client);
    expect(ignoredBy(put)).toEqual(['attributes.login_theme']);
    const plain = { ...client, attributes: { ...client.attributes, login_theme: '' } };
    expect(ignoredBy(await admin.send('PUT', `${clients}/${client.id}`, plain))).toEqual([]);
  });

  it('are not named for what the server answers by itself', async () => {
    await admin.send('POST', '/admin/realms', { realm: 'fresh', enabled: true });
    const at = '/admin/realms/fresh';
    const { body } = await admin.send('GET', at);
    expect(ignoredBy(await admin.send('PUT', at, body))).toEqual([]);
    const { body: clients } = await admin.send('GET', `${at}/clients`);
    for (const client of clients)
      expect(ignoredBy(await admin.send('PUT', `${at}/clients/${client.id}`, client))).toEqual([]);
    const exported = await admin.send('POST', `${at}/partial-export?exportClients=true`);
    const { id: _, ...copy } = { ...exported.body, realm: 'copy' };
    const imported = await admin.send('POST', '/admin/realms', copy, { prefer: 'dry-run' });
    expect([imported.status, ignoredBy(imported)]).toEqual([201, []]);
  });

  it('are warnings in GraphQL', async () => {
    const { data } = await admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
    const create = async (input: object) => {
      const answer = await admin.graphql<{ clientCreate: { userErrors: []; warnings: string[] } }>(
        'mutation ($input: ClientCreateInput!) { clientCreate(input: $input) { userErrors { message } warnings } }',
        { input: { realm: data.realm.id, ...input } },
      );
      expect([answer.errors, answer.data.clientCreate.userErrors]).toEqual([undefined, []]);
      return answer.data.clientCreate.warnings;
    };
    expect(await create({ clientId: 'themed', loginTheme: 'mine' })).toEqual([
      '`attributes.login_theme` has no effect. The pages and emails have one theme. Its colours and logo are settings of the realm.',
    ]);
    expect(await create({ clientId: 'plain' })).toEqual([]);
  });
});
