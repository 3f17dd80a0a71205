import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileNameOf, isSound, listedRealms, openRealmFolder } from '../../src/cli/realm-folder.js';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-folder-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const parts = { users: true, secrets: true };
const abc = { bytes: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' };
const entryOf = (name: string) => ({
  ...abc,
  name,
  id: `id-${name}`,
  file: fileNameOf(name),
  version: '1',
  exportedAt: new Date().toISOString(),
});

describe('the file name of a realm', () => {
  it('is that of the realm where that is one everywhere', () => {
    expect(['acme', 'acme-2', 'a_b'].map(fileNameOf)).toEqual(['acme.json', 'acme-2.json', 'a_b.json']);
  });

  it('is safe and another one for every odd name, also where case does not count', () => {
    const odd = [
      'Acme',
      'ACME',
      'a/b',
      'a.b',
      '..',
      '.',
      'a b',
      'con',
      'realms',
      'größe',
      'grosse',
      '漢字',
      '漢',
      'a\nb',
      '',
    ];
    const names = [...odd, 'acme', 'x'.repeat(300), 'x'.repeat(301)].map(fileNameOf);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9_~-]{1,80}\.json$/.test(name))).toEqual([]);
    expect(names).not.toContain('con.json');
    expect(names).not.toContain('realms.json');
  });
});

describe('a folder of realms', () => {
  it('knows after an interruption what was noted, also when the last line of the journal is torn', async () => {
    const path = newFolder();
    const first = await openRealmFolder(path, parts, false);
    writeFileSync(join(path, 'one.json'), 'abc');
    writeFileSync(join(path, 'two.json'), 'abc');
    await first.note(entryOf('one'));
    await first.note(entryOf('two'));
    await first.close();
    const journal = join(path, 'realms.journal');
    writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, -20));

    const second = await openRealmFolder(path, parts, false);
    expect(await second.known('id-one')).toMatchObject({ name: 'one', ...abc });
    expect(await second.known('id-two')).toBeUndefined();
    await second.note(entryOf('two'));
    await second.close();
    const third = await openRealmFolder(path, parts, false);
    expect([await third.known('id-one'), await third.known('id-two')]).toMatchObject([
      { name: 'one' },
      { name: 'two' },
    ]);
    await third.close();
  });

  it('does not take a file for complete that is not what was written', async () => {
    const path = newFolder();
    writeFileSync(join(path, 'one.json'), 'abd');
    expect(await isSound(path, entryOf('one'))).toBe(false);
    writeFileSync(join(path, 'one.json'), 'abc');
    expect(await isSound(path, entryOf('one'))).toBe(true);
    rmSync(join(path, 'one.json'));
    expect(await isSound(path, entryOf('one'))).toBe(false);
  });

  it('loses the files of realms that no longer exist, and nothing else', async () => {
    const path = newFolder();
    for (const [name, text] of Object.entries({ one: 'abc', two: 'abc', mine: 'kept' })) {
      writeFileSync(join(path, `${name}.json`), text);
    }
    const first = await openRealmFolder(path, parts, false);
    for (const name of ['one', 'two']) await first.note(entryOf(name));
    await first.finish();
    await first.close();
    const second = await openRealmFolder(path, parts, false);
    await second.note(entryOf('two'));
    await second.finish();
    await second.close();
    expect([...(await listedRealms(path)).keys()]).toEqual(['two.json']);
    expect(() => readFileSync(join(path, 'one.json'))).toThrow('ENOENT');
    expect(readFileSync(join(path, 'mine.json'), 'utf8')).toBe('kept');
  });

  it('refuses files with other parts, and a manifest that is none', async () => {
    const path = newFolder();
    const first = await openRealmFolder(path, parts, false);
    await first.finish();
    await first.close();
    const other = { users: true, secrets: false };
    await expect(openRealmFolder(path, other, false)).rejects.toThrow('users and secrets. Use --fresh');
    await (await openRealmFolder(path, other, true)).close();
    writeFileSync(join(path, 'realms.json'), '{"users":true}');
    await expect(listedRealms(path)).rejects.toThrow('not a list of exported realms');
  });
});
