import type { SqlQuery } from '@prisma/driver-adapter-utils';
import type { Pool, PoolClient } from 'pg';
import { Batch, decoded, type SentStatement, type StatementAnswer } from './batch-postgresql.js';

/** What reads and transactions on PostgreSQL need of the driver adapter. */
export interface Means {
  readonly pool: Pool;
  /** Throws the error as Prisma's driver adapter would. */
  fail(error: unknown): never;
  /** A name for statements that come again. */
  nameOf(sql: string): string | undefined;
  /** Whether a connection stays with one session, so that statements can be parsed once: not with a pooler in between. */
  readonly keepsStatements: boolean;
  /** Hears of every statement that is sent. */
  note(query: SqlQuery): void;
}

/** A statement of a transaction that has not been sent yet. */
export interface Waiting extends SentStatement {
  /** Throws if the rows are not those that were expected. */
  check?: ((rows: unknown[][]) => void) | undefined;
  resolve?: (answer: StatementAnswer) => void;
  reject?: (error: unknown) => void;
}

/** More than this much of text is not held back, in characters. */
export const mostHeldBack = 65_536;

/** The text among the values of statements, in characters. */
export const textIn = (values: readonly unknown[]): number =>
  values.reduce((sum: number, value) => (typeof value === 'string' ? sum + value.length : sum), 0);

/** A statement without values, whose rows nobody wants. */
export const bare = (text: string, name = text.toLowerCase()): Waiting => ({
  name,
  text,
  values: [],
  wantsRows: false,
});

/**
 * Sends statements in one message, checks what is to be checked, and answers those who wait.
 * @returns the answers, in the order of the statements
 * @throws the first failure, which those who wait are told, too
 */
export async function sendTogether(
  client: PoolClient | Promise<PoolClient>,
  means: Means,
  sent: readonly Waiting[],
): Promise<StatementAnswer[]> {
  try {
    const answers = await (await client).query(new Batch([...sent], means.keepsStatements)).done.catch(means.fail);
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
