import type { Dialect } from './db.js';
import type { FindArgs } from './find-args.js';
import { writeKeptCount } from './kept-counts.js';
import { type Model, modelOf } from './model.js';
import type { Interval } from './model-methods.js';
import { type Decoder, inRequestedOrder, refuseOthers, writeRows, writeTable } from './select.js';
import { countLookup, finished, nextAlias, put, quote, type Statement, statement } from './statement.js';
import { candidates, few } from './trigram-index.js';
import { breaksIn, inTurns, type Pause } from './turns.js';
import { writeWhere } from './where.js';

/** Facts about a statement that are known before it is sent. */
export interface ReadHints {
  /** its plan depends on the values, so it must not be cached */
  readonly once?: boolean | undefined;
  /** it is not to be sent with others */
  readonly alone?: boolean | undefined;
  /** it returns one row or a number */
  readonly single?: boolean | undefined;
  /** tables that it scans, where no index needs to answer */
  readonly scans?: readonly Scan[] | undefined;
}

/** How many times a statement can read each row of these tables. */
interface Scan {
  readonly tables: ReadonlySet<string>;
  readonly times: number;
}

/** Number of relation tests in usual statements, which indexes answer. */
const usualRelations = 10;

function scansOf({ searched, texts, patterns, lookedUp, lookups }: Statement): Scan[] {
  const tests = { tables: searched, times: texts + Math.max(0, patterns - texts - usualRelations) };
  return [tests, { tables: lookedUp, times: lookups }].filter(({ times }) => times > 0);
}

/** Sends a statement; returns the rows as arrays in the order of the columns. */
export type Send = (text: string, values: unknown[], hints?: ReadHints) => Promise<unknown[][]>;

/**
 * From this number of rows on, PostgreSQL sends a page as a table. For fewer rows, the description of the columns costs
 * more than JSON.
 */
const longPage = 20;

/** From this number of rows on, rows are decoded with breaks. Larger pages come from callers that read everything. */
const longList = 1000;
/** JSON with more characters takes milliseconds to parse. */
const longText = 100_000;

/** Options of a count. */
const counting = { single: false, most: few.forCount } as const;

type Find = (args?: FindArgs) => Promise<unknown>;

interface EachArgs extends FindArgs {
  queries?: readonly FindArgs[];
}

interface CountArgs extends FindArgs {
  by?: readonly string[];
  interval?: Interval<string>;
}

/**
 * The reading methods of a Prisma model delegate. Each is executed as ONE statement for any selection: the database
 * builds the JSON of all nested rows. This costs a fraction of the model API, and can limit nested lists per parent.
 * Supports `select`, `include`, `_count`, filters with relations, `orderBy` of own columns, `take`, `skip`, `cursor`;
 * throws for all else. README.md of this folder lists the differences from Prisma's client.
 */
export function readerOf(
  name: string,
  dialect: Dialect,
  send: Send,
  { isInTransaction = false }: { isInTransaction?: boolean } = {},
): Record<string, Find> {
  const model = modelOf(name);
  /** Writes a statement and sends it, after reading the necessary estimates from the trigram index. */
  const ask = async <D>(
    write: (out: Statement) => D,
    { single, most = few.forPage }: { single: boolean; most?: number },
  ): Promise<{ decode: D; rows: unknown[][] }> => {
    let out = statement(dialect);
    let decode = write(out);
    if (out.searches.size > 0) {
      const { searches } = out;
      for (const query of searches.keys()) searches.set(query, await candidates(send, query, most));
      out = { ...statement(dialect), searches };
      decode = write(out);
    }
    const hints = { once: out.once, single, scans: scansOf(out) };
    return { decode, rows: await send(finished(out), out.values, hints) };
  };
  const findMany = async (args: FindArgs = {}) => {
    const isTable = dialect === 'postgresql' && Math.abs(args.take ?? 0) >= longPage;
    const write = isTable ? writeTable : writeFind;
    const isLong = Math.abs(args.take ?? 0) > longList;
    const { decode, rows } = await ask(
      (out) => {
        if (isLong) countLookup(out, name);
        return write(out, model, args);
      },
      { single: args.take === 1 },
    );
    const json = isTable ? '' : (rows[0]?.[0] as string);
    // most reads are short, and need no breaks
    let pause: Pause | undefined;
    const next = () => (pause ??= breaksIn({ isInTransaction }, 0));
    if (json.length > longText) await next()();
    const found = isTable ? rows : (JSON.parse(json) as unknown[][]);
    return inRequestedOrder(found.length > longList ? await inTurns(found, decode, next()) : found.map(decode), args);
  };
  const findManyEach = async ({ queries = [] }: EachArgs = {}) => {
    const { decode, rows } = await ask((out) => queries.map((args, at) => writeListed(out, model, args, at)), {
      single: false,
    });
    return queries.map((_, at) => {
      const read = decode[at];
      return read ? (JSON.parse(rows[0]?.[at] as string) as unknown[][]).map(read) : [];
    });
  };
  const findFirst = async (args: FindArgs = {}) => (await findMany({ ...args, take: 1 }))[0] ?? null;
  const orThrow = async (args: FindArgs = {}) => {
    const found = await findFirst(args);
    if (found === null) throw new Error(`No ${name} found`);
    return found;
  };
  const count = async (args: FindArgs = {}) => {
    refuseOthers(model, args, { where: true });
    const { rows } = await ask((out) => {
      out.text = 'SELECT ';
      if (writeKeptCount(out, model, args.where)) return;
      out.text += dialect === 'sqlite' ? 'count(*)' : 'count(*)::int';
      const alias = nextAlias(out);
      out.text += ` FROM ${quote(name)} ${alias} WHERE `;
      writeWhere(out, model, alias, args.where);
    }, counting);
    return Number(rows[0]?.[0]);
  };
  const countBy = async ({ by = [], interval, ...args }: CountArgs = {}) => {
    refuseOthers(model, args, { where: true });
    const { rows } = await ask((out) => writeCountBy(out, model, { by, interval }, args.where), counting);
    return rows.map((values) => ({
      ...Object.fromEntries(by.map((column, at) => [column, groupValue(model, column, values[at])])),
      ...(interval && { interval: Number(values[by.length]) }),
      count: Number(values.at(-1)),
    }));
  };
  return {
    findMany,
    findManyEach,
    findFirst,
    findUnique: findFirst,
    findFirstOrThrow: orThrow,
    findUniqueOrThrow: orThrow,
    count,
    countBy,
    countByInterval: countBy,
  };
}

/** Appends the numbers of the rows of a filter by their values in these columns, and by intervals. */
function writeCountBy(
  out: Statement,
  model: Model,
  { by, interval }: Pick<CountArgs, 'interval'> & { by: readonly string[] },
  where: unknown,
): void {
  const alias = nextAlias(out);
  const cast = out.dialect === 'postgresql' ? '::text' : '';
  countLookup(out, model.name);
  out.text += 'SELECT ';
  for (const column of by) out.text += `${alias}.${quote(column)}${cast}, `;
  if (interval) writeInterval(out, `${alias}.${quote(interval.column)}`, interval);
  out.text += `count(*) FROM ${quote(model.name)} ${alias} WHERE `;
  writeWhere(out, model, alias, where);
  const places = [...by, ...(interval ? [interval.column] : [])].map((_, at) => at + 1).join(', ');
  out.text += ` GROUP BY ${places} ORDER BY ${places}`;
}

/** Appends the number of the interval that a column is in. Values of SQLite are integers only by a cast. */
function writeInterval(out: Statement, column: string, { from, size }: Interval<string>): void {
  out.text += `(${column} - CAST(`;
  put(out, from);
  out.text += ' AS bigint)) / CAST(';
  put(out, size);
  out.text += ' AS bigint), ';
}

/** The value of a grouping column, as the database returns it. */
function groupValue(model: Model, column: string, value: unknown): unknown {
  if (value === null) return null;
  const type = model.fields.get(column)?.type;
  if (type === 'Boolean') return value === 1 || value === 'true';
  if (type === 'Json') return JSON.parse(String(value));
  if (type === 'String') return value;
  throw new Error(`${model.name} cannot be counted by ${column}`);
}

function writeFind(out: Statement, model: Model, args: FindArgs): Decoder {
  if (out.dialect === 'sqlite') return writeRows(out, model, args);
  out.text += 'SELECT (';
  const decode = writeRows(out, model, args);
  out.text += ')::text';
  return decode;
}

/** Appends a list of rows as one JSON column of a statement with several. */
function writeListed(out: Statement, model: Model, args: FindArgs, at: number): Decoder {
  out.text += at === 0 ? 'SELECT (' : ', (';
  const decode = writeRows(out, model, args);
  out.text += out.dialect === 'sqlite' ? ')' : ')::text';
  return decode;
}
