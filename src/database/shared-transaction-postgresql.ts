import type { SqlQuery, SqlResultSet } from '@prisma/driver-adapter-utils';
import type { PoolClient } from 'pg';
import { Batch, resultOf, type StatementAnswer, sentStatement } from './batch-postgresql.js';
import { wasRefused } from './errors.js';
import type { Transaction } from './transaction.js';
import {
  bare,
  begin,
  type Means,
  mostHeldBack,
  sendBatch,
  sendTogether,
  textIn,
  type Waiting,
} from './waiting-postgresql.js';

/** A part of a shared transaction. */
export interface Part extends Transaction {
  /**
   * Whether nothing of the part was kept, for a reason that may lie in another part. The caller then repeats the work
   * in a separate transaction. Known once `commit` or `rollback` has settled.
   */
  readonly isUndone: boolean;
}

/** Maximum milliseconds of a shared transaction until its last part has ended. */
const longest = 250;
/** Maximum milliseconds that a statement of it may wait for a row lock, and may take. */
export const lockTimeout = 50;
const statementTimeout = longest;

/** Parts of one transaction do not lock each other out, so the second part that wants a row gets this error. */
class Occupied extends Error {
  constructor() {
    super('Another part of the shared transaction has this row');
    this.name = 'Occupied';
  }
}

/** A statement of a part, or one that begins or ends the whole transaction. */
interface Shared extends Waiting {
  part?: SharedPart;
  writes?: boolean;
}

const start = (): Shared[] => [
  begin,
  bare(
    `SELECT set_config('lock_timeout', '${lockTimeout}', true), set_config('statement_timeout', '${statementTimeout}', true)`,
    'patience',
  ),
];

const writing = /\b(INSERT INTO|UPDATE "|DELETE FROM)/i;

/**
 * One transaction of many parts. If a statement fails, or a part with writes is rolled back, nothing is kept. No part
 * is reported as committed before all are.
 */
export class SharedTransaction {
  readonly parts: readonly SharedPart[];
  /** Resolves with whether everything was kept. Rejects if this is unknown. */
  readonly outcome: Promise<boolean>;
  readonly #means: Means;
  readonly #ended: () => void;
  readonly #client: Promise<PoolClient>;
  readonly #owners = new Map<string, { parts: Set<SharedPart>; exclusive: boolean }>();
  readonly #timer: NodeJS.Timeout;
  #waiting: Shared[] = start();
  #size = 0;
  #scheduled = false;
  #sending = false;
  #hasBegun = false;
  #hasConcluded = false;
  /** parts that have not ended */
  #open: number;
  #failure: { error: unknown } | undefined;
  #settle: (kept: boolean) => void = () => undefined;
  #doubt: (error: unknown) => void = () => undefined;

  constructor(means: Means, parts: number, ended: () => void) {
    this.#means = means;
    this.#ended = ended;
    this.#open = parts;
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#doubt = reject;
    });
    this.outcome.catch(() => undefined);
    this.parts = Array.from({ length: parts }, () => new SharedPart(this, means));
    this.#timer = setTimeout(() => this.fail(new Error('A shared transaction took too long')), longest);
    this.#client = means.pool.connect();
    this.#client.catch((error) => this.fail(error));
  }

  /** Adds a statement to the queue. A statement whose answer is awaited sends the whole queue. */
  add(statement: Shared): void {
    if (this.#failure) {
      statement.reject?.(this.#failure.error);
      return;
    }
    this.#waiting.push(statement);
    this.#size += textIn(statement.values);
    if (statement.resolve || this.#size > mostHeldBack) this.#schedule();
  }

  /** Throws if another part has this row, unless both only share it. */
  own(part: SharedPart, row: string, exclusive: boolean): void {
    const owner = this.#owners.get(row) ?? { parts: new Set(), exclusive: false };
    const others = owner.parts.size - (owner.parts.has(part) ? 1 : 0);
    if (others > 0 && (owner.exclusive || exclusive)) throw new Occupied();
    owner.parts.add(part);
    owner.exclusive ||= exclusive;
    this.#owners.set(row, owner);
  }

  /**
   * Ends a part. On rollback, its unsent statements are dropped; if it has already written, the whole transaction
   * fails.
   */
  end(part: SharedPart, how: 'commit' | 'rollback'): void {
    this.#open -= 1;
    if (how === 'rollback') {
      this.#waiting = this.#waiting.filter((statement) => statement.part !== part);
      if (part.hasWritten) this.fail(new Error('Another part of the shared transaction was given up'));
    }
    this.#goOn();
  }

  /** Fails all parts: nothing is kept. */
  fail(error: unknown): void {
    if (this.#hasConcluded) return;
    this.#failure ??= { error };
    for (const { reject } of this.#waiting.splice(0)) reject?.(error);
    this.#goOn();
  }

  /** Starts the next step, unless an answer is pending. */
  #goOn(): void {
    if (this.#sending || this.#hasConcluded) return;
    // checks must have passed before the commit
    const isChecked = !this.#waiting.some(({ check }) => check);
    if (this.#failure || (this.#open === 0 && isChecked)) void this.#conclude();
    else if (this.#open === 0) void this.#send();
    else if (this.#waiting.some(({ resolve }) => resolve)) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#sending) return;
    this.#scheduled = true;
    // after the parts that have their answers by now have added their next statements
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#sending && !this.#failure && !this.#hasConcluded) void this.#send();
    });
  }

  async #send(): Promise<void> {
    const sent = this.#waiting.splice(0);
    this.#size = 0;
    this.#sending = true;
    this.#hasBegun = true;
    for (const { part, writes } of sent) if (part && writes) part.hasWritten = true;
    try {
      await sendTogether(this.#client, this.#means, sent);
    } catch (error) {
      this.fail(error);
    }
    this.#sending = false;
    this.#goOn();
  }

  async #conclude(): Promise<void> {
    this.#hasConcluded = true;
    clearTimeout(this.#timer);
    // nothing is kept in any case, so nobody has to wait for the connection
    if (this.#failure) this.#settle(false);
    const client = await this.#client.catch(() => undefined);
    const last = bare(this.#failure ? 'ROLLBACK' : 'COMMIT');
    try {
      const isNeeded = this.#hasBegun || this.#waiting.some(({ part }) => part);
      const answers =
        isNeeded && client && (await sendBatch(client, this.#means, [...this.#waiting, last], !this.#hasBegun));
      client?.release();
      // after an error, PostgreSQL answers COMMIT by rolling back
      this.#settle(!this.#failure && (!answers || answers.at(-1)?.command === 'COMMIT'));
    } catch (error) {
      // without an answer it is unknown whether the COMMIT was carried out
      if (wasRefused(error)) this.#settle(false);
      else this.#doubt(error);
      if (client) await rolledBack(client, error);
    }
    this.#ended();
  }
}

/** Rolls back and releases a connection after a failure; it is only reused if it answers. */
async function rolledBack(client: PoolClient, error: unknown): Promise<void> {
  const isUsable =
    wasRefused(error) &&
    (await new Promise<boolean>((done) => {
      const last = new Batch([bare('ROLLBACK')], false);
      client.query(last).done.then(
        () => done(true),
        () => done(false),
      );
    }));
  client.release(!isUsable);
}

class SharedPart implements Part {
  /** whether any of its statements has been sent that changes something */
  hasWritten = false;
  isUndone = false;
  #isHindered = false;
  #hasEnded = false;
  readonly #shared: SharedTransaction;
  readonly #means: Means;

  constructor(shared: SharedTransaction, means: Means) {
    this.#shared = shared;
    this.#means = means;
  }

  async queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return resultOf(await this.#ask(query, true));
  }

  async executeRaw(query: SqlQuery): Promise<number> {
    return (await this.#ask(query, false)).count;
  }

  async later(query: SqlQuery, check?: (rows: unknown[][]) => void): Promise<void> {
    this.#shared.add({ ...this.#statement(query, check !== undefined), check });
  }

  async settle(): Promise<void> {
    await this.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
  }

  own(row: string, exclusive: boolean): void {
    try {
      this.#shared.own(this, row, exclusive);
    } catch (error) {
      this.#isHindered = true;
      throw error;
    }
  }

  async commit(): Promise<void> {
    if (this.#isHindered) throw new Occupied();
    this.#hasEnded = true;
    this.#shared.end(this, 'commit');
    if (await this.#shared.outcome) return;
    this.isUndone = true;
    throw new Error('The shared transaction was rolled back');
  }

  async rollback(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#shared.end(this, 'rollback');
    const isKept = await this.#shared.outcome.catch(() => false);
    this.isUndone = !isKept || this.#isHindered;
  }

  #statement(query: SqlQuery, wantsRows: boolean): Shared {
    // otherwise it would be committed with the statements of the others
    if (this.#hasEnded) throw new Error('This part of the shared transaction has ended');
    this.#means.note(query);
    return { ...sentStatement(this.#means, query, wantsRows), part: this, writes: writing.test(query.sql) };
  }

  async #ask(query: SqlQuery, wantsRows: boolean): Promise<StatementAnswer> {
    return new Promise((resolve, reject) => {
      this.#shared.add({ ...this.#statement(query, wantsRows), resolve, reject });
    });
  }
}
