// @both-databases
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../src/database/migrate.js';
import { realmgate } from '../cli/run.js';
import { dialect, preparedDatabaseUrl } from '../support/database.js';

describe.skipIf(dialect !== 'postgresql')('a database that was restored on another cluster (PostgreSQL only)', () => {
  it('is used once the operator has accepted its system identifier', async () => {
    const url = await preparedDatabaseUrl();
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query(
      `UPDATE "DatabaseCluster" SET "systemIdentifier" = 'old' RETURNING (SELECT system_identifier::text AS own FROM pg_control_system())`,
    );
    await client.end();
    const own = String(rows[0]?.own);
    const refusal = `run \`realmgate accept-database ${own}\``;
    await expect(migrate(url)).rejects.toThrow(refusal);

    const env = { DATABASE_URL: url };
    expect((await realmgate(['check'], env)).output).toContain(refusal);
    const wrong = await realmgate(['accept-database', '1'], env);
    expect(wrong).toMatchObject({ status: 1, errors: expect.stringContaining(`only ${own} (`) });
    const accepted = await realmgate(['accept-database', own], env);
    expect(accepted).toMatchObject({ status: 0, output: expect.stringContaining('is accepted') });
    expect(await migrate(url)).toEqual([]);
  });
});
