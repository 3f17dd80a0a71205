// @both-databases
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Db } from '../../src/database/db.js';
import { hashOf } from '../../src/services/audit/block.js';
import { removeExpiredAdminEvents } from '../../src/services/events/expiry.js';
import { realmgate } from '../cli/run.js';
import { freshDatabaseUrl, temporaryFolder } from '../support/database.js';
import { administrator } from '../support/fixture.js';
import { startServer, type TestServer } from '../support/server.js';
import { blockWith, found, makeRoles, sealed, verdictOf, verify, within } from './world.js';

const secretsKey = new Uint8Array(32).fill(9);
const keyText = Buffer.from(secretsKey).toString('hex');

let databaseUrl: string;
let auditFile: string;
let server: TestServer;
/** an event in the middle of a block with several, and the number of that block, which others follow */
const id = 'three-1';
let block: number;

/** A database with some blocks, whose service has stopped sealing. */
beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl();
  auditFile = join(temporaryFolder(), 'audit.jsonl');
  const sealing = await startServer({ databaseUrl, secretsKey, auditChain: true, auditFile });
  const caller = await administrator(sealing);
  for (const prefix of ['one', 'two', 'three', 'four', 'five']) {
    await sealing.database.transaction((tx) => tx.adminEvent.createMany({ data: rows(prefix) }));
    await makeRoles(caller, prefix, 1);
    await sealed(sealing.database);
  }
  const count = await sealed(sealing.database);
  await vi.waitUntil(() => linesOfBlocks().length === count, within);
  await sealing.close();
  server = await startServer({ databaseUrl, secretsKey });
  block = (await blockWith(server.database, id)).number;
});

const rows = (prefix: string) =>
  Array.from({ length: 3 }, (_, at) => ({
    ...{ id: `${prefix}-${at}`, realmId: 'r', time: BigInt(Date.now()), operation: 'user.create' },
    ...{ operationType: 'CREATE', resourceType: 'USER', resourcePath: `users/${prefix}-${at}` },
  }));
const linesOfBlocks = (): string[] =>
  readFileSync(auditFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('audit.block'));
const check = (args: string[] = []) => verify(databaseUrl, args, keyText);
const lastEvent = async (): Promise<string> =>
  (await server.database.read.auditBlock.findFirstOrThrow({ orderBy: { number: 'desc' } })).lastId;

/** What is found while the database is tampered with, and its state after that. */
async function foundAfter(tamper: (tx: Db) => Promise<unknown>, file?: string) {
  const kept = {
    events: await server.database.read.adminEvent.findMany({}),
    blocks: await server.database.read.auditBlock.findMany({}),
    cursors: await server.database.read.auditCursor.findMany({}),
  };
  await server.database.transaction(tamper);
  try {
    return found(await verdictOf(server, file));
  } finally {
    await server.database.transaction(async (tx) => {
      for (const model of ['adminEvent', 'auditBlock', 'auditCursor'] as const) await tx[model].deleteMany({});
      await tx.adminEvent.createMany({ data: kept.events });
      // the trigger of SQLite numbers what is inserted
      for (const { id, position } of kept.events) await tx.adminEvent.updateMany({ where: { id }, data: { position } });
      await tx.auditBlock.createMany({ data: kept.blocks });
      await tx.auditCursor.createMany({ data: kept.cursors });
    });
  }
}

describe('an audit chain that nobody has changed', () => {
  it('is intact, with its head in the audit file', async () => {
    const verdict = await check(['--file', auditFile]);
    expect(found(verdict)).toEqual([]);
    expect(verdict).toMatchObject({ status: 0, isIntact: true, isKeyed: true, unsealed: 0, omitted: 0, expired: {} });
    expect(verdict.events).toBe(await server.database.read.adminEvent.count());
    expect(verdict.compared).toBe(verdict.blocks);
    const line = JSON.parse(linesOfBlocks().at(-1) ?? '');
    expect([line.data.number, line.id]).toEqual([verdict.head?.number, verdict.head?.hash]);
    expect(await foundAfter(async () => undefined)).toEqual([]);
  });

  it('is printed for readers', async () => {
    const env = { DATABASE_URL: databaseUrl, SECRETS_KEY: keyText };
    const { status, output } = await realmgate(['verify-audit'], env);
    expect([status, output]).toEqual([
      0,
      expect.stringMatching(/^head .*\nok .*intact: \d+ blocks, \d+ matching events/),
    ]);
  });

  it('stays so when the list of admin events is cleared', async () => {
    const caller = await administrator(server);
    expect((await caller.send('DELETE', '/master/admin-events')).status).toBe(204);
    expect((await check()).status).toBe(0);
  });
});

describe('somebody with the right to write to the database', () => {
  it('cannot change an event', async () => {
    for (const data of [{ resourcePath: 'users/x' }, { authUserId: 'x' }, { before: '{}' }, { realmId: 'x' }]) {
      const changed = await foundAfter((tx) => tx.adminEvent.updateMany({ where: { id }, data }));
      expect(changed).toEqual([['eventChanged', block, id]]);
    }
  });

  it('cannot delete an event', async () => {
    const missing = await foundAfter((tx) => tx.adminEvent.deleteMany({ where: { id } }));
    expect(missing).toEqual([['eventMissing', block, id]]);
  });

  it('cannot move an event to another place', async () => {
    const moved = await foundAfter((tx) => tx.adminEvent.updateMany({ where: { id }, data: { position: -1n } }));
    expect(moved).toEqual([
      ['eventAdded', 1, id],
      ['eventMissing', block, id],
    ]);
  });

  it('cannot insert an event into the past', async () => {
    const { position } = await server.database.read.adminEvent.findUniqueOrThrow({ where: { id } });
    const added = await foundAfter(async (tx) => {
      const [row] = rows('forged');
      await tx.adminEvent.createMany({ data: row ? [row] : [] });
      await tx.adminEvent.updateMany({ where: { id: 'forged-0' }, data: { position, time: 0n } });
    });
    expect(added).toEqual([['eventAdded', block, 'forged-0']]);
  });

  it('cannot change, replace or delete a block', async () => {
    const where = { number: block };
    expect(await foundAfter((tx) => tx.auditBlock.updateMany({ where, data: { entries: '[]' } }))).toEqual([
      ['blockChanged', block],
    ]);
    const stored = await server.database.read.auditBlock.findUniqueOrThrow({ where });
    const forged = { ...stored, entries: stored.entries.replace(id, 'another') };
    const replaced = await foundAfter(async (tx) => {
      await tx.adminEvent.updateMany({ where: { id }, data: { id: 'another' } });
      await tx.auditBlock.updateMany({ where, data: { ...forged, id: hashOf(forged) } });
    });
    expect(replaced).toEqual([
      ['proofInvalid', block],
      ['eventChanged', block, 'another'],
      ['blockReplaced', block + 1],
    ]);
    expect(await foundAfter((tx) => tx.auditBlock.deleteMany({ where }))).toEqual([['blockMissing', block]]);
  });

  it('cannot use a proof that is not encrypted', async () => {
    const plain = await foundAfter((tx) =>
      tx.auditBlock.updateMany({ where: { number: block }, data: { proof: `plain:${block}` } }),
    );
    expect(plain).toEqual([['proofInvalid', block]]);
  });

  it('cannot cut off the end', async () => {
    const { number: last, events: ids } = await blockWith(server.database, await lastEvent());
    const cut = async (tx: Db) => {
      await tx.auditBlock.deleteMany({ where: { number: last } });
      await tx.adminEvent.deleteMany({ where: { id: { in: ids } } });
    };
    expect(await foundAfter(cut)).toEqual([['endMissing', last]]);
    const all = async (tx: Db) => {
      await cut(tx);
      const { lastPosition, lastTime, lastId } = await tx.auditBlock.findUniqueOrThrow({ where: { number: last - 1 } });
      const data = { position: lastPosition, positionTime: lastTime, positionId: lastId };
      await tx.auditCursor.updateMany({ where: { id: 'chain' }, data });
    };
    // without a trace in the database: only the copy of the file proves it
    expect(await foundAfter(all)).toEqual([]);
    expect(await foundAfter(all, auditFile)).toEqual([['fileDiffers', last]]);
    expect(await foundAfter((tx) => tx.auditBlock.deleteMany({}))).toEqual([['endMissing', 1]]);
  });
});

describe('a copy of the audit file', () => {
  it('proves that the chain was not made anew', async () => {
    const copy = join(temporaryFolder(), 'copy.jsonl');
    const cutOff = '{"type":"audit.block","id":"';
    writeFileSync(copy, `${readFileSync(auditFile, 'utf8').replace(/"id":"\w{64}"/, '"id":"other"')}${cutOff}`);
    expect(found(await check(['--file', copy]))).toEqual([['fileDiffers', 1]]);
  });

  it('is refused if it states nothing or cannot be read', async () => {
    const env = { DATABASE_URL: databaseUrl, SECRETS_KEY: keyText };
    const empty = join(temporaryFolder(), 'empty.jsonl');
    writeFileSync(empty, '{}\n');
    const nothing = await realmgate(['verify-audit', '--file', empty], env);
    expect(nothing).toMatchObject({ status: 1, errors: expect.stringContaining('states no block') });
    const missing = await realmgate(['verify-audit', '--file', '/nowhere/audit.jsonl'], env);
    expect(missing).toMatchObject({ status: 1, errors: expect.stringContaining('/nowhere/audit.jsonl') });
    expect(missing.errors).not.toContain('    at ');
  });
});

describe('the chain of a database', () => {
  it('is missing without AUDIT_CHAIN', async () => {
    const plain = await startServer();
    const env = { DATABASE_URL: plain.services.config.databaseUrl };
    const answer = await realmgate(['verify-audit'], env);
    expect(answer).toMatchObject({ status: 1, errors: expect.stringContaining('AUDIT_CHAIN=true') });
  });

  it('explains what retention has removed, also after the realm keeps events for longer', async () => {
    const sealing = await startServer({ auditChain: true });
    const url = sealing.services.config.databaseUrl;
    const caller = await administrator(sealing);
    const keep = async (adminEventsExpiration: string) =>
      expect((await caller.send('PUT', '/brief', { attributes: { adminEventsExpiration } })).status).toBe(204);
    expect((await caller.send('POST', '/', { realm: 'brief', enabled: true })).status).toBe(201);
    const realmId: string = (await caller.send('GET', '/brief')).body.id;
    await keep('60');
    await makeRoles(caller, 'kept', 2);
    await sealed(sealing.database);
    const gone = await sealing.database.read.adminEvent.count({ where: { realmId } });
    await removeExpiredAdminEvents({ database: sealing.database, now: () => Date.now() + 61_000 });
    expect(await sealing.database.read.adminEvent.count({ where: { realmId } })).toBe(0);
    await keep('3600');
    await sealed(sealing.database);
    expect(await verify(url)).toMatchObject({ status: 0, findings: [], isKeyed: false, expired: { [realmId]: gone } });
    await sealing.database.transaction((tx) => tx.auditExpiry.deleteMany({}));
    const unexplained = await verify(url);
    expect(unexplained.status).toBe(1);
    expect(unexplained.findings.map(({ kind }) => kind)).toEqual(Array(gone).fill('eventMissing'));
  });

  it('begins with events from before, and is verified with another key after a rotation', async () => {
    const url = await freshDatabaseUrl();
    const before = await startServer({ databaseUrl: url });
    await makeRoles(await administrator(before), 'before', 3);
    await before.close();
    const sealing = await startServer({ databaseUrl: url, auditChain: true });
    await sealed(sealing.database);
    await sealing.close();
    expect(await verify(url)).toMatchObject({ status: 0, isKeyed: false, unsealed: 0 });
    const other = 'ab'.repeat(32);
    const rotate = (env: Record<string, string>) => realmgate(['rotate-secrets-key'], { DATABASE_URL: url, ...env });
    expect(await rotate({ SECRETS_KEY: keyText })).toMatchObject({ status: 0 });
    const first = await verify(url, [], keyText);
    expect(first).toMatchObject({ status: 0, isKeyed: true });
    expect(await rotate({ SECRETS_KEY: other, SECRETS_KEY_PREVIOUS: keyText })).toMatchObject({ status: 0 });
    const second = await verify(url, [], other);
    expect(second).toMatchObject({ status: 0, isKeyed: true, head: first.head });
    const next = await startServer({ databaseUrl: url, auditChain: true, secretsKey: Buffer.from(other, 'hex') });
    await makeRoles(await administrator(next), 'after', 3);
    await sealed(next.database);
    expect((await verify(url, [], other)).blocks).toBeGreaterThan(second.blocks);
    // a rotation makes no proof of what somebody has written
    await next.database.transaction((tx) =>
      tx.auditBlock.updateMany({ where: { number: 1 }, data: { proof: 'plain:1' } }),
    );
    const keys = { SECRETS_KEY: keyText, SECRETS_KEY_PREVIOUS: other };
    expect(await rotate(keys)).toMatchObject({ status: 1, errors: expect.stringContaining('not encrypted') });
  });
});
