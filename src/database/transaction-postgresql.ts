import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type { PoolClient } from 'pg';
import { resultOf, type StatementAnswer, sentStatement } from './batch-postgresql.js';
import type { Transaction } from './transaction.js';
import { bare, begin, type Means, mostHeldBack, sendTogether, textIn, type Waiting } from './waiting-postgresql.js';

/**
 * A transaction in as few round trips as its statements allow, because most of the cost of a short statement, on both
 * sides, is its message. BEGIN and deferred writes are sent with the next statement. Statements of the same moment are
 * sent together, and COMMIT with the last ones.
 */
export async function startTransaction(means: Means): Promise<Transaction> {
  const client = await means.pool.connect().catch(means.fail);
  return new PipelinedTransaction(client, means);
}

class PipelinedTransaction implements Transaction {
  readonly #client: PoolClient;
  readonly #means: Means;
  /** queued until another statement is sent */
  #waiting: Waiting[] = [begin];
  #size = 0;
  #scheduled = false;
  #begun = false;

  constructor(client: PoolClient, means: Means) {
    this.#client = client;
    this.#means = means;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return resultOf(await this.#ask(query, true));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return (await this.#ask(query, false)).count;
  }

  async later(query: SqlQuery, check?: (rows: unknown[][]) => void): Promise<void> {
    this.#means.note(query);
    this.#waiting.push({ ...sentStatement(this.#means, query, check !== undefined), check });
    this.#size += textIn(query.args);
    if (this.#size > mostHeldBack) await this.settle();
  }

  async settle(): Promise<void> {
    if (this.#waiting.some(({ text }) => text !== begin.text)) await this.#send();
  }

  async commit(): Promise<void> {
    // checks must have passed before the commit
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
    // a connection that fails here is not used again
    const failed = await this.#send().then(
      () => false,
      () => true,
    );
    this.#client.release(failed);
  }

  #ask(query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> {
    this.#means.note(query);
    const answer = new Promise<StatementAnswer>((resolve, reject) => {
      this.#waiting.push({ ...sentStatement(this.#means, query, wantsRows), resolve, reject });
    });
    if (!this.#scheduled) {
      this.#scheduled = true;
      // a rejection reaches the query that waits for an answer
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
    return sendTogether(this.#client, this.#means, sent);
  }
}
