import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

it('realmgate history prints the applies of a realm, and realmgate revert takes one back', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const { admin, server } = await startWithRealm({ realm: 'told', enabled: true }, { databaseUrl });
  const file = join(temporaryFolder(), 'realm.json');
  const run = (...args: string[]) => realmgate(args, { DATABASE_URL: databaseUrl });
  const apply = (content: object) => {
    writeFileSync(file, JSON.stringify({ realm: 'told', $realmgate: { modes: { roles: 'KEEP' } }, ...content }));
    return run('apply', file, '--yes', '--source', 'https://git.example/realms', '--revision', '4f53cda');
  };
  const names = async () => (await admin.send('GET', '/told/roles')).body.map(({ name }: { name: string }) => name);

  expect(await run('history', '--realm', 'told')).toMatchObject({
    status: 0,
    output: 'No file was applied to the realm.\n',
  });
  expect((await run('revert', '--realm', 'told', '--yes')).errors).toContain(
    'No file was applied to the realm "told".',
  );
  expect(await apply({ roles: { realm: [{ name: 'clerk' }] } })).toMatchObject({ status: 0, errors: '' });
  expect(await apply({ displayName: 'Told', roles: { realm: [{ name: 'seller' }] } })).toMatchObject({ status: 0 });

  const time = /^(\d) {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}/gm;
  const told = await run('history', '--realm', 'told');
  const from = 'by command-line  from https://git.example/realms 4f53cda\n';
  expect(told.output.replace(time, '$1 ')).toBe(
    `2 1 created, 1 updated, 0 deleted  ${from}1 1 created, 0 updated, 0 deleted  ${from}`,
  );
  const atServer = ['--url', server.url, '--token', admin.token];
  expect(await realmgate(['history', '--realm', 'told', ...atServer], {})).toEqual(told);

  expect((await run('revert', '7', '--realm', 'told', '--yes')).errors).toContain(
    'has no apply 7: see `realmgate history',
  );
  expect((await run('revert', '1', '--realm', 'told')).errors).toContain('pass --yes, or --digest');
  expect((await run('revert', '1', '--realm', 'told', '--yes')).errors).toContain('--allow-deletes is 0');
  const reverted = await run('revert', '1', '--realm', 'told', '--yes', '--allow-deletes', '1');
  expect(reverted).toMatchObject({
    status: 0,
    errors: '',
    output: expect.stringMatching(
      /^- REALM_ROLE clerk\n {4}0 users lose it\n.*\ndigest \w+\nReverted: 0 created, 0 updated, 1 deleted.\n$/,
    ),
  });
  expect(await names()).not.toContain('clerk');
  expect(await names()).toContain('seller');

  // the last one is that revert, which a server takes back, too
  const again = await realmgate(['revert', '--realm', 'told', '--yes', ...atServer], {});
  expect(again).toMatchObject({ status: 0, output: expect.stringContaining('Reverted: 1 created, 0 updated') });
  expect(await names()).toContain('clerk');
  const [line] = (await run('history', '--realm', 'told', '--max', '1')).output.split('\n');
  expect(line).toMatch(/^4 .* reverts 3$/);
});
