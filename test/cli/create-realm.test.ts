import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { startWithRealm } from '../support/fixture.js';
import { realmgate } from './run.js';

it('an apply creates the realm, and leaves none behind if it is refused', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const { server, admin } = await startWithRealm({ realm: 'other', enabled: true }, { databaseUrl });
  const file = join(temporaryFolder(), 'realm.yaml');
  const local = (...args: string[]) => realmgate([...args, file], { DATABASE_URL: databaseUrl });
  const remote = (...args: string[]) =>
    realmgate([...args, file, '--url', server.url], { REALMGATE_TOKEN: admin.token });
  const statusOf = async (realm: string) => (await admin.send('GET', `/${realm}`)).status;

  for (const [name, run] of [
    ['here', local],
    ['there', remote],
  ] as const) {
    writeFileSync(file, `realm: ${name}\ndisplayName: New\nclients: [{ clientId: shop, publicClient: true }]\n`);
    const missing = await run('apply', '--yes');
    expect(missing).toMatchObject({ status: 1, errors: expect.stringContaining('create it first (--create)') });
    const created = await run('apply', '--yes', '--create');
    expect(created).toMatchObject({ status: 0, errors: '' });
    expect(created.output).toMatch(/Created the realm and applied: 1 created, 1 updated, 0 deleted/);
    expect((await admin.send('GET', `/${name}`)).body).toMatchObject({ displayName: 'New', enabled: true });
    expect((await run('apply', '--yes', '--create')).output).not.toContain('Created');
    // a file that is refused
    writeFileSync(file, `realm: ${name}-wrong\nbrowserFlow: none\n`);
    expect((await run('apply', '--yes', '--create')).status).toBe(1);
    expect(await statusOf(`${name}-wrong`)).toBe(404);
  }
});
