import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDesired, readDesired } from '../../src/cli/desired/load.js';
import { escapedReferences } from '../../src/cli/desired/substitute.js';
import { faultsOf, folderOf } from './folder.js';

const load = (files: Record<string, string>, options: object = {}) => {
  const cwd = folderOf(files);
  return loadDesired(['.'], { cwd, ...options });
};
const messages = (files: Record<string, string>, options: object = {}) =>
  faultsOf(() => load(files, options)).map(({ message, position }) => ({
    message,
    at: position && `${position.file}:${position.line}:${position.column}`,
  }));

describe('the files of a desired realm', () => {
  it('are one realm, whatever files its objects are in', () => {
    const { realm, files } = load({
      'realm.yaml': 'realm: shop\nattributes: { a: x }',
      'more.json': '{ "attributes": { "b": "y" }, "clients": [{ "clientId": "till" }] }',
      'clients/web.yaml': 'clientId: web',
      'clients/team/others.json': '[{ "clientId": "app" }, { "clientId": "batch" }]',
      'roles/clerk.yaml': 'name: clerk',
      'client-roles/web.yaml': 'web: [{ name: seller }]',
      'client-roles/app.yaml': 'app: [{ name: buyer }]',
      'components/keys.yaml': 'org.keycloak.keys.KeyProvider: [{ name: rsa, providerId: rsa-generated }]',
      'localization/de.yaml': 'de: { hello: Hallo }',
      'overlays/production.yaml': 'displayName: never read',
      'clients/README.md': 'not a client',
      'clients/.draft.yaml': 'clientId: hidden',
    });
    expect(realm).toEqual({
      realm: 'shop',
      attributes: { a: 'x', b: 'y' },
      clients: ['till', 'app', 'batch', 'web'].map((clientId) => ({ clientId })),
      roles: { realm: [{ name: 'clerk' }], client: { web: [{ name: 'seller' }], app: [{ name: 'buyer' }] } },
      components: { 'org.keycloak.keys.KeyProvider': [{ name: 'rsa', providerId: 'rsa-generated' }] },
      localizationTexts: { de: { hello: 'Hallo' } },
    });
    expect(files).toHaveLength(9);
  });

  it('have only the kinds that they mention', () => {
    expect(load({ 'clients/empty.yaml': '# nothing yet\n' }).realm).toEqual({});
    expect(load({ 'realm.yaml': 'clients: []' }).realm).toEqual({ clients: [] });
  });

  it('can be named one by one: the folder of a file states its kind', () => {
    const cwd = folderOf({ 'clients/web.yaml': 'clientId: web', 'roles/realm.yaml': 'realm: shop' });
    const { realm } = loadDesired(['clients/web.yaml', 'roles/realm.yaml'], { cwd });
    expect(realm).toEqual({ clients: [{ clientId: 'web' }], realm: 'shop' });
  });

  describe('of keycloak-config-cli', () => {
    const files = {
      'import.yaml':
        'displayName: $(env:NAME:-Shop)\nattributes: { key: "$(file:UTF-8:key.pem)", text: "$$(env:NAME)" }',
      'key.pem': 'the key\n',
    };

    it('are refused with their references, which would become a secret themselves', () => {
      const { faults } = readDesired(['import.yaml'], { cwd: folderOf(files) });
      expect(faults.map(({ message, position }) => [message.slice(0, 58), position?.line])).toEqual([
        ['The reference `$(env:` is one of keycloak-config-cli: writ', 1],
        ['The reference `$(file:` is one of keycloak-config-cli: wri', 2],
      ]);
    });

    it('are read by a switch', () => {
      const read = (env: Record<string, string>) =>
        loadDesired(['import.yaml'], { cwd: folderOf(files), env, readsConfigCli: true });
      const attributes = { key: 'the key', text: '$(env:NAME)' };
      expect(read({}).realm).toEqual({ displayName: 'Shop', attributes });
      expect(read({ NAME: '$(env:OTHER)' }).realm).toEqual({ displayName: '$(env:OTHER)', attributes });
      const other = folderOf({ 'realm.yaml': 'displayName: $(sys:user.home)' });
      expect(() => loadDesired(['realm.yaml'], { cwd: other, readsConfigCli: true })).toThrow('are not read');
    });

    it('are escaped where a realm has such a text', () => {
      const text = 'a $(env:B) and $$(file:c)';
      expect(escapedReferences(text)).toBe('a $$(env:B) and $$$(file:c)');
      expect(load({ 'realm.json': JSON.stringify({ displayName: escapedReferences(text) }) }).realm).toEqual({
        displayName: text,
      });
    });
  });

  it('keep the text of numbers in JSON', () => {
    const cwd = folderOf({
      'realm.json': '{ "attributes": { "version": 1.10, "big": 12345678901234567890, "one": 1 } }',
    });
    expect(loadDesired(['realm.json'], { cwd }).realm).toEqual({
      attributes: { version: '1.10', big: '12345678901234567890', one: '1' },
    });
  });

  it('keep the text of numbers and switches where the contract has texts', () => {
    const { realm } = load({
      'realm.yaml': `attributes: { version: 1.10, isNew: TRUE, big: 12345678901234567890 }
accessTokenLifespan: 0x10
users: [{ username: 007, attributes: { floor: 2.0, rooms: [1.50, on] } }]
components: { keys: [{ name: 1, config: { priority: [100] } }] }`,
    });
    expect(realm).toEqual({
      attributes: { version: '1.10', isNew: 'TRUE', big: '12345678901234567890' },
      accessTokenLifespan: 16,
      users: [{ username: '007', attributes: { floor: '2.0', rooms: ['1.50', 'on'] } }],
      components: { keys: [{ name: '1', config: { priority: ['100'] } }] },
    });
  });

  it('must not have an object or a setting twice', () => {
    const files = {
      'realm.yaml':
        'realm: shop\nenabled: true\ngroups:\n  - name: staff\n    subGroups: [{ name: night }, { name: night }]',
      'other.yaml': 'enabled: false',
      'clients/a.yaml': 'clientId: web\nenabled: true',
      'clients/b.json': '[\n  { "clientId": "app" },\n  { "clientId": "web" }\n]',
      'users/ann.yaml': 'username: ann',
      'users/Ann.yml': 'username: Ann',
    };
    expect(messages(files)).toEqual([
      { message: 'The field `enabled` is already set at other.yaml:1:1', at: 'realm.yaml:2:1' },
      { message: 'The group `night` is already set at realm.yaml:5:17', at: 'realm.yaml:5:34' },
      { message: 'The client `web` is already set at clients/a.yaml:1:1', at: 'clients/b.json:3:3' },
      { message: 'The user `ann` is already set at users/Ann.yml:1:1', at: 'users/ann.yaml:1:1' },
    ]);
  });

  it('may have two components that differ in their subType, and mappers of two protocols with one name', () => {
    const { realm } = load({
      'realm.yaml': `components: { p: [{ name: x, providerId: y, subType: a }, { name: x, providerId: y, subType: b }] }
protocolMappers: [{ name: m, protocol: saml }, { name: m }]`,
    });
    expect(realm['protocolMappers']).toHaveLength(2);
  });

  it.each([
    [
      '{ "realm": "shop",\n  "enabled": tru }',
      '.json',
      2,
      17,
      'The JSON syntax is wrong at this place, in `"enabled": … }`',
    ],
    ['{ "realm": "shop"', '.json', 1, 18, 'The JSON syntax is wrong at this place, in `{ "realm": "…"`'],
    ['realm: shop\ndisplayName: "Shop', '.yaml', 2, 19, 'YAML: Missing closing "quote, in `displayName: "…`'],
    ['{ "a": 1,\n "a": 2 }', '.json', 2, 2, 'The key "a" is used twice'],
    ['realm: shop\nrealm: shop', '.yaml', 2, 1, 'The key `realm` is used twice'],
    ['realm: !env NAME', '.yaml', 1, 13, 'Tags such as `!secret` are not supported'],
    ['realm: *name', '.yaml', 1, 8, 'The anchor `name` is not defined before this alias'],
    ['<<: { a: 1 }', '.yaml', 1, 1, 'Merge keys (`<<`) are not supported: repeat the fields, or use an overlay'],
    ['realm: a\n---\nrealm: b', '.yaml', 2, 1, 'A file must have one YAML document, without `---` in it'],
    ['notBefore: .nan', '.yaml', 1, 12, 'The value `.nan` is not a number of JSON: quote it if it is a text'],
    ['[1]: a', '.yaml', 1, 1, 'A key must be a text'],
    ['- realm: a', '.yaml', 1, 1, 'The file must have the fields of a realm'],
    ['{"attributes":\n{"__proto__": {}}}', '.json', 2, 2, 'The key `__proto__` is not allowed'],
    ['attributes:\n  __proto__: {}', '.yaml', 2, 3, 'The key `__proto__` is not allowed'],
  ])('name the place of a fault in %j', (text, ending, line, column, message) => {
    const file = `realm${ending}`;
    expect(messages({ [file]: text })).toEqual([{ message, at: `${file}:${line}:${column}` }]);
  });

  it('never show what stands beside a fault of syntax', () => {
    const secret = 'hunter2';
    for (const [file, text] of [
      ['realm.json', `{"secret": "${secret}" "x"}`],
      ['realm.yaml', `secret: "${secret}\n  x: [`],
    ] as const) {
      const faults = messages({ [file]: text });
      expect(faults.length).toBeGreaterThan(0);
      expect(JSON.stringify(faults)).not.toContain(secret);
    }
  });

  it('are refused in folders of unknown names, and where nothing is found', () => {
    expect(messages({ 'client/web.yaml': 'clientId: web' })[0]?.message).toMatch(/^The folder client is unknown/);
    expect(messages({ 'README.md': '' })[0]?.message).toBe('No file with the ending .json, .yaml or .yml in .');
    const cwd = folderOf({ 'realm.txt': '' });
    const [missing] = faultsOf(() => loadDesired(['nothing'], { cwd }));
    expect(missing?.message).toBe('The file or folder nothing does not exist');
    const [text] = faultsOf(() => loadDesired([join(cwd, 'realm.txt')], { cwd }));
    expect(text?.message).toBe('The name of the file realm.txt must end in .json, .yaml or .yml');
  });
});

describe('positions', () => {
  const cwd = folderOf({
    'realm.json': '{\n  "realm": "shop",\n  "clients": [\n    { "clientId": "a\\"{", "name": "x" },\n    {}\n  ]\n}',
    'clients/b.yaml': '# a client\nclientId: b\nredirectUris:\n  - https://b\n',
    'overlay.yaml': 'clients:\n  - clientId: b\n    name: from overlay\n',
  });
  const desired = loadDesired(['realm.json', 'clients/b.yaml'], { cwd, overlays: ['overlay.yaml'] });

  it.each([
    [['realm'], 'realm.json', 2, 3],
    [['clients', 0, 'name'], 'realm.json', 4, 27],
    [['clients', 1], 'realm.json', 5, 5],
    [['clients', 1, 'clientId'], 'realm.json', 5, 5],
    [['clients', 2], 'clients/b.yaml', 2, 1],
    [['clients', 2, 'redirectUris', 0], 'clients/b.yaml', 4, 5],
    [['clients', 2, 'name'], 'overlay.yaml', 3, 5],
  ])('are those of the value at %j', (path, file, line, column) => {
    expect(desired.positionOf(path)).toEqual({ file, line, column });
  });
});

describe('overlays', () => {
  const base = `realm: shop
displayName: Shop
attributes: { a: x, b: y }
clients:
  - clientId: web
    redirectUris: [https://a, https://b]
    protocolMappers: [{ name: m, config: { x: '1', y: '2' } }]
  - clientId: old
groups: [{ name: staff, subGroups: [{ name: night, attributes: { floor: ['1'] } }] }]`;

  it('merge objects by their natural keys, replace other lists, and remove with null and $remove', () => {
    const overlay = `displayName: null
attributes: { a: null, c: z }
clients:
  - { clientId: web, redirectUris: [https://c], protocolMappers: [{ name: m, config: { x: null } }, { name: n }] }
  - { clientId: old, $remove: true }
  - { clientId: never, $remove: true }
  - { clientId: new, name: null, attributes: { a: null, b: c } }
groups: [{ path: /staff, subGroups: [{ name: night, attributes: { floor: null } }] }]`;
    const { realm } = load({ 'realm.yaml': base, 'overlays/o.yaml': overlay }, { overlays: ['overlays/o.yaml'] });
    expect(realm).toEqual({
      realm: 'shop',
      attributes: { b: 'y', c: 'z' },
      clients: [
        {
          clientId: 'web',
          redirectUris: ['https://c'],
          protocolMappers: [{ name: 'm', config: { y: '2' } }, { name: 'n' }],
        },
        { clientId: 'new', attributes: { b: 'c' } },
      ],
      groups: [{ name: 'staff', path: '/staff', subGroups: [{ name: 'night', attributes: {} }] }],
    });
  });

  it('are applied in their order, and may be folders', () => {
    const files = {
      'realm.yaml': base,
      'overlays/a/clients/web.yaml': 'clientId: web\nname: a',
      'overlays/b.yaml': 'clients: [{ clientId: web, name: b }]',
    };
    const nameAfter = (overlays: string[]) =>
      (load(files, { overlays }).realm['clients'] as { name: string }[])[0]?.name;
    expect(nameAfter(['overlays/a', 'overlays/b.yaml'])).toBe('b');
    expect(nameAfter(['overlays/b.yaml', 'overlays/a'])).toBe('a');
  });

  it('must name their objects', () => {
    const files = {
      'realm.yaml': base,
      'overlays/o.yaml': 'clients:\n  - name: x\n  - { clientId: web, $remove: yes }',
    };
    expect(messages(files, { overlays: ['overlays/o.yaml'] })).toEqual([
      { message: 'Each client of an overlay must have `clientId`', at: 'overlays/o.yaml:2:5' },
      { message: '`$remove` must be true, or absent', at: 'overlays/o.yaml:3:22' },
    ]);
  });
});
