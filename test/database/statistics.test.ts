import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type SqliteAdapter, sqliteAdapter } from '../../src/database/sqlite-adapter.js';
import { sqliteDriver } from '../../src/database/sqlite-driver.js';
import { sqliteFile } from '../../src/database/url.js';
import { preparedDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer } from '../support/server.js';

it('statistics are renewed soon after many objects were created at once', async () => {
  const databaseUrl = await preparedDatabaseUrl();
  const admin = await administrator(await startServer({ databaseUrl }));
  const { data } = await admin.graphql<{ realm: { id: string } }>('{ realm(name: "master") { id } }');
  const groups = Array.from({ length: 100 }, (_, at) => ({ parent: data.realm.id, name: `group-${at}` }));
  const mutation = `mutation($realm: ID!, $groups: [GroupCreateItem!]!) {
    groupsCreate(input: { realm: $realm, groups: $groups }) { userErrors { code } } }`;
  expect(await admin.graphql(mutation, { realm: data.realm.id, groups })).toMatchObject({
    data: { groupsCreate: { userErrors: [] } },
  });
  const connection = (await sqliteDriver()).open(sqliteFile(databaseUrl), { readonly: true });
  const known = connection.prepare(`SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'Group' AND stat LIKE '100 %'`);
  await expect.poll(() => Number(known.all([])[0]?.[0]), { timeout: 20_000, interval: 100 }).toBeGreaterThan(0);
  connection.close();
});

it('statistics wait for another process that is writing, as writes do', async () => {
  const file = join(temporaryFolder(), 'statistics.db');
  const adapter = (await sqliteAdapter(file, { busyTimeout: 20 }).connect()) as SqliteAdapter;
  await adapter.executeScript('CREATE TABLE "A" ("id" TEXT)');
  const other = (await sqliteDriver()).open(file);
  other.exec('BEGIN IMMEDIATE');
  await expect(adapter.optimize()).rejects.toMatchObject({ cause: { kind: 'SocketTimeout' } });
  other.exec('ROLLBACK');
  await adapter.optimize();
  other.close();
  await adapter.dispose();
});
