import { ColumnTypeEnum, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils';
import type { FieldDef, Submittable } from 'pg';
import { type DriverConnection, driverConnection } from './pg-internals.js';
import type { ReadHints } from './reader.js';
import { closeRetired } from './statement-names.js';

/** A statement ready to be sent. A statement with a name is parsed once per connection. */
export interface SentStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  /** whether the rows matter, and not only how many they are */
  readonly wantsRows: boolean;
}

/** The answer of a statement: rows as lists of texts, and the number of rows returned or changed. */
export interface StatementAnswer {
  /** the command that PostgreSQL executed: a COMMIT after an error is a ROLLBACK */
  command: string;
  fields: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[];
  rows: (string | null)[][];
  count: number;
}

/**
 * Statements that are sent in one message and answered in one. If one fails, PostgreSQL skips the others. The driver
 * calls the methods (see its interface for cursors, `Submittable`).
 */
export class Batch implements Submittable {
  /** The answers in the order of the statements; rejects with the error of the failed one. */
  readonly done: Promise<StatementAnswer[]>;
  /** The driver sets it if queries have a time limit, and uses it to learn of the end. */
  callback: ((error?: unknown) => void) | undefined;
  readonly #statements: readonly SentStatement[];
  readonly #answers: StatementAnswer[];
  #at = 0;
  #resolve: (answers: StatementAnswer[]) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  /** `keepsNames`: whether the session keeps named statements for later. */
  constructor(statements: readonly SentStatement[], keepsNames: boolean) {
    this.#statements = keepsNames ? statements : statements.map((one) => ({ ...one, name: undefined }));
    this.#answers = statements.map(() => ({ command: '', fields: [], rows: [], count: 0 }));
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Name of the statement whose answer is being received. The driver remembers parsed statements by this name. */
  get name(): string | undefined {
    return this.#statements[this.#at]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#at]?.text;
  }

  submit(connection: object): void {
    const driver = driverConnection(connection);
    driver.stream.cork();
    try {
      closeRetired(driver);
      for (const statement of this.#statements) send(driver, statement);
      driver.sync();
    } finally {
      driver.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#answer().fields = fields;
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#statements[this.#at]?.wantsRows) this.#answer().rows.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    // the command and, last, the number of rows
    const answer = this.#answer();
    answer.command = text;
    answer.count = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  handleError(error: unknown, connection: object): void {
    const { submittedNamedStatements } = driverConnection(connection);
    for (const { name } of this.#statements.slice(this.#at)) if (name) delete submittedNamedStatements[name];
    this.#reject(error);
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers);
    this.callback?.();
  }

  #answer(): StatementAnswer {
    return this.#answers[this.#at] as StatementAnswer;
  }
}

function send(connection: DriverConnection, { name = '', text, values, wantsRows }: SentStatement): void {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (name === '' || (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined)) {
    connection.parse({ name, text });
    if (name !== '') submittedNamedStatements[name] = text;
  }
  connection.bind({ statement: name, values, valueMapper: asText });
  if (wantsRows) connection.describe({ type: 'P', name: '' });
  connection.execute({});
}

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Converts a query to the form that is sent. Statements that are likely to come again get a name. */
export function sentStatement(
  { nameOf }: { nameOf(sql: string): string | undefined },
  query: SqlQuery,
  wantsRows: boolean,
): SentStatement {
  const { once } = query as ReadHints;
  return { name: once ? undefined : nameOf(query.sql), text: query.sql, values: query.args, wantsRows };
}

/** An answer in the form of Prisma's driver adapters. */
export const resultOf = (answer: StatementAnswer): SqlResultSet => ({
  columnNames: answer.fields.map(({ name }) => name),
  // the values have their types already
  columnTypes: answer.fields.map(() => ColumnTypeEnum.Text),
  rows: decoded(answer),
});

const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
const json = new Set([114, 3802]);
const boolean = 16;

/** Rows with the values that the texts stand for: 64-bit integers as numbers, JSON parsed. */
export function decoded({ fields, rows }: Pick<StatementAnswer, 'fields' | 'rows'>): unknown[][] {
  const decoders = fields.map(({ dataTypeID }) => {
    if (numbers.has(dataTypeID)) return Number;
    if (json.has(dataTypeID)) return JSON.parse as (text: string) => unknown;
    return dataTypeID === boolean ? (text: string) => text === 't' : undefined;
  });
  if (decoders.every((decode) => decode === undefined)) return rows;
  return rows.map((row) => row.map((value, at) => (value === null ? null : (decoders[at]?.(value) ?? value))));
}
