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
  atEndOfFile(() => onServer(`DROP DATABASE "${name}" WITH (FORCE)`));
  const url = new URL(inject('postgresqlUrl'));
  url.pathname = name;
  return url.href;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresqlUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
