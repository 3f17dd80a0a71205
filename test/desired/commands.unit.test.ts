import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realmgate } from '../cli/run.js';
import { folderOf } from './folder.js';

const valid = { 'realm/realm.yaml': 'realm: shop\nenabled: true\n', 'realm/clients/web.yaml': 'clientId: web\n' };

describe('realmgate validate', () => {
  it('needs neither a server nor settings, and ends with 0 for a valid realm', async () => {
    const folder = folderOf(valid);
    expect(await realmgate(['validate', join(folder, 'realm')], {})).toEqual({
      status: 0,
      output: '2 files: valid\n',
      errors: '',
    });
  });

  it('prints a line for each fault of files and fields, and ends with 1', async () => {
    const folder = folderOf({ ...valid, 'realm/users.yaml': 'users: [{ usrname: ann }]', 'realm/groups/a.json': '{' });
    const { status, output, errors } = await realmgate(['validate', join(folder, 'realm')], {});
    const lines = errors
      .trim()
      .split('\n')
      .map((line) => line.slice(folder.length));
    expect(lines).toEqual([
      '/realm/groups/a.json:1:2: The JSON syntax is wrong at this place',
      '/realm/users.yaml:1:9: `users[0]` must have `username`',
      '/realm/users.yaml:1:11: `users[0].usrname` is not a field of UserRepresentation: did you mean `username`?',
    ]);
    expect({ status, output }).toEqual({ status: 1, output: '4 files: 3 errors, 0 warnings\n' });
  });

  it('prints JSON for programs, with the paths of fields', async () => {
    const folder = folderOf({ 'realm.yaml': 'enabled: maybe\n' });
    const path = join(folder, 'realm.yaml');
    const { status, output } = await realmgate(['validate', '--json', path], {});
    expect(status).toBe(1);
    expect(JSON.parse(output)).toEqual({
      files: [path],
      faults: [
        {
          severity: 'error',
          file: path,
          line: 1,
          column: 1,
          path: ['enabled'],
          message: '`enabled` must be true or false, got a text',
        },
      ],
    });
    const missing = await realmgate(['validate', '--json', join(folder, 'none')], {});
    expect(missing.status).toBe(1);
    expect(JSON.parse(missing.output).faults).toMatchObject([{ message: expect.stringContaining('does not exist') }]);
  });

  it('takes overlays, variables of a file, and further folders', async () => {
    const secrets = folderOf({ 'a.txt': 'a' });
    const folder = folderOf({
      'realm.yaml': `realm: shop\ndisplayName: "\${env:NAME}"\nattributes: { a: "\${file:${secrets}/a.txt}" }`,
      'overlay.yaml': 'accessTokenLifespan: none',
      'vars.env': 'NAME="My shop"\n',
      'clients.yaml': 'clients: [{ clientId: orders-web }, { clientId: shop }]',
      'mistyped.yaml': 'clients:\n  - clientId: ordrs-web\n  - clientId: payments',
    });
    const realm = join(folder, 'realm.yaml');
    const without = await realmgate(['validate', realm], {});
    expect(without.errors).toContain('The environment variable NAME is not set');
    expect(without.errors).toContain('or in one that `--files-from` allows');
    const variables = ['--variables', join(folder, 'vars.env')];
    const all = await realmgate(['validate', realm, ...variables, '--files-from', secrets], {});
    expect(all).toMatchObject({ status: 0, errors: '' });
    const overlaid = await realmgate(['validate', realm, '--overlay', join(folder, 'overlay.yaml'), ...variables], {});
    expect(overlaid.errors).toContain('`accessTokenLifespan` must be a number, got a text');
    const [clients, mistyped] = [join(folder, 'clients.yaml'), join(folder, 'mistyped.yaml')];
    const added = await realmgate(
      ['validate', realm, clients, '--overlay', mistyped, ...variables, '--files-from', secrets],
      {},
    );
    expect(added.errors).toMatch(
      /mistyped.yaml:2:5: warning: The overlay adds this client, .* did you mean "orders-web"\?\n$/,
    );
    expect(added).toMatchObject({ status: 0, output: '3 files: 0 errors, 1 warning\n' });
    const missing = await realmgate(['validate', realm, '--variables', join(folder, 'none')], {});
    expect(missing).toMatchObject({
      status: 1,
      errors: expect.stringContaining('--variables must name a readable file'),
    });
  });
});

describe('realmgate fmt', () => {
  const files = { 'realm.yaml': 'enabled: true\nrealm: shop\n', 'clients/web.json': '{"name":"Web","clientId":"web"}' };

  it('writes files in their canonical form, once', async () => {
    const folder = folderOf(files);
    const paths = ['realm.yaml', 'clients/web.json'].map((name) => join(folder, name));
    const printed = `${paths.join('\n')}\n`;
    const checked = await realmgate(['fmt', '--check', folder], {});
    expect(checked).toMatchObject({
      status: 1,
      output: printed,
      errors: expect.stringContaining('run `realmgate fmt`'),
    });
    expect(readFileSync(paths[0] as string, 'utf8')).toBe(files['realm.yaml']);
    expect(await realmgate(['fmt', folder], {})).toEqual({ status: 0, output: printed, errors: '' });
    expect(readFileSync(paths[0] as string, 'utf8')).toBe('realm: shop\nenabled: true\n');
    expect(readFileSync(paths[1] as string, 'utf8')).toBe('{\n  "clientId": "web",\n  "name": "Web"\n}\n');
    expect(await realmgate(['fmt', '--check', folder], {})).toEqual({ status: 0, output: '', errors: '' });
  });

  it('changes nothing if a file has a fault', async () => {
    const folder = folderOf({ ...files, 'users/ann.yaml': 'username: "ann' });
    const { status, errors } = await realmgate(['fmt', folder], {});
    expect(status).toBe(1);
    expect(errors).toContain(`${join(folder, 'users/ann.yaml')}:1:`);
    expect(readFileSync(join(folder, 'realm.yaml'), 'utf8')).toBe(files['realm.yaml']);
  });
});
