import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../src/cli/desired/canonical.js';
import { formatted } from '../../src/cli/desired/format.js';
import { loadDesired } from '../../src/cli/desired/load.js';
import { parse } from '../../src/cli/desired/parse.js';
import { validate } from '../../src/cli/desired/validate.js';
import { filesOfRealm, writeFolder } from '../../src/cli/desired/write-folder.js';
import { realmShape, shapeOf } from '../../src/services/realms/files/shape.js';
import { hostileTexts } from '../fuzz/values.js';
import { folderOf } from './folder.js';

const project = join(import.meta.dirname, '../..');
const exportsFolder = 'test/realms/exports';
const realmFiles = ['examples', exportsFolder].flatMap((folder) =>
  readdirSync(join(project, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`),
);

type Realm = Record<string, unknown>;
const inOrder = (realm: Realm) => canonical(realm, realmShape()) as Realm;

/** The realm that is loaded from the folder that a realm is written to. */
function throughFolder(realm: Realm): Realm {
  const cwd = folderOf({});
  writeFolder(realm, join(cwd, 'realm'));
  return inOrder(loadDesired(['realm'], { cwd }).realm);
}

/** Counts every value with the names of the fields above it, whatever the order. */
function counted(value: unknown, path = '', counts = new Map<string, number>()): Map<string, number> {
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value))
      counted(item, Array.isArray(value) ? path : `${path}/${key}`, counts);
  } else {
    const key = `${path} ${JSON.stringify(value)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

it('there are realm files of this service and of two versions of Keycloak', () => {
  expect(realmFiles).toEqual([
    'examples/acme-realm.json',
    `${exportsFolder}/keycloak-15.0.2.json`,
    `${exportsFolder}/keycloak-26.0.8.json`,
  ]);
});

describe.each(realmFiles)('%s', (path) => {
  const text = readFileSync(join(project, path), 'utf8');
  const realm: Realm = JSON.parse(text);

  it('is a desired realm', () => {
    const desired = loadDesired([path], { cwd: project });
    expect(desired.realm).toEqual(realm);
    expect(desired.secretPaths).toEqual([]);
    const faults = validate(desired);
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
    // fields that newer versions have added
    expect(faults.every(({ message }) => message.includes('is not a field of'))).toBe(true);
    if (!path.includes('26.0.8')) expect(faults).toEqual([]);
  });

  it('is the same after it was written as a folder', () => {
    expect(throughFolder(realm)).toEqual(inOrder(realm));
  });

  it('has the same values in the canonical order', () => {
    expect(counted(inOrder(realm))).toEqual(counted(realm));
    expect(JSON.stringify(inOrder(inOrder(realm)))).toBe(JSON.stringify(inOrder(realm)));
  });

  it('is formatted once and for all, in both formats', () => {
    const once = formatted(text, 'json', realmShape());
    expect(JSON.parse(once)).toEqual(inOrder(realm));
    expect(formatted(once, 'json', realmShape())).toBe(once);
    for (const [file, content] of filesOfRealm(realm)) {
      if (file !== 'realm.yaml') continue;
      expect(formatted(content, 'yaml', realmShape())).toBe(content);
    }
  });
});

describe('a folder', () => {
  it('keeps texts of every kind, also those that look like references', () => {
    const texts = [
      ...hostileTexts.filter((text) => !/\p{Surrogate}/u.test(text)),
      '${env:A}',
      '$${env:A}',
      '${file:/etc/passwd}',
      '${role_admin}',
      '1.10',
      'true',
      'no',
      'null',
      '~',
      '- a',
      '# b',
      'a: b',
      '*x',
      '\u2028\u0085\ufeff',
      ' \n leading\n\n  and trailing \n',
      '---',
    ];
    const realm = { attributes: Object.fromEntries(texts.map((text, index) => [`a${index}`, text])) };
    expect(throughFolder(realm)).toEqual(realm);
    const users = { users: [{ username: 'ann', attributes: { all: texts } }] };
    expect(throughFolder(users)).toEqual(users);
  });

  it('has a safe file for every name', () => {
    const names = [
      'a/b',
      'a_b',
      '../../x',
      '.hidden',
      'CON',
      'con',
      'realm',
      'Web',
      'web',
      'ä',
      'x'.repeat(200),
      ' ',
      'a\nb',
    ];
    const realm = { clients: names.map((clientId) => ({ clientId })) };
    const files = [...filesOfRealm(realm).keys()];
    for (const file of files) expect(file).toMatch(/^(realm|clients\/[\w@-][\w.@-]{0,90})\.yaml$/);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length + 1);
    expect(files).toContain('clients/a_b.yaml');
    expect(throughFolder(realm)).toEqual(inOrder(realm));
  });

  it('is replaced by the next realm, but never what others wrote', () => {
    const cwd = folderOf({ 'others/notes.txt': 'mine' });
    const folder = join(cwd, 'realm');
    writeFolder({ realm: 'a', clients: [{ clientId: 'old' }, { clientId: 'web' }] }, folder);
    mkdirSync(join(folder, 'overlays'));
    writeFileSync(join(folder, 'overlays/production.yaml'), 'enabled: true');
    writeFolder({ realm: 'a', clients: [{ clientId: 'web' }] }, folder);
    expect(readdirSync(folder)).toEqual(['clients', 'overlays', 'realm.yaml']);
    expect(readdirSync(join(folder, 'clients'))).toEqual(['web.yaml']);
    expect(statSync(join(folder, 'clients/web.yaml')).mode & 0o077).toBe(0);
    expect(() => writeFolder({ realm: 'a' }, join(cwd, 'others'))).toThrow('must be empty or written by');
    expect(readdirSync(join(cwd, 'others'))).toEqual(['notes.txt']);
  });
});

describe('the canonical form of YAML', () => {
  it('keeps comments with the fields and objects that they describe', () => {
    const text = `# yaml-language-server: $schema=schema/realm.schema.json

enabled: true # for all
# the name
realm: shop
clients:
  # the web shop
  - redirectUris: [https://b, https://a]
    clientId: web
  # an app
  - clientId: app
`;
    expect(formatted(text, 'yaml', realmShape())).toBe(`# yaml-language-server: $schema=schema/realm.schema.json

# the name
realm: shop
enabled: true # for all
clients:
  # an app
  - clientId: app
  # the web shop
  - clientId: web
    redirectUris: [ https://b, https://a ]
`);
  });

  it('keeps the comment on top of a file there, and formats its own form no more', () => {
    const texts = {
      '# top\nenabled: true\n# name\nrealm: shop\n': '# top\n\n# name\nrealm: shop\nenabled: true\n',
      '# top\n\n# switch\nenabled: true\nrealm: shop\n': '# top\n\nrealm: shop\n# switch\nenabled: true\n',
      '# top\n# still\nrealm: shop\n': '# top\n# still\n\nrealm: shop\n',
    };
    for (const [text, expected] of Object.entries(texts)) {
      expect(formatted(text, 'yaml', realmShape())).toBe(expected);
      expect(formatted(expected, 'yaml', realmShape())).toBe(expected);
    }
    const clients = shapeOf(realmShape(), 'clients');
    const list = '# top\n- clientId: b\n# a\n- clientId: a\n';
    expect(formatted(list, 'yaml', clients)).toBe('# top\n\n# a\n- clientId: a\n- clientId: b\n');
  });

  it('keeps numbers as they are written, also those that JavaScript cannot hold', () => {
    const numbers = '{ a: 12345678901234567890, b: 1.10, c: 1e3, d: -0.12345678901234567890, e: 0x1F, f: .5, 1.10: 2 }';
    const yaml = `attributes: ${numbers}\n`;
    expect(formatted(yaml, 'yaml', undefined)).toBe(
      'attributes: { 1.10: 2, a: 12345678901234567890, b: 1.10, c: 1e3, d: -0.12345678901234567890, e: 0x1F, f: .5 }\n',
    );
    const json = '{\n  "attributes": {\n    "a": 12345678901234567890,\n    "b": 1.10,\n    "c": "1.10"\n  }\n}\n';
    expect(formatted(json, 'json', realmShape())).toBe(json);
  });

  it('keeps the order where an alias depends on it, and the texts of numbers', () => {
    const text = 'users:\n  - username: b\n    attributes: &a\n      v: 1.10\n  - username: a\n    attributes: *a\n';
    expect(formatted(text, 'yaml', realmShape())).toBe(text);
    const value = (of: string) => parse(Buffer.from(of), 'yaml').parsed.written?.map((one) => one.text);
    expect(value(formatted('attributes: { b: 1.10, a: 0x10 }', 'yaml', realmShape()))).toEqual(['0x10', '1.10']);
  });
});
