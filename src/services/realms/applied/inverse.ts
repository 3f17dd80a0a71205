import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { ModelName } from '../../../database/db.js';
import { byModel, modelOf } from '../../../database/model.js';
import { linesIn } from '../../core/lines.js';
import type { Delta, Row, TableDelta, UpdatedRow } from '../desired/delta.js';
import { withDestination } from './moved-secrets.js';

/** Columns of a row, by their names. */
const picked = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

/** The columns of a model with numbers that are too large for JSON. */
const largeNumbersOf = byModel(({ scalars }) => scalars.flatMap(({ name, type }) => (type === 'BigInt' ? [name] : [])));

/** A row as JSON has it: times in milliseconds are exact as numbers. */
function plainRow(model: ModelName, row: Row): Row {
  const given = largeNumbersOf(model).filter((name) => typeof row[name] === 'bigint');
  if (given.length === 0) return row;
  return { ...row, ...Object.fromEntries(given.map((name) => [name, Number(row[name])])) };
}

type Line =
  | [model: ModelName, kind: 'inserted' | 'deleted', row: Row]
  | [model: ModelName, kind: 'updated', before: Row, after: Row, columns: string[]];

function* linesOf(delta: Delta): Generator<Line> {
  for (const [model, { inserted, updated, deleted }] of delta) {
    for (const row of inserted) yield [model, 'inserted', plainRow(model, row)];
    for (const row of deleted) yield [model, 'deleted', plainRow(model, row)];
    for (const { before, after, columns } of updated) {
      const stored = [...modelOf(model).primaryKey, ...withDestination(model, columns)];
      const plain = (row: Row) => plainRow(model, picked(row, stored));
      yield [model, 'updated', plain(before), plain(after), columns];
    }
  }
}

/** Characters that are compressed at once: a line at a time costs more than its compression. */
const atOnce = 256 * 1024;

function* textOf(delta: Delta): Generator<string> {
  let text = '';
  for (const line of linesOf(delta)) {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < atOnce) continue;
    yield text;
    text = '';
  }
  yield text;
}

/**
 * The changes as a compressed text with secrets in clear, so it must be sealed. For updated rows it has only the
 * changed columns and the destinations of their secrets.
 */
export async function packedDelta(delta: Delta): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of Readable.from(textOf(delta)).pipe(createGzip())) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('base64');
}

/** Restores the types of a row that `plainRow` converted. */
function typedRow(model: ModelName, row: Row): Row {
  const given = largeNumbersOf(model).filter((name) => typeof row[name] === 'number');
  return { ...row, ...Object.fromEntries(given.map((name) => [name, BigInt(Number(row[name]))])) };
}

/** The changes from a text of `packedDelta`. */
export async function unpackedDelta(packed: string): Promise<Delta> {
  const delta = new Map<ModelName, TableDelta>();
  const text = Readable.from([Buffer.from(packed, 'base64')]).pipe(createGunzip());
  for await (const line of linesIn(text)) {
    const [model, kind, ...rest] = JSON.parse(line) as Line;
    const table = delta.get(model) ?? { inserted: [], updated: [], deleted: [] };
    delta.set(model, table);
    if (kind === 'updated') {
      const [before, after, columns] = rest as [Row, Row, string[]];
      const update: UpdatedRow = { before: typedRow(model, before), after: typedRow(model, after), columns };
      table.updated.push(update);
    } else table[kind].push(typedRow(model, (rest as [Row])[0]));
  }
  return delta;
}
