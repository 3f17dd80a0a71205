// @both-databases
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { startProcess } from '../faults/process.js';
import { preparedDatabaseUrl } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { isThorough } from '../support/sample.js';
import { startServer } from '../support/server.js';
import { makeRoles, sealed, verdictOf, verify, within } from './world.js';

const clean = { status: 0, isIntact: true, findings: [] };

/** Rows of admin events, more than a block has. */
const rows = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `${prefix}-${at}`, realmId: 'r', time: BigInt(Date.now()), operation: 'user.create' },
    ...{ operationType: 'CREATE', resourceType: 'USER', resourcePath: `users/${at}`, representation: '{"a":"ü"}' },
  }));

describe('audit records of two instances', () => {
  it('are sealed once while both write and seal, and verified at any time', async () => {
    const databaseUrl = await preparedDatabaseUrl();
    const options = { databaseUrl, auditChain: true };
    const [one, other] = [await startServer(options), await startServer(options)];
    const { database } = one;
    const callers = await Promise.all([one, other].map(administrator));
    // until the first block there is nothing to verify, and the command says so; without an event there is no block
    await Promise.all(callers.map((caller, which) => makeRoles(caller, `first${which}`, 1)));
    await sealed(database);
    let isWriting = true;
    const writing = Promise.all(callers.map((caller, which) => makeRoles(caller, `of${which}`, 150))).finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      expect(await verdictOf(one)).toMatchObject({ isIntact: true, findings: [] });
      // SQLite answers without giving the servers of this process a turn
      await setImmediate();
    }
    await writing;
    await database.transaction((tx) => tx.adminEvent.createMany({ data: rows('many', 1000) }));
    await sealed(database);
    const verdict = await verify(databaseUrl);
    expect(verdict).toMatchObject({ ...clean, unsealed: 0, events: await database.read.adminEvent.count() });
  });

  it('are sealed by the other one when one stops', async () => {
    const options = { databaseUrl: await preparedDatabaseUrl(), auditChain: true };
    const first = await startServer(options);
    await makeRoles(await administrator(first), 'earlier', 1);
    await sealed(first.database);
    const second = await startServer(options);
    await first.close();
    await makeRoles(await administrator(second), 'later', 2);
    await sealed(second.database);
    expect(await verify(options.databaseUrl)).toMatchObject({ ...clean, unsealed: 0 });
  });
});

describe('a process that is killed while it seals', () => {
  it('leaves a chain that another one continues', async () => {
    const databaseUrl = await preparedDatabaseUrl();
    const { database } = await startServer({ databaseUrl });
    const blocks = () => database.read.auditBlock.count();
    for (const round of isThorough ? [1, 2, 3] : [1]) {
      await database.transaction((tx) => tx.adminEvent.createMany({ data: rows(`round${round}`, 8000) }));
      const before = await blocks();
      const process = await startProcess(databaseUrl, { settings: { AUDIT_CHAIN: 'true' } });
      await vi.waitUntil(async () => (await blocks()) > before + round, { ...within, interval: 1 });
      await process.kill();
      expect((await verify(databaseUrl)).unsealed).toBeGreaterThan(0);
      // what ends by itself after half a minute
      await database.transaction((tx) => tx.auditCursor.updateMany({ data: { leaseUntil: 0n } }));
    }
    const last = await startServer({ databaseUrl, auditChain: true });
    await sealed(last.database);
    const events = await database.read.adminEvent.count();
    expect(await verify(databaseUrl)).toMatchObject({ ...clean, unsealed: 0, events });
  });
});

describe('a chain whose end was cut off', () => {
  it('shows it for ever, although the service continues to seal', async () => {
    const sealing = await startServer({ auditChain: true });
    const { databaseUrl } = sealing.services.config;
    const caller = await administrator(sealing);
    await makeRoles(caller, 'before', 2);
    const number = await sealed(sealing.database);
    const { lastId } = await sealing.database.read.auditBlock.findUniqueOrThrow({ where: { number } });
    await sealing.database.transaction(async (tx) => {
      await tx.auditBlock.deleteMany({ where: { number } });
      await tx.adminEvent.deleteMany({ where: { id: lastId } });
    });
    await makeRoles(caller, 'after', 2);
    await sealed(sealing.database);
    const { status, findings } = await verify(databaseUrl);
    expect([status, findings.map(({ kind, block }) => [kind, block])]).toEqual([1, [['blockMissing', number]]]);
  });
});
