import type { Dialect } from './db.js';
import { type Model, modelOf } from './model.js';
import { type Decoder, type FindArgs, writeRows } from './select.js';
import { finished, quote, type Statement, statement } from './statement.js';
import { writeWhere } from './where.js';

/** Sends a statement; returns the rows as arrays in the order of the columns. */
export type Send = (text: string, values: unknown[]) => Promise<unknown[][]>;

type Find = (args?: FindArgs) => Promise<unknown>;

/**
 * The reading methods of a Prisma model delegate, each executed as ONE statement whatever is selected: the
 * database builds the JSON of all nested rows. Costs a fraction of the model API, and limits nested lists per parent.
 * Understands `select`, `include`, `_count`, filters with relations, `orderBy` of own columns, `take`, `skip`, `cursor`.
 */
export function readerOf(name: string, dialect: Dialect, send: Send): Record<string, Find> {
  const model = modelOf(name);
  const findMany = async (args: FindArgs = {}) => {
    const out = statement(dialect);
    const decode = writeFind(out, model, args);
    const [row] = await send(finished(out), out.values);
    const rows = JSON.parse(row?.[0] as string) as unknown[][];
    const result = rows.map(decode);
    return (args.take ?? 0) < 0 ? result.reverse() : result;
  };
  const findFirst = async (args: FindArgs = {}) => (await findMany({ ...args, take: 1 }))[0] ?? null;
  const orThrow = async (args: FindArgs = {}) => {
    const found = await findFirst(args);
    if (found === null) throw new Error(`No ${name} found`);
    return found;
  };
  const count = async (args: FindArgs = {}) => {
    const out = statement(dialect);
    out.text = dialect === 'sqlite' ? 'SELECT count(*)' : 'SELECT count(*)::int';
    out.aliases = 1;
    out.text += ` FROM ${quote(name)} t0 WHERE `;
    writeWhere(out, model, 't0', args.where);
    const [row] = await send(finished(out), out.values);
    return Number(row?.[0]);
  };
  return {
    findMany,
    findFirst,
    findUnique: findFirst,
    findFirstOrThrow: orThrow,
    findUniqueOrThrow: orThrow,
    count,
  };
}

function writeFind(out: Statement, model: Model, args: FindArgs): Decoder {
  if (out.dialect === 'sqlite') return writeRows(out, model, args);
  out.text += 'SELECT (';
  const decode = writeRows(out, model, args);
  out.text += ')::text';
  return decode;
}
