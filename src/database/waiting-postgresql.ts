import type { SqlQuery } from '@prisma/driver-adapter-utils';
import type { Pool, PoolClient } from 'pg';
import { Batch, decoded, type SentStatement, type StatementAnswer } from './batch-postgresql.js';
import type { Guard } from './guard-postgresql.js';

/** The parts of the driver adapter that reads and transactions on PostgreSQL use. */
export interface Means {
  readonly pool: Pool;
  /** Throws the error as Prisma's driver adapter would. */
  fail(error: unknown): never;
  /** A name for statements that are used repeatedly. */
  nameOf(sql: string): string | undefined;
  /** Whether a connection stays with one session, so that statements can be parsed once: not with a pooler in between. */
  readonly keepsStatements: boolean;
  /** Checks the server at the start of each transaction, if there is a pooler. */
  readonly guard?: Guard | undefined;
  /** Receives every statement that is sent. */
  note(query: SqlQuery): void;
}

/** A statement of a transaction that has not been sent yet. */
export interface Waiting extends SentStatement {
  /** Throws if the rows are not as expected. */
  check?: ((rows: unknown[][]) => void) | undefined;
  resolve?: (answer: StatementAnswer) => void;
  reject?: (error: unknown) => void;
}

/** More than this much of text is not held back, in characters. */
export const mostHeldBack = 65_536;

/** The text among the values of statements, in characters. */
export const textIn = (values: readonly unknown[]): number =>
  values.reduce((sum: number, value) => (typeof value === 'string' ? sum + value.length : sum), 0);

/** A statement without values, whose rows are not needed. */
export const bare = (text: string, name = text.toLowerCase()): Waiting => ({
  name,
  text,
  values: [],
  wantsRows: false,
});

/** Begins a transaction. */
export const begin = bare('BEGIN');

/**
 * Sends statements in one message. If they begin a transaction, or are single ones (`isBegin`), the server is checked
 * before.
 * @returns the answers, in the order of the statements
 */
export async function sendBatch(
  client: PoolClient,
  means: Means,
  statements: readonly SentStatement[],
  isBegin: boolean,
): Promise<StatementAnswer[]> {
  const guard = isBegin ? means.guard?.statement() : undefined;
  const sent = guard ? [guard, ...statements] : statements;
  try {
    const answers = await client.query(new Batch(sent, means.keepsStatements)).done;
    return guard ? answers.slice(1) : answers;
  } catch (error) {
    return means.fail(guard ? means.guard?.explain(error) : error);
  }
}

/**
 * Sends statements in one message, runs their checks, and answers the callers.
 * @returns the answers, in the order of the statements
 * @throws the first failure, which the callers receive, too
 */
export async function sendTogether(
  client: PoolClient | Promise<PoolClient>,
  means: Means,
  sent: readonly Waiting[],
): Promise<StatementAnswer[]> {
  try {
    const answers = await sendBatch(await client, means, sent, sent[0]?.text === begin.text);
    sent.forEach(({ check }, at) => {
      check?.(decoded(answers[at] as StatementAnswer));
    });
    sent.forEach(({ resolve }, at) => void resolve?.(answers[at] as StatementAnswer));
    return answers;
  } catch (error) {
    for (const { reject } of sent) reject?.(error);
    throw error;
  }
}
