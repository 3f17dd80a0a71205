import { ColumnTypeEnum, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import type { Pool, PoolClient } from 'pg';
import { Batch, type SentStatement, type StatementAnswer } from './batch-postgresql.js';
import type { Transaction } from './transaction.js';

/** What transactions on PostgreSQL need of the driver adapter. */
export interface Means {
  readonly pool: Pool;
  /** Throws the error as Prisma's driver adapter would. */
  fail(error: unknown): never;
  /** A name for statements that come again. */
  nameOf(sql: string): string | undefined;
  /** Hears of every statement that is sent. */
  note(query: SqlQuery): void;
}

interface Waiting extends SentStatement {
  check?: ((rows: unknown[][]) => void) | undefined;
  resolve?: (answer: StatementAnswer) => void;
  reject?: (error: unknown) => void;
}

/** More than this much of text is not held back, in characters. */
const mostHeldBack = 65_536;

const bare = (text: string): Waiting => ({ name: text.toLowerCase(), text, values: [], wantsRows: false });

/**
 * A transaction in as few round trips as its statements allow, since most of what a short statement costs, on both
 * sides, is to be sent and answered. BEGIN and whatever need not be answered go with the next statement, statements that
 * are asked for at the same time go together, and COMMIT goes with the last ones.
 */
export async function startTransaction(means: Means): Promise<Transaction> {
  const client = await means.pool.connect().catch(means.fail);
  return new PipelinedTransaction(client, means);
}

class PipelinedTransaction implements Transaction {
  readonly #client: PoolClient;
  readonly #means: Means;
  /** held back until something else is sent */
  #waiting: Waiting[] = [bare('BEGIN')];
  #size = 0;
  #scheduled = false;
  #begun = false;

  constructor(client: PoolClient, means: Means) {
    this.#client = client;
    this.#means = means;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    const { fields, rows } = await this.#ask(query, true);
    return {
      columnNames: fields.map(({ name }) => name),
      // the values have their types already
      columnTypes: fields.map(() => ColumnTypeEnum.Text),
      rows: decoded(fields, rows),
    };
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return (await this.#ask(query, false)).count;
  }

  async later(query: SqlQuery, check?: (rows: unknown[][]) => void): Promise<void> {
    this.#means.note(query);
    this.#waiting.push({ ...this.#sent(query, check !== undefined), check });
    for (const value of query.args) if (typeof value === 'string') this.#size += value.length;
    if (this.#size > mostHeldBack) await this.settle();
  }

  async settle(): Promise<void> {
    if (this.#waiting.some(({ text }) => text !== 'BEGIN')) await this.#send();
  }

  async commit(): Promise<void> {
    // what is checked has to be known before
    if (this.#waiting.some(({ check }) => check)) await this.#send();
    if (this.#begun || this.#waiting.length > 1) {
      this.#waiting.push(bare('COMMIT'));
      const answers = await this.#send();
      if (answers.at(-1)?.command !== 'COMMIT') throw new Error('A statement of the transaction has failed');
    }
    this.#client.release();
  }

  async rollback(): Promise<void> {
    this.#waiting = this.#begun ? [bare('ROLLBACK')] : [];
    // a connection that cannot be told is not used again
    const failed = await this.#send().then(
      () => false,
      () => true,
    );
    this.#client.release(failed);
  }

  #sent(query: SqlQuery, wantsRows: boolean): SentStatement {
    const { once } = query as { once?: boolean };
    return { name: once ? undefined : this.#means.nameOf(query.sql), text: query.sql, values: query.args, wantsRows };
  }

  #ask(query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> {
    this.#means.note(query);
    const answer = new Promise<StatementAnswer>((resolve, reject) => {
      this.#waiting.push({ ...this.#sent(query, wantsRows), resolve, reject });
    });
    if (!this.#scheduled) {
      this.#scheduled = true;
      // a rejection reaches whoever waits for an answer
      queueMicrotask(() => void this.#send().catch(() => undefined));
    }
    return answer;
  }

  async #send(): Promise<StatementAnswer[]> {
    const sent = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    this.#scheduled = false;
    if (sent.length === 0) return [];
    this.#begun = true;
    try {
      const answers = await this.#client.query(new Batch(sent)).done.catch(this.#means.fail);
      sent.forEach(({ check }, at) => {
        const { fields, rows } = answers[at] as StatementAnswer;
        check?.(decoded(fields, rows));
      });
      sent.forEach(({ resolve }, at) => void resolve?.(answers[at] as StatementAnswer));
      return answers;
    } catch (error) {
      for (const { reject } of sent) reject?.(error);
      throw error;
    }
  }
}

const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
const json = new Set([114, 3802]);
const boolean = 16;

/** Rows with the values that the texts stand for: 64-bit integers as numbers, JSON parsed. */
function decoded(fields: StatementAnswer['fields'], rows: StatementAnswer['rows']): unknown[][] {
  const decoders = fields.map(({ dataTypeID }) => {
    if (numbers.has(dataTypeID)) return Number;
    if (json.has(dataTypeID)) return JSON.parse as (text: string) => unknown;
    return dataTypeID === boolean ? (text: string) => text === 't' : undefined;
  });
  if (decoders.every((decode) => decode === undefined)) return rows;
  return rows.map((row) => row.map((value, at) => (value === null ? null : (decoders[at]?.(value) ?? value))));
}
