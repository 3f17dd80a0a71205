import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { Dialect } from '../../src/database/db.js';

declare module 'vitest' {
  interface ProvidedContext {
    dialect: Dialect;
    /** a server on which the tests may make databases; only in the project `postgresql` */
    postgresqlUrl: string;
  }
}

/** The database that the present run of the suite is about. */
export const dialect: Dialect = inject('dialect');

const cleanups: (() => Promise<void> | void)[] = [];

// Registered first and therefore run last, after whatever the test file itself has to close.
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Calls `cleanup` at the end of the test file, before what was registered earlier. */
export function atEndOfFile(cleanup: () => Promise<void> | void): void {
  cleanups.push(cleanup);
}

/** The DATABASE_URL of a new, empty database, which is deleted at the end of the test file. */
export async function freshDatabaseUrl(): Promise<string> {
  return dialect === 'sqlite' ? `file:${join(temporaryFolder(), 'test.db')}` : freshPostgresqlUrl();
}

/** The path of a new, empty folder, which is deleted at the end of the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-test-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function freshPostgresqlUrl(): Promise<string> {
  const name = `realmgate_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`);
  atEndOfFile(async () => {
    await connectionsEnded(name);
    await onServer(`DROP DATABASE "${name}" WITH (FORCE)`);
  });
  const url = new URL(inject('postgresqlUrl'));
  url.pathname = name;
  return url.href;
}

/**
 * Waits, two seconds at most, until the server has taken leave of the connections that were closed: one that it ends by
 * force in this moment fails with an error that nobody listens for any more.
 */
async function connectionsEnded(name: string): Promise<void> {
  const open = `SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`;
  for (let attempt = 0; attempt < 40 && (await onServer(open)) > 0; attempt += 1) {
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

/** Runs a statement beside the tests' databases; returns its number of rows. */
async function onServer(statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: inject('postgresqlUrl') });
  await client.connect();
  try {
    return (await client.query(statement)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}
