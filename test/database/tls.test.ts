// @both-databases
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, migrationState } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { Prisma } from '../../src/database/prisma.js';
import { atEndOfFile, dialect, temporaryFolder } from '../support/database.js';
import { postgresqlBinaries, serverUser, startPostgresql } from '../support/postgresql.mjs';

/** The address of the server by a host name, with parameters. */
let addressAt: (host: string, parameters: string) => string;
let authority: string;

const certificate = (folder: string, ...more: string[]) =>
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', ...more], {
    cwd: folder,
    stdio: 'ignore',
  });

describe.skipIf(dialect !== 'postgresql' || postgresqlBinaries() === undefined)(
  'a connection over TLS with a private authority (PostgreSQL only: SQLite has none)',
  () => {
    beforeAll(async () => {
      const folder = temporaryFolder();
      certificate(folder, '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.crt');
      const names = 'subjectAltName=DNS:localhost';
      certificate(
        folder,
        '/CN=database',
        '-addext',
        names,
        '-CA',
        'ca.crt',
        '-CAkey',
        'ca.key',
        '-keyout',
        'server.key',
        '-out',
        'server.crt',
      );
      const { uid, gid } = serverUser();
      chmodSync(folder, 0o755);
      chmodSync(join(folder, 'server.key'), 0o600);
      if (uid !== undefined && gid !== undefined) chownSync(join(folder, 'server.key'), uid, gid);
      const further = {
        ssl: 'on',
        ssl_cert_file: join(folder, 'server.crt'),
        ssl_key_file: join(folder, 'server.key'),
      };
      const server = await startPostgresql({ further });
      atEndOfFile(() => server.stop());
      const { port } = new URL(server.url);
      authority = join(folder, 'ca.crt');
      addressAt = (host, parameters) => `postgresql://postgres@${host}:${port}/postgres?${parameters}`;
    });

    it('is verified in full', async () => {
      const databaseUrl = addressAt('localhost', `sslmode=verify-full&sslrootcert=${authority}`);
      expect((await migrate(databaseUrl)).length).toBeGreaterThan(0);
      const database = await openDatabase({ databaseUrl, databasePool: 2, sqliteSynchronous: 'NORMAL' });
      const ssl = Prisma.sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      expect(await database.read.query(ssl)).toEqual([{ ssl: true }]);
      await database.close();
    });

    it('is refused to a server whose certificate has another name', async () => {
      const url = addressAt('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`);
      await expect(migrationState(url)).rejects.toThrow(/cannot be reached: .*127\.0\.0\.1 is not in the cert/);
    });

    it('is refused without the authority, and the message says how to name it', async () => {
      const url = addressAt('localhost', 'sslmode=verify-full');
      await expect(migrationState(url)).rejects.toThrow(/cannot be reached: .*certificate.* sslrootcert/);
    });
  },
);
