import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDesired } from '../../src/cli/desired/load.js';
import { faultsOf, folderOf } from './folder.js';

const load = (text: string, env: Record<string, string> = {}, others: Record<string, string | Buffer> = {}) =>
  loadDesired(['realm.yaml'], { cwd: folderOf({ 'realm.yaml': text, ...others }), env });
const display = (value: string, env: Record<string, string> = {}) =>
  load(`displayName: ${JSON.stringify(value)}`, env).realm['displayName'];
const refused = (value: string, others: Record<string, string | Buffer> = {}, filesFrom: string[] = []) => {
  const cwd = folderOf({ 'realm.yaml': `displayName: ${JSON.stringify(value)}`, ...others });
  const [fault] = faultsOf(() => loadDesired(['realm.yaml'], { cwd, filesFrom }));
  expect(fault?.position).toMatchObject({ file: 'realm.yaml', line: 1, column: 1 });
  return fault?.message;
};

describe('references to variables', () => {
  it('stand for values, parts of values, and defaults', () => {
    expect(display('${env:A}', { A: 'x' })).toBe('x');
    expect(display('a ${env:A} b ${env:B:-c d}', { A: 'x' })).toBe('a x b c d');
    expect(display('${env:A:-standard}', { A: '' })).toBe('standard');
    expect(display('<${env:A:-}>')).toBe('<>');
    expect(display('<${env:A}>', { A: '' })).toBe('<>');
  });

  it('are escaped with a second dollar sign', () => {
    expect(display('$${env:A} $$${file:b}', { A: 'x' })).toBe('${env:A} $${file:b}');
  });

  it('leave the texts of realm files alone', () => {
    const texts =
      '${client_account} ${role_admin} ${profileScopeConsentText} ${vault.smtp} $${x} ${env} ${environment:A}';
    expect(display(texts)).toBe(texts);
  });

  it.each([
    ['${env:A}', 'The environment variable A is not set: set it, or write `${env:A:-default}`'],
    ['${env:}', 'A reference to a variable must be `${env:NAME}` or `${env:NAME:-default}`'],
    ['${env:A B}', 'A reference to a variable must be `${env:NAME}` or `${env:NAME:-default}`'],
    ['${env:A', 'The reference `${env:` has no closing brace'],
    ['${env:A:-${env:B}}', 'A reference must not have another one in it'],
    [
      '${env:constructor}',
      'The environment variable constructor is not set: set it, or write `${env:constructor:-default}`',
    ],
  ])('are refused as %s', (value, message) => {
    expect(refused(value)).toBe(message);
  });

  it.each([
    ['"\nenabled: false\nx: "'],
    ['", "enabled": false, "x": "'],
    ['${env:SECRET}'],
    ['${file:secret.txt}'],
    ['$${env:SECRET}'],
    ['&a [*a, *a]'],
    ['!!js/function x'],
    ['$&$1$`'],
  ])('keep the value %j in its place and never read it again', (value) => {
    const env = { VALUE: value, SECRET: 'leaked' };
    const others = { 'secret.txt': 'leaked' };
    expect(load('displayName: ${env:VALUE}\nenabled: true', env, others).realm).toEqual({
      displayName: value,
      enabled: true,
    });
    const cwd = folderOf({ 'realm.json': '{"displayName": "${env:VALUE}", "enabled": true}', ...others });
    expect(loadDesired(['realm.json'], { cwd, env }).realm).toEqual({ displayName: value, enabled: true });
  });

  it('are not read in keys', () => {
    expect(load('attributes: { "${env:A}": x }', { A: 'y' }).realm).toEqual({ attributes: { '${env:A}': 'x' } });
  });

  it('make values secret, until an overlay sets another one', () => {
    const cwd = folderOf({
      'realm.yaml':
        'realm: shop\nclients: [{ clientId: web, secret: "${env:S}" }, { clientId: app, secret: "${env:S}" }]',
      'overlay.yaml': 'clients: [{ clientId: app, secret: plain, redirectUris: ["https://${env:S}"] }]',
    });
    const { secretPaths } = loadDesired(['realm.yaml'], { cwd, env: { S: 's' }, overlays: ['overlay.yaml'] });
    expect(secretPaths).toEqual([
      ['clients', 0, 'secret'],
      ['clients', 1, 'redirectUris', 0],
    ]);
  });
});

describe('references to files', () => {
  const value = (path: string, others: Record<string, string | Buffer>) =>
    load(`displayName: "\${file:${path}}"`, {}, others).realm['displayName'];

  it('are relative to the file that has them, and lose the last newline', () => {
    expect(value('secrets/a.txt', { 'secrets/a.txt': 'line 1\nline 2\n' })).toBe('line 1\nline 2');
    const cwd = folderOf({ 'clients/web.yaml': 'clientId: web\nsecret: ${file:../web.txt}', 'web.txt': 's3cret\r\n' });
    expect(loadDesired(['.'], { cwd }).realm).toEqual({ clients: [{ clientId: 'web', secret: 's3cret' }] });
    expect(loadDesired(['clients/web.yaml'], { cwd }).secretPaths).toEqual([['clients', 0, 'secret']]);
  });

  const outside = (path: string) =>
    `The file ${path} must be in the folder of the realm, or in one that \`--files-from\` allows`;

  it('never leave the folder of the realm', () => {
    const elsewhere = folderOf({ 'secret.txt': 'leaked' });
    const path = join(elsewhere, 'secret.txt');
    for (const out of [path, '../secret.txt', '/etc/passwd', 'a/../../b']) {
      expect(refused(`\${file:${out}}`)).toBe(outside(out));
    }
    const cwd = folderOf({ 'realm.yaml': 'displayName: ${file:link.txt}' });
    symlinkSync(path, join(cwd, 'link.txt'));
    expect(faultsOf(() => loadDesired(['realm.yaml'], { cwd }))[0]?.message).toBe(outside('link.txt'));
    expect(loadDesired(['realm.yaml'], { cwd, filesFrom: [elsewhere] }).realm).toEqual({ displayName: 'leaked' });
  });

  it('must be text files of at most 1 MB', () => {
    expect(refused('${file:none.txt}')).toBe('The file none.txt does not exist');
    expect(refused('${file:folder}', { 'folder/a.txt': '' })).toBe('The file folder does not exist');
    expect(refused('${file:a.bin}', { 'a.bin': Buffer.from([0xff, 0xfe]) })).toBe('The file a.bin must be UTF-8 text');
    const large = { 'a.txt': 'x'.repeat(1024 * 1024 + 1) };
    expect(refused('${file:a.txt}', large)).toBe('The file a.txt must have at most 1 MB');
  });
});

describe('files that cost too much', () => {
  const message = (files: Record<string, string | Buffer>) =>
    faultsOf(() => loadDesired(['.'], { cwd: folderOf(files) })).map((fault) => fault.message);

  it('are refused for aliases that multiply', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 20; level += 1) {
      lines.push(
        `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    }
    expect(message({ 'realm.yaml': lines.join('\n') })).toEqual(['Aliases must repeat at most 10000 values']);
    expect(message({ 'realm.yaml': 'attributes: &a { b: *a }' })).toEqual(['The alias `a` contains itself']);
  });

  it('are refused for their depth', () => {
    const deep = 'The file must have at most 100 levels of objects and lists';
    const levels = 200_000;
    expect(message({ 'realm.json': `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}` })).toEqual([deep]);
    expect(message({ 'realm.yaml': `a: ${'['.repeat(5000)}${']'.repeat(5000)}` })).toEqual([deep]);
  });

  it('are refused for their size, and for bytes that are no text', () => {
    const large = Buffer.alloc(16 * 1024 * 1024 + 1, '#');
    expect(message({ 'realm.yaml': large })).toEqual(['The file must have at most 16 MB, got 17 MB']);
    expect(message({ 'realm.yaml': Buffer.from([0x61, 0xff]) })).toEqual(['The file must be UTF-8 text']);
  });
});
