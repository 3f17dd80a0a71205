// @both-databases
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alignPositions, eventHorizon } from '../../src/database/event-positions.js';
import { migrate } from '../../src/database/migrate.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { dialect, freshDatabaseUrl } from '../support/database.js';

let database: OpenDatabase;

beforeAll(async () => {
  const databaseUrl = await freshDatabaseUrl();
  await migrate(databaseUrl);
  database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
  await database.transaction((tx) => tx.realm.createMany({ data: { id: 'r', name: 'r' } }));
});
afterAll(() => database.close());

async function stored(id: string, position?: bigint, realmId = 'r'): Promise<bigint> {
  const event = { operation: 'x', operationType: 'CREATE', resourceType: 'USER', resourcePath: 'users', time: 0n };
  const by = { authRealmId: 'r', authClientId: 'c', authUserId: 'u', authIpAddress: '::1', listed: true };
  const data = { id, realmId, ...event, ...by, ...(position !== undefined && { position }) };
  await database.transaction((tx) => tx.adminEvent.createMany({ data }));
  const [row] = await database.read.adminEvent.findMany({ where: { id }, select: { position: true } });
  return BigInt(row?.position ?? 0);
}

describe.runIf(dialect === 'postgresql')('a database that was restored into another cluster', () => {
  it('goes on with its positions, whichever number the next transaction has there', async () => {
    const highest = (await stored('before')) + 1_000_000n;
    await stored('of the other cluster', highest);
    expect(await stored('not aligned')).toBeLessThan(highest);
    await alignPositions(database);
    const next = await stored('aligned');
    expect(next).toBeGreaterThan(highest);
    expect(await eventHorizon(database)).toBeGreaterThan(next);
    await alignPositions(database);
    const after = await stored('aligned again');
    expect(after).toBeGreaterThan(next);
    expect(after - next).toBeLessThan(100n);
  });

  it('goes on after the last event of a copy, although that has expired and its realm is deleted', async () => {
    const highest = (await stored('first')) + 1_000_000n;
    await database.transaction((tx) => tx.auditCursor.createMany({ data: { id: 'file', position: highest } }));
    await alignPositions(database);
    const next = await stored('after the cursor');
    expect(next).toBeGreaterThan(highest);
    await stored('of a deleted realm', next + 1_000_000n, 'gone');
    await alignPositions(database);
    expect(await stored('after that')).toBeGreaterThan(next + 1_000_000n);
  });
});
