import type { SentStatement } from './batch-postgresql.js';
import type { Fence } from './fence.js';
import { connectToPrimary } from './hosts-postgresql.js';
import { identitySql } from './server-identity-postgresql.js';

/**
 * The check at the start of each transaction behind a pooler, which can connect to a different server each time. A
 * direct connection stays with the server that was checked when it was made.
 */
export interface Guard {
  /** A statement that fails on any server but the current one. Undefined while the current one is unknown. */
  statement(): SentStatement | undefined;
  /**
   * Returns the error to throw for the failure of a batch. If the guard itself has failed, checks the server, which may
   * be a new primary.
   */
  explain(error: unknown): unknown;
}

const marker = 'another server of the database: timeline ';

// the cast of the text fails, which ends the transaction on the server
const text = `SELECT CASE WHEN pg_is_in_recovery() THEN 0
  WHEN (SELECT 1 FROM "DatabaseCluster" WHERE "branch" = $1 AND "timeline" = ${identitySql.timeline} LIMIT 1) = 1 THEN 0
  ELSE ('${marker}' || ${identitySql.timeline})::int END`;

/** A guard for a pool behind a pooler. */
export function guardOf(databaseUrl: string, fence: Fence): Guard {
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await (await connectToPrimary(databaseUrl, fence)).end();
    } catch {
      // the fence has reported it
    } finally {
      isLooking = false;
    }
  };
  return {
    statement() {
      const branch = fence.known?.branch;
      return branch === undefined ? undefined : { name: undefined, text, values: [branch], wantsRows: false };
    },
    explain(error) {
      if (!(error instanceof Error && error.message.includes(marker))) return error;
      void look();
      return Object.assign(new Error('The pooler leads to another server of the database'), { code: 'ECONNREFUSED' });
    },
  };
}
