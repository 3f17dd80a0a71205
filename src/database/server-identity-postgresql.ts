import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { ClusterRecord, Fence, KnownCluster, ServerIdentity } from './fence.js';

/** Maximum milliseconds of a server's answer about itself. */
export const patience = 3000;
/** Name of the sessions of this service, by which they are ended on a server that is behind. */
export const applicationName = 'realmgate';

/** SQL for the system identifier, and for the timeline of a writable server. No additional rights are needed. */
export const identitySql = {
  systemIdentifier: '(SELECT system_identifier::text FROM pg_control_system())',
  timeline: `('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::int`,
};

const ownState = `SELECT pg_is_in_recovery() AS "isStandby", current_setting('default_transaction_read_only') = 'on' AS "isReadOnly",
  to_regclass('"DatabaseCluster"') IS NOT NULL AS "hasRecord"`;
const ownIdentity = `SELECT ${identitySql.systemIdentifier} AS "systemIdentifier", ${identitySql.timeline} AS "timeline"`;
const storedRecord = `SELECT "systemIdentifier", "timeline", "branch" FROM "DatabaseCluster" WHERE "id" = 'current'`;
const storeRecord = `INSERT INTO "DatabaseCluster" ("id", "systemIdentifier", "timeline", "branch") VALUES ('current', $1, $2, $3)
  ON CONFLICT ("id") DO UPDATE SET "timeline" = excluded."timeline", "branch" = excluded."branch"
  WHERE "DatabaseCluster"."systemIdentifier" = excluded."systemIdentifier" AND "DatabaseCluster"."timeline" < excluded."timeline"`;
const replaceRecord = `INSERT INTO "DatabaseCluster" ("id", "systemIdentifier", "timeline", "branch") VALUES ('current', $1, $2, $3)
  ON CONFLICT ("id") DO UPDATE SET "systemIdentifier" = excluded."systemIdentifier", "timeline" = excluded."timeline", "branch" = excluded."branch"`;
const endSessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE usename = current_user AND datname = current_database() AND application_name LIKE $1 AND pid <> pg_backend_pid()`;

/**
 * Codes of servers that do not report their identity: a right is missing, or they are not PostgreSQL (0A000, 42883).
 */
const untold = new Set(['42501', '42883', '0A000']);

interface ServerState {
  /** whether it accepts writes */
  readonly isWritable: boolean;
  /** undefined for a standby, and for a server that does not report it */
  readonly identity: ServerIdentity | undefined;
  /** whether the migration for the table of the record has been applied */
  readonly hasRecord: boolean;
}

/** Reads the identity and state of the server at the other end of a connection. `host` names it in reports. */
export async function stateOf(client: ClientBase, host: string, fence: Fence): Promise<ServerState> {
  const ask = async <Row extends object>(text: string): Promise<Row | undefined> =>
    (await client.query<Row>({ text, query_timeout: patience } as { text: string })).rows[0];
  const state = await ask<{ isStandby: boolean; isReadOnly: boolean; hasRecord: boolean }>(ownState);
  const isWritable = state !== undefined && !state.isStandby && !state.isReadOnly;
  const { isStandby = true, hasRecord = false } = state ?? {};
  if (isStandby) return { isWritable, hasRecord, identity: undefined };
  try {
    const own = await ask<Pick<ServerIdentity, 'systemIdentifier' | 'timeline'>>(ownIdentity);
    const record = hasRecord ? await ask<ClusterRecord>(storedRecord) : undefined;
    return { isWritable, hasRecord, identity: own && { ...own, record } };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && untold.has(String(error.code)))) throw error;
    fence.unidentified(host, error);
    return { isWritable, hasRecord, identity: undefined };
  }
}

/** Stores the newest timeline in a database with an older one or none. Returns the stored record. */
export async function keepRecord(client: ClientBase, known: KnownCluster): Promise<ClusterRecord | undefined> {
  const { systemIdentifier, timeline, branch = randomUUID() } = known;
  await client.query(storeRecord, [systemIdentifier, timeline, branch]);
  return (await client.query<ClusterRecord>(storedRecord)).rows[0];
}

/** Makes the database belong to this server, regardless of the record. */
export async function acceptServer(client: ClientBase, own: ServerIdentity): Promise<void> {
  await client.query(replaceRecord, [own.systemIdentifier, own.timeline, randomUUID()]);
}

/**
 * Stops the use of a server that is behind, including by other processes: stores the newest timeline in its record and
 * ends their sessions.
 */
export async function fenceOff(client: ClientBase, known: KnownCluster): Promise<void> {
  // the standby that this server would wait for no longer exists
  await client.query('SET synchronous_commit = local');
  await keepRecord(client, known);
  await client.query(endSessions, [`${applicationName}%`]);
}
