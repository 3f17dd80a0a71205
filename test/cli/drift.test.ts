import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { preparedDatabaseUrl } from '../support/database.js';
import { type OnServer, onServer } from './on-server.js';
import { commandFile, realmgate } from './run.js';

let on: OnServer;
let databaseUrl: string;
let file: string;
const desired = {
  realm: 'drifting',
  displayName: 'As it should be',
  groups: [{ name: 'staff' }],
  roles: { realm: [{ name: 'reader', description: 'Reads' }] },
  $realmgate: { modes: { roles: 'KEEP' } },
};

beforeAll(async () => {
  databaseUrl = await preparedDatabaseUrl();
  // the names of deleted objects are details
  const realm = { realm: 'drifting', enabled: true, adminEventsEnabled: true, adminEventsDetailsEnabled: true };
  on = await onServer(realm, databaseUrl);
  file = on.file(desired);
  expect((await on.run(['apply', file, '--yes'])).status).toBe(0);
});

/** The same command on the server and on its database. */
const ways = [
  { way: 'a server', args: () => ['--url', on.server.url], env: () => ({ REALMGATE_TOKEN: on.admin.token }) },
  { way: 'a database', args: () => [], env: () => ({ DATABASE_URL: databaseUrl }) },
] as const;

const change = (path: string, body: object) => on.admin.send('PUT', `/admin/realms/drifting${path}`, body);
const restore = async () => expect((await on.run(['apply', file, '--yes', '--allow-deletes', '9'])).status).toBe(0);

describe.each(ways)('realmgate drift on $way', ({ args, env }) => {
  it('prints what was changed by hand, and by whom', async () => {
    expect(await realmgate(['drift', file, ...args()], env())).toEqual({
      status: 0,
      errors: '',
      output: 'The realm is as the files say.\n',
    });
    await change('/roles/reader', { name: 'reader', description: 'By hand' });
    await change('', { displayName: 'Also by hand' });
    const [group] = (await on.admin.send('GET', '/admin/realms/drifting/groups')).body;
    await on.admin.send('DELETE', `/admin/realms/drifting/groups/${group.id}`);
    await on.admin.send('POST', '/admin/realms/drifting/groups', { name: 'intruders' });
    const { status, errors, output } = await realmgate(['drift', file, ...args()], env());
    expect({ status, errors }).toEqual({ status: 2, errors: '' });
    const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
    expect(output.replaceAll(time, 'TIME').split('\n')).toEqual([
      '+ GROUP /intruders',
      '    last changed TIME by admin',
      '- GROUP /staff',
      '    last changed TIME by admin',
      '~ REALM drifting',
      '    displayName: "As it should be" → "Also by hand"',
      '    last changed TIME by admin',
      '~ REALM_ROLE reader',
      '    description: "Reads" → "By hand"',
      '    last changed TIME by admin',
      '1 added, 2 changed, 1 removed since the files were applied.',
      '',
    ]);
    const json = JSON.parse((await realmgate(['drift', file, '--json', ...args()], env())).output);
    expect(json.changes[0]).toMatchObject({
      kind: 'GROUP',
      lastChangedAt: expect.any(Number),
      lastChangedBy: { username: 'admin', clientId: 'admin-cli' },
    });
    await restore();
  });

  it('follows a realm, with a line for each object', async () => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [commandFile, 'drift', '--watch', file, ...args()], {
      env: { PATH, ...env() },
    });
    const ended = once(child, 'close');
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => (await lines.next()).value;
    expect(await next()).toBe('The realm is as the files say.');
    await change('', { displayName: 'While it is watched' });
    expect(await next()).toMatch(/^~ REALM drifting \(displayName\), 2\S+Z by admin$/);
    await change('', { displayName: 'As it should be' });
    expect(await next()).toBe('= REALM drifting is as the files say');
    await change('/roles/reader', { name: 'reader', description: 'Once more' });
    expect(await next()).toMatch(/^~ REALM_ROLE reader \(description\), 2\S+Z by admin$/);
    child.kill('SIGTERM');
    expect(await ended).toEqual([2, null]);
    await restore();
  });
});
