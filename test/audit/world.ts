import { expect, vi } from 'vitest';
import type { Database } from '../../src/database/db.js';
import type { Verdict } from '../../src/services/audit/verdict.js';
import { verifyChain } from '../../src/services/audit/verify.js';
import { compareFile } from '../../src/services/audit/verify-file.js';
import { createSealer, sealingKeys } from '../../src/services/core/seal.js';
import { realmgate } from '../cli/run.js';
import type { Caller } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';

export const within = { timeout: 30_000, interval: 100 };

/** Creates roles of the realm master, an event each. */
export async function makeRoles(caller: Caller, prefix: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    expect((await caller.send('POST', '/master/roles', { name: `${prefix}-${at}` })).status).toBe(201);
  }
}

/** Waits until all events are sealed, of which there must be one, and returns the number of blocks. */
export async function sealed({ read }: Pick<Database, 'read'>): Promise<number> {
  const isSealed = async () => {
    const last = await read.adminEvent.findFirst({ orderBy: [{ position: 'desc' }, { time: 'desc' }, { id: 'desc' }] });
    const block = await read.auditBlock.findFirst({ orderBy: { number: 'desc' } });
    return last !== null && block?.lastId === last.id;
  };
  await vi.waitUntil(isSealed, within);
  return read.auditBlock.count();
}

/** The number of the block that has an event, and all its events. */
export async function blockWith({ read }: Pick<Database, 'read'>, event: string) {
  for (const { number, entries } of await read.auditBlock.findMany({})) {
    const events = (JSON.parse(entries) as string[][]).map(([id = '']) => id);
    if (events.includes(event)) return { number, events };
  }
  throw new Error(`${event} is not sealed`);
}

export interface Verified extends Verdict {
  status: number;
  /** blocks that the file states */
  compared?: number;
}

/** Runs `realmgate verify-audit --json` to its end. */
export async function verify(databaseUrl: string, args: string[] = [], secretsKey = ''): Promise<Verified> {
  const env = { DATABASE_URL: databaseUrl, ...(secretsKey && { SECRETS_KEY: secretsKey }) };
  const { status, output, errors } = await realmgate(['verify-audit', '--json', ...args], env);
  expect(errors).toBe('');
  return { status, ...(JSON.parse(output) as Verdict) };
}

/** What `realmgate verify-audit` would find in the database of a server, without a process of its own. */
export async function verdictOf({ services }: TestServer, file?: string): Promise<Verdict> {
  const { config, database, now } = services;
  const verdict = await verifyChain({ config, database, sealer: createSealer(sealingKeys(config)), now });
  if (!verdict) throw new Error('The database has no audit chain.');
  if (file !== undefined) await compareFile({ database }, verdict, file);
  return verdict;
}

/** What a verification has found, in short. */
export const found = ({ findings }: Verdict) =>
  findings.map(({ kind, block, event }) => (event === undefined ? [kind, block] : [kind, block, event]));
