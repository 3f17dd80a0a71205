import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFiles } from '../../src/cli/commands/fmt.js';
import { loadDesired, readDesired } from '../../src/cli/desired/load.js';
import { parse } from '../../src/cli/desired/parse.js';
import { escapedReferences } from '../../src/cli/desired/substitute.js';
import { randomNumbers } from '../support/random.js';
import { faultsOf, folderOf } from './folder.js';

// The files of a realm can come from somebody else, such as the author of a pull request.
const outside = expect.stringContaining('must be in the folder of the realm, or in one that `--files-from` allows');
const load = (cwd: string, filesFrom: string[] = []) => loadDesired(['.'], { cwd, filesFrom });

describe('links in the folder of a realm', () => {
  const elsewhere = folderOf({ 'secret.yaml': 'clientId: of-others', 'clients/x.yaml': 'clientId: x' });
  const folderWithLink = (link: string, target: string): string => {
    const cwd = folderOf({ 'realm.yaml': 'realm: shop', 'clients/own.yaml': 'clientId: own' });
    symlinkSync(target, join(cwd, link));
    return cwd;
  };

  it.each([
    ['clients/link.yaml', join(elsewhere, 'secret.yaml')],
    ['link.json', '/dev/zero'],
    ['roles', join(elsewhere, 'clients')],
    ['clients/more', elsewhere],
  ])('must not lead out of it: %s', (link, target) => {
    expect(faultsOf(() => load(folderWithLink(link, target)))).toMatchObject([{ message: outside }]);
  });

  it('must not lead out of it if the file itself is named, or is formatted', () => {
    const cwd = folderWithLink('clients/link.yaml', join(elsewhere, 'secret.yaml'));
    const path = join(cwd, 'clients/link.yaml');
    expect(faultsOf(() => loadDesired([path], { cwd }))).toMatchObject([{ message: outside }]);
    expect(faultsOf(() => formatFiles([path], {}))).toMatchObject([{ message: outside }]);
    expect(readFileSync(join(elsewhere, 'secret.yaml'), 'utf8')).toBe('clientId: of-others');
  });

  it('may lead to other files in it, and to folders that an option allows', () => {
    const cwd = folderWithLink('clients/link.yaml', join(elsewhere, 'secret.yaml'));
    symlinkSync('realm.yaml', join(cwd, 'overlays'));
    const { realm } = load(cwd, [elsewhere]);
    expect(realm['clients']).toEqual([{ clientId: 'of-others' }, { clientId: 'own' }]);
  });

  it('to folders that lead back are read once', () => {
    const cwd = folderOf({ 'clients/own.yaml': 'clientId: own' });
    for (const name of ['a', 'b', 'c', 'd', 'e']) symlinkSync('.', join(cwd, 'clients', name));
    expect(load(cwd).realm).toEqual({ clients: [{ clientId: 'own' }] });
  });

  it('must lead to a file, as pipes and devices may never end', () => {
    const cwd = folderOf({ 'realm.yaml': 'realm: shop' });
    mkdirSync(join(cwd, 'clients'));
    execFileSync('mkfifo', [join(cwd, 'clients/pipe.yaml')]);
    expect(faultsOf(() => load(cwd))).toMatchObject([{ message: 'clients/pipe.yaml must be a file' }]);
    expect(faultsOf(() => load(folderWithLink('clients/none.yaml', 'missing.yaml')))).toMatchObject([
      { message: 'The link clients/none.yaml leads to no file' },
    ]);
  });
});

describe('large files take time that grows with their size', () => {
  const errorsOf = (text: string, format: 'json' | 'yaml' = 'yaml') =>
    parse(Buffer.from(text), format).parsed.errors.map(({ message }) => message);
  const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

  it('with many aliases', () => {
    const text = ['attributes:', '  first: &x y', ...lines(60_000, (index) => `  k${index}: *x`)].join('\n');
    expect(errorsOf(text)).toEqual(['Aliases must repeat at most 10000 values']);
  });

  it('with many faults', () => {
    const cwd = folderOf({
      'realm.yaml': ['attributes:', ...lines(20_000, (index) => `  k${index}: !x 1`)].join('\n'),
      'more.json': `{"attributes":{${lines(20_000, () => '"k":1').join(',\n')}}}`,
    });
    const { faults } = readDesired(['.'], { cwd });
    expect(faults).toHaveLength(39_999);
    expect(faults.at(-1)?.position).toMatchObject({ file: 'realm.yaml', line: 20_001 });
  });

  it('with many dollar signs', () => {
    const dollars = `${'$'.repeat(400_000)}x\${`;
    const cwd = folderOf({ 'realm.json': JSON.stringify({ displayName: dollars }) });
    expect(load(cwd).realm['displayName']).toBe(dollars);
    expect(escapedReferences(dollars)).toBe(dollars);
  });

  it('with many levels', () => {
    const tooDeep = ['The file must have at most 100 levels of objects and lists'];
    expect(errorsOf('['.repeat(300_000), 'json')).toEqual(tooDeep);
    expect(errorsOf(`${'['.repeat(300_000)}${']'.repeat(300_000)}`, 'json')).toEqual(tooDeep);
    expect(errorsOf(`a: ${'['.repeat(100_000)}`)).toEqual(tooDeep);
    expect(errorsOf('- '.repeat(50_000))).toEqual(tooDeep);
  });
});

describe('keys of a file', () => {
  it.each([
    ['{"attributes": {"__pro\\u0074o__": "x"}}', 'json'],
    ['attributes: { "__pro\\x74o__": x }', 'yaml'],
    ['attributes: { ? "\\u005f_proto__" : x }', 'yaml'],
  ] as const)('must not be __proto__, however it is written: %s', (text, format) => {
    const { errors } = parse(Buffer.from(text), format).parsed;
    expect(errors).toMatchObject([{ message: 'The key `__proto__` is not allowed' }]);
  });

  it('can have the names that every object inherits', () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
    const entries = Object.fromEntries(inherited.map((name) => [name, 'x']));
    const roles = { client: Object.fromEntries(inherited.map((name) => [name, [{ name }]])) };
    const realm = { attributes: entries, roles, localizationTexts: { en: entries } };
    const cwd = folderOf({ 'realm.json': JSON.stringify(realm), 'overlays/same.json': JSON.stringify(realm) });
    expect(load(cwd).realm).toEqual(realm);
    expect(loadDesired(['realm.json'], { cwd, overlays: ['overlays/same.json'] }).realm).toEqual(realm);
  });
});

it('an alias stands for the anchor before it, also where it is repeated', () => {
  const cwd = folderOf({ 'realm.yaml': 'attributes: { a: &x 1, b: &y [*x], c: &x 2, d: *y, e: *x, &k f: *k }' });
  expect(load(cwd).realm).toEqual({ attributes: { a: '1', b: [1], c: '2', d: [1], e: '2', f: 'f' } });
});

it('what is wrong with a file is printed without its values', () => {
  const marks = [...'{}[],:"\'\\|>*&!%@`#?-\n\t ', '---', '...', '%YAML ', ' &a &b ', '!!', '\\x'];
  const text = `realm: "hunter2"\nsmtpServer: { password: 'hunter2', user: [hunter2] }\nclients:\n- secret: |\n    hunter2\n`;
  for (let seed = 1; seed <= 600; seed += 1) {
    const random = randomNumbers(seed);
    let broken = text;
    for (let edits = 0; edits < 3; edits += 1) {
      const at = Math.floor(random() * broken.length);
      const cut = random() < 0.5 ? 1 : 0;
      broken = broken.slice(0, at) + marks[Math.floor(random() * marks.length)] + broken.slice(at + cut);
    }
    const { errors } = parse(Buffer.from(broken), 'yaml').parsed;
    // keys are named: a value becomes one if a colon follows it
    const ofValues = errors.filter(({ message }) => !/^(The key|The anchor|The alias) `/.test(message));
    expect(JSON.stringify([seed, ofValues]), broken).not.toMatch(/hun|unter|nter2|ter2/);
  }
});
