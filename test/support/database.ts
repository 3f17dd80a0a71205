import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Dialect } from '../../src/database/db.js';
import { atEndOfFile } from './cleanup.js';

declare module 'vitest' {
  interface ProvidedContext {
    dialect: Dialect;
    /** a server on which the tests may make databases; only in the project `postgresql` */
    postgresqlUrl: string;
    /** how a database is copied there, in words of CREATE DATABASE; empty before PostgreSQL 15 */
    copying: string;
    /** the file, or on PostgreSQL the name, of a database with the master realm and its administrator */
    template: string;
  }
}

/** The database that the present run of the suite is about. */
export const dialect: Dialect = inject('dialect');

export { atEndOfFile };

/** The DATABASE_URL of a new, empty database, which is deleted at the end of the test file. */
export async function freshDatabaseUrl(): Promise<string> {
  return dialect === 'sqlite' ? `file:${join(temporaryFolder(), 'test.db')}` : freshPostgresqlUrl('template0');
}

/** The DATABASE_URL of a new database with the master realm and its administrator, deleted at the end of the test file. */
export async function preparedDatabaseUrl(): Promise<string> {
  const template = inject('template');
  if (dialect === 'postgresql') return freshPostgresqlUrl(template);
  const file = join(temporaryFolder(), 'test.db');
  copyFileSync(template, file);
  return `file:${file}`;
}

/** The path of a new, empty folder, which is deleted at the end of the test file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'realmgate-test-'));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function freshPostgresqlUrl(template: string): Promise<string> {
  const name = `realmgate_test_${randomUUID().replaceAll('-', '')}`;
  // copying files is quicker than writing what they hold to the log, which is what PostgreSQL 15 does of itself
  await onServer(`CREATE DATABASE "${name}" TEMPLATE "${template}" ENCODING 'UTF8' ${inject('copying')}`);
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
