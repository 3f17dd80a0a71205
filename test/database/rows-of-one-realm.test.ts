import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { atEndOfFile, freshDatabaseUrl } from '../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;

const role = (id: string, realmId: string) => ({ id, realmId, container: realmId, name: id });

beforeAll(async () => {
  const url = await freshDatabaseUrl();
  await migrate(url);
  database = await openDatabase({ databaseUrl: url, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  atEndOfFile(() => database.close());
  await database.transaction(async (tx) => {
    await tx.realm.createMany({
      data: [
        { id: 'shop', name: 'shop' },
        { id: 'bank', name: 'bank' },
      ],
    });
    await tx.client.createMany({ data: [{ id: 'app', realmId: 'shop', clientId: 'app' }] });
    await tx.role.createMany({ data: [role('buyer', 'shop'), role('seller', 'shop'), role('teller', 'bank')] });
  });
});

describe('the database', () => {
  it('refuses a role and a mapper in the client of another realm', async () => {
    const stray = { id: 'stray', realmId: 'bank', clientId: 'app', container: 'app', name: 'stray' };
    await expect(database.transaction((tx) => tx.role.createMany({ data: [stray] }))).rejects.toThrow();
    await expect(database.transaction((tx) => tx.protocolMapper.createMany({ data: [stray] }))).rejects.toThrow();
  });

  it('refuses a composite of roles of two realms, and accepts one of roles of the same realm', async () => {
    const composite = (parentId: string, childId: string) =>
      database.transaction((tx) => tx.compositeRole.createMany({ data: [{ parentId, childId }] }));
    await expect(composite('buyer', 'teller')).rejects.toThrow();
    await composite('buyer', 'seller');
    expect(await database.read.compositeRole.findMany()).toEqual([{ parentId: 'buyer', childId: 'seller' }]);
  });

  it('refuses to move an object to another realm', async () => {
    const move = database.transaction((tx) =>
      tx.role.updateMany({ where: { id: 'buyer' }, data: { realmId: 'bank' } }),
    );
    await expect(move).rejects.toThrow();
    expect(await database.read.role.count({ where: { realmId: 'bank' } })).toBe(1);
  });
});
