import type { Db, ModelName } from '../../../database/db.js';
import { delegateOf } from '../../../database/delegate.js';
import { deleteEach } from '../../../database/delete-each.js';
import { modelOf } from '../../../database/model.js';
import { updateEach } from '../../../database/update-each.js';
import { noPreviousSecret } from '../../clients/secrets.js';
import { isObject } from '../../core/json.js';
import type { Sealer } from '../../core/seal.js';
import { type Place, sealedColumns } from '../../core/sealed-columns.js';
import { isOpen, secretIn } from './assemble.js';
import { type Delta, newSecretOf, type Row, type TableDelta } from './delta.js';
import { type IdRow, updateStages } from './update-stages.js';

type SealedModels = Readonly<
  Record<string, { owner: string | null; texts: readonly string[]; objects: readonly string[] }>
>;

/** A row with its secrets in their stored form. */
function sealedRow(model: ModelName, row: Row, seal: Sealer['seal']): Row {
  const columns = (sealedColumns as SealedModels)[model];
  if (!columns) return row;
  const sealed = { ...row };
  const place = (field: string) =>
    ({ model, id: row.id, field, ...(columns.owner && { owner: row[columns.owner] }) }) as unknown as Place;
  for (const column of columns.texts) {
    const value = row[column];
    if (isOpen(value)) sealed[column] = seal(secretIn(value), place(column));
  }
  for (const column of columns.objects) {
    const value = row[column];
    if (!isObject(value)) continue;
    sealed[column] = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        isOpen(item) ? seal(secretIn(item), place(`${column}.${name}`)) : item,
      ]),
    );
  }
  return sealed;
}

/** Generates a secret for a client that needs one, if the file gives none. */
const withSecret = (row: Row): Row => (row.secret === null ? { ...row, secret: newSecretOf(row) } : row);

/** The changes, with generated secrets of new clients. */
export function withNewSecrets(delta: Delta): Delta {
  const clients = delta.get('Client');
  // the order of the tables is that in which rows are written
  return clients ? new Map(delta).set('Client', { ...clients, inserted: clients.inserted.map(withSecret) }) : delta;
}

const hasId = (model: ModelName): boolean => modelOf(model).primaryKey.join() === 'id';

interface Writes {
  /** rows that are found by their IDs, with the columns that change */
  updated: IdRow[];
  inserted: Row[];
  deleted: Row[];
}

/** The writes to a table. A changed row without an ID is deleted and inserted. */
function writesOf(model: ModelName, { inserted, updated, deleted }: TableDelta, seal: Sealer['seal']): Writes {
  const insert = (row: Row) => sealedRow(model, row, seal);
  if (!hasId(model)) {
    // an unchanged row can be in a plan
    const changed = updated.filter(({ columns }) => columns.length > 0);
    return {
      updated: [],
      inserted: [...changed.map(({ after }) => after), ...inserted].map(insert),
      deleted: [...changed.map(({ before }) => before), ...deleted],
    };
  }
  return {
    updated: updated.map(({ after, columns }) => {
      const sealed = sealedRow(model, after, seal);
      const changed = Object.fromEntries(columns.map((column) => [column, sealed[column]]));
      const isNewSecret = model === 'Client' && columns.includes('secret');
      return { id: String(after.id), ...changed, ...(isNewSecret && noPreviousSecret) };
    }),
    inserted: inserted.map(insert),
    deleted,
  };
}

interface Writing {
  seal: Sealer['seal'];
  /** objects whose parts change: their versions increase */
  touched: ReadonlyMap<ModelName, ReadonlySet<string>>;
  /** receives the number of written rows, and the total */
  report: (done: number, total: number) => Promise<void>;
}

/** Counts the rows that are written. */
async function counting(writes: Iterable<Writes>, report: Writing['report']): Promise<(rows: number) => Promise<void>> {
  let total = 0;
  for (const { updated, inserted, deleted } of writes) total += updated.length + inserted.length + deleted.length;
  let done = 0;
  await report(done, total);
  return async (rows) => {
    done += rows;
    if (rows > 0) await report(done, total);
  };
}

/**
 * Writes the changes, with a fixed number of statements for each table. The order is: updates, deletions, insertions,
 * and finally updates with references to inserted rows or with names that have become free.
 */
export async function writeDelta(tx: Db, delta: Delta, { seal, touched, report }: Writing): Promise<void> {
  const writes = new Map([...delta].map(([model, table]) => [model, writesOf(model, table, seal)] as const));
  const models = [...writes.keys()];
  const wrote = await counting(writes.values(), report);
  // rows of links have no ID, and an update has only the changed columns; undefined refers to nothing
  const created = new Set([...writes.values()].flatMap(({ inserted }) => inserted.map(({ id }) => id).filter(Boolean)));
  const later = new Map<ModelName, IdRow[]>();
  for (const [model, { updated, deleted }] of writes) {
    const before = [...(delta.get(model)?.updated ?? []).map((row) => row.before), ...deleted];
    const stages = updateStages(model, updated, { before, created });
    later.set(model, stages.later);
    await updateEach(tx, model, stages.first);
    await wrote(updated.length);
  }
  for (const [model, ids] of touched) {
    const own = new Set(writes.get(model)?.updated.map(({ id }) => id));
    await updateEach(
      tx,
      model,
      [...ids].filter((id) => !own.has(id)).map((id) => ({ id })),
    );
  }
  for (const model of models.toReversed()) {
    const rows = writes.get(model)?.deleted ?? [];
    await deleteEach(tx, model, rows);
    await wrote(rows.length);
  }
  for (const model of models) {
    const rows = writes.get(model)?.inserted ?? [];
    if (rows.length === 0) continue;
    if (hasId(model)) await delegateOf(tx, model).createMany({ data: rows });
    // links without effect are not compared, and may already exist
    else await tx.insertNew(model, rows as never);
    await wrote(rows.length);
  }
  for (const [model, rows] of later) await updateEach(tx, model, rows);
}
