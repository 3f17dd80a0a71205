import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { faultText } from '../../src/cli/desired/faults.js';
import { loadDesired } from '../../src/cli/desired/load.js';
import { realmSchemaText } from '../../src/cli/desired/schema.js';
import { validate } from '../../src/cli/desired/validate.js';
import { faultsOf, folderOf } from './folder.js';

const check = (text: string, env: Record<string, string> = {}): string[] =>
  validate(loadDesired(['realm.yaml'], { cwd: folderOf({ 'realm.yaml': text }), env })).map(faultText);

describe('the validation of a realm', () => {
  it('states all faults at once, in the order of the file', () => {
    expect(
      check(`realm: shop
acessTokenLifespan: 5
enabled: maybe
sslRequired: sometimes
ssoSessionIdleTimeout: 99999999999
clients:
  - clientId: web
    redirectUris: https://web
    protocolMappers:
      - nam: m
        config: { a: [b] }
webhooks: [{ name: w, loginEventTypes: LOGIN }]
`),
    ).toEqual([
      'realm.yaml:2:1: `acessTokenLifespan` is not a field of RealmRepresentation: did you mean `accessTokenLifespan`?',
      'realm.yaml:3:1: `enabled` must be true or false, got a text',
      'realm.yaml:4:1: `sslRequired` must be one of all, external, none',
      'realm.yaml:5:1: `ssoSessionIdleTimeout` must be at most 2147483647',
      'realm.yaml:8:5: `clients[web].redirectUris` must be a list, got a text',
      'realm.yaml:10:9: `clients[web].protocolMappers[0].nam` is not a field of ProtocolMapperRepresentation: did you mean `name`?',
      'realm.yaml:10:9: `clients[web].protocolMappers[0]` must have `name`',
      'realm.yaml:11:19: `clients[web].protocolMappers[0].config.a` must be a text, got a list',
      'realm.yaml:12:23: `webhooks[w].loginEventTypes` must be a list, got a text',
    ]);
  });

  it('refuses integers that no field can hold, and states the largest one', () => {
    const faults = faultsOf(() => check('realm: shop\nextensions: { big: 12345678901234567890 }\n'));
    expect(faults.map(faultText)).toEqual([
      'realm.yaml:2:15: `extensions.big` is an integer that no field can hold: quote it if it is a text',
    ]);
    expect(check('accessTokenLifespan: 12345678901234567890\nnotBefore: 3000000000\n')).toEqual([
      'realm.yaml:1:1: `accessTokenLifespan` must be at most 2147483647',
      'realm.yaml:2:1: `notBefore` must be at most 2147483647',
    ]);
    expect(check('attributes: { a: 12345678901234567890 }\n')).toEqual([]);
  });

  it('takes texts of variables where the contract has switches and numbers', () => {
    const text = 'enabled: ${env:ON}\naccessTokenLifespan: ${env:SECONDS:-300}';
    expect(check(text, { ON: 'true' })).toEqual([]);
    const [fault] = check(text, { ON: 'hunter2' });
    expect(fault).toBe('realm.yaml:1:1: `enabled` must be true or false, got a text');
  });

  it('never shows what came from variables, also where it names an object', () => {
    const env = { VALUE: 'hunter2' };
    const text = `clients:
  - { clientId: "\${env:VALUE}", enabled: maybe }
  - { clientId: shop, secret: "\${env:VALUE}", enabled: maybe }
`;
    expect(check(text, env)).toEqual([
      'realm.yaml:2:33: `clients[0].enabled` must be true or false, got a text',
      'realm.yaml:3:47: `clients[shop].enabled` must be true or false, got a text',
    ]);
    const cwd = folderOf({ 'realm.yaml': 'groups: [{ name: "${env:VALUE}" }, { name: "${env:VALUE}" }]' });
    const [fault] = faultsOf(() => loadDesired(['realm.yaml'], { cwd, env }));
    expect(fault?.message).toBe('The group is already set at realm.yaml:1:10');
  });

  it('warns of fields that the files of newer versions have', () => {
    const fault = '`organizationsEnabled` is not a field of RealmRepresentation';
    expect(check('organizationsEnabled: true')).toEqual([`realm.yaml:1:1: ${fault}`]);
    expect(check('organizationsEnabled: true\nkeycloakVersion: 26.0.8')).toEqual([`realm.yaml:1:1: warning: ${fault}`]);
  });

  it('checks the words of plan and apply', () => {
    const words = `$realmgate: { modes: { clients: FULL, users: KEEP, groups: ADD } }
clients: [{ clientId: web, renamedFrom: shop, secretVersion: 2 }]`;
    expect(check(words)).toEqual([]);
    expect(loadDesired(['realm.yaml'], { cwd: folderOf({ 'realm.yaml': words }) }).realm).toMatchObject({
      $realmgate: { modes: { clients: 'FULL' } },
      clients: [{ renamedFrom: 'shop', secretVersion: 2 }],
    });
    expect(
      check(`$realmgate: { mode: x, modes: { clients: full, client: KEEP } }
clients: [{ clientId: web, renamedFrom: '', secretVersion: [1] }]
roles: { realm: [{ name: a, secretVersion: 1 }] }`).map((fault) => fault.replace(/: these are.*/, '')),
    ).toEqual([
      'realm.yaml:1:15: `$realmgate.mode` is unknown: the only fields are `modes` and `lifecycle`',
      'realm.yaml:2:28: `clients[web].renamedFrom` must be a text that is not empty',
      'realm.yaml:2:45: `clients[web].secretVersion` must be a number, got a list',
      'realm.yaml:3:29: `roles.realm[a].secretVersion` is not a field of RoleRepresentation',
    ]);
  });
});

describe('the JSON schema for editors', () => {
  const schema = JSON.parse(realmSchemaText());
  const editor = z.fromJSONSchema(schema);
  const accepts = (realm: unknown): boolean => editor.safeParse(realm).success;

  it('accepts realm files, words, and references in place of switches and numbers', () => {
    const example = readFileSync(join(import.meta.dirname, '../../examples/acme-realm.json'), 'utf8');
    expect(accepts(JSON.parse(example))).toBe(true);
    expect(accepts({ enabled: '${env:ON}', accessTokenLifespan: '${env:A:-5}', displayName: null })).toBe(true);
    const client = { clientId: 'a', renamedFrom: 'b', secretVersion: 3, $remove: true };
    expect(accepts({ $realmgate: { modes: { clients: 'FULL' } }, clients: [client] })).toBe(true);
  });

  it.each([
    [{ realmm: 'shop' }],
    [{ enabled: 'yes' }],
    [{ clients: [{ redirectUris: 'https://a' }] }],
    [{ $realmgate: { modes: { clients: 'ALL' } } }],
    [{ clients: [{ clientId: 'a', $remove: false }] }],
  ])('refuses %j', (realm) => {
    expect(accepts(realm)).toBe(false);
  });

  it('describes every field that it has a description for', () => {
    const { properties } = schema.$defs.RealmRepresentation;
    expect(properties.accessTokenLifespan.description).toBe('Seconds until an access token expires. Default 300.');
    expect(
      Object.values(properties).filter((field) => (field as object) && 'description' in (field as object)).length,
    ).toBeGreaterThan(100);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });
});
