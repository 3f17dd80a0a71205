import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

it('realmgate plan tells what a file would change, and realmgate apply changes that', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const { admin } = await startWithRealm({ realm: 'planned', enabled: true, displayName: 'Before' }, { databaseUrl });
  const file = join(temporaryFolder(), 'realm.json');
  const write = (content: object) => writeFileSync(file, JSON.stringify(content));
  const run = (...args: string[]) => realmgate(args, { DATABASE_URL: databaseUrl });

  write({ realm: 'planned', displayName: 'After', groups: [{ name: 'staff' }] });
  const planned = await run('plan', file);
  expect(planned).toMatchObject({ status: 2, errors: '' });
  expect(planned.output).toContain(
    '+ GROUP /staff\n~ REALM planned\n    displayName: "Before" → "After"\n1 to create, 1 to update, 0 to delete.\n',
  );
  const digest = /digest (\w+)/.exec(planned.output)?.[1] ?? '';
  expect(await run('apply', file, '--digest', digest)).toMatchObject({ status: 0, errors: '' });
  expect((await admin.send('GET', '/planned/groups')).body).toEqual([expect.objectContaining({ name: 'staff' })]);
  expect(await run('plan', file)).toMatchObject({ status: 0, output: '0 to create, 0 to update, 0 to delete.\n' });

  write({ groups: [] });
  expect(await run('apply', file, '--yes')).toMatchObject({ status: 1, errors: expect.stringContaining('--realm') });
  const refused = await run('apply', file, '--realm', 'planned', '--yes');
  expect(refused).toMatchObject({ status: 1, errors: expect.stringContaining('would delete 1 object,') });
  expect(refused.output).toContain('- GROUP /staff\n');
  const allowed = await run('apply', file, '--realm', 'planned', '--allow-deletes', '1', '--yes');
  expect(allowed).toMatchObject({
    status: 0,
    output: expect.stringContaining('Applied: 0 created, 0 updated, 1 deleted.'),
  });
  expect((await admin.send('GET', '/planned/groups')).body).toEqual([]);
});
