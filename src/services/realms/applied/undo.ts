import type { ModelName } from '../../../database/db.js';
import { modelOf } from '../../../database/model.js';
import type { Pause } from '../../../database/turns.js';
import type { RealmRows } from '../assemble/draft.js';
import {
  type Delta,
  isSame,
  isSameColumn,
  keyOfRow,
  otherColumns,
  type Row,
  type TableDelta,
} from '../desired/delta.js';
import { wholes } from '../desired/objects.js';
import { parts } from '../desired/parts.js';
import { isDerived, withDerived } from './derived.js';
import { indexIn, referencesOf, rowsIn, type Tables, tablesByKey } from './tables.js';
import { partAt, rowBack, withParts } from './take-back.js';

/** The reason why a changed part stays. */
export type KeptReason = 'CHANGED' | 'DELETED' | 'USED' | 'NAME_TAKEN' | 'REFERENCE_GONE' | 'REFUSED';

/** A row, or a part of one, that stays unchanged. */
export interface Kept {
  model: ModelName;
  row: Row;
  reason: KeptReason;
  /** the path of the part in the row; default: the whole row */
  path?: string[];
}

/** A part that a revert leaves unchanged, because a single operation would refuse its former value. */
export interface Unreturned {
  model: ModelName;
  key: string;
  /** the parts of the row; the empty path is all of it */
  paths: readonly (readonly string[])[];
}

/** The changes that revert an apply. */
export interface Undone {
  delta: Delta;
  before: RealmRows;
  after: RealmRows;
  kept: Kept[];
}

/** Whether a row differs from the state after an apply. */
const isChanged = (model: ModelName, now: Row, given: Row): boolean =>
  otherColumns(model, now, given).some((column) => !isDerived(model, column));

/** The parts of rows that do not get their former values, by their tables and keys; the empty path is the whole row. */
export type Staying = ReadonlyMap<string, readonly (readonly string[])[]>;

/** The key of a row in `Staying`. */
export const stayingKey = (model: ModelName, key: string): string => `${model} ${key}`;

interface Work {
  applied: Delta;
  staying: Staying;
  now: Tables;
  next: Tables;
  kept: Kept[];
  /** to await between rows, because a realm has very many */
  pause: Pause;
}

/** Gives the rows that the apply has updated their former values, except for values that were changed since. */
async function takeChangesBack({ applied, next, kept, staying, pause }: Work): Promise<void> {
  for (const [model, { updated }] of applied) {
    const rows = next.get(model);
    for (const update of updated) {
      await pause();
      const key = keyOfRow(model, update.after);
      const now = rows?.get(key);
      if (!now) {
        if (update.columns.length > 0) kept.push({ model, row: update.after, reason: 'DELETED' });
        continue;
      }
      const paths = staying.get(stayingKey(model, key)) ?? [];
      const { row, left } = rowBack(model, now, update);
      const refused = paths.filter((path) => !isSame(partAt(row, path), partAt(now, path)));
      kept.push(...refused.map((path): Kept => ({ model, row: now, reason: 'REFUSED', path: [...path] })));
      rows?.set(key, withParts(row, now, paths));
      kept.push(...left.map((path): Kept => ({ model, row: now, reason: 'CHANGED', path })));
    }
  }
}

/**
 * Rows that the apply has created go. An object stays as a whole if anything of it was changed since, or if anything that stays
 * refers to it.
 */
async function removeCreated({ applied, now, next, kept, pause }: Work): Promise<void> {
  const at = indexIn(now);
  const ownerOf = (model: ModelName, row: Row): string => {
    const { model: other, id } = parts[model]?.owner(row, at) ?? { model, id: row.id };
    return `${other} ${String(id)}`;
  };
  const going = new Map<string, { model: ModelName; key: string; row: Row; owner: string }>();
  const nameOf = (model: ModelName, key: string) => `${model} ${key}`;
  const byOwner = new Map<string, string[]>();
  const changed: string[] = [];
  for (const [model, { inserted }] of applied) {
    for (const given of inserted) {
      await pause();
      const key = keyOfRow(model, given);
      const row = now.get(model)?.get(key);
      if (!row) continue;
      const name = nameOf(model, key);
      const owner = ownerOf(model, row);
      going.set(name, { model, key, row, owner });
      const names = byOwner.get(owner);
      if (names) names.push(name);
      else byOwner.set(owner, [name]);
      if (isChanged(model, row, given)) changed.push(name);
    }
  }
  const keep = (name: string, reason: KeptReason): void => {
    const one = going.get(name);
    if (!one) return;
    // the parts of an object that was there before go one by one
    const isOfCreated = wholes[one.model] !== undefined || going.has(one.owner);
    const names = isOfCreated ? (byOwner.get(one.owner) ?? []) : [name];
    const subject = going.get(isOfCreated ? one.owner : name) ?? one;
    for (const each of names) going.delete(each);
    kept.push({ model: subject.model, row: subject.row, reason });
  };
  for (const name of changed) keep(name, 'CHANGED');
  for (let before = -1; before !== going.size; ) {
    before = going.size;
    for (const [model, rows] of next) {
      for (const [key, row] of rows) {
        await pause();
        if (going.has(nameOf(model, key))) continue;
        for (const { model: other, id } of referencesOf(model, row)) keep(nameOf(other, id), 'USED');
      }
    }
  }
  for (const { model, key } of going.values()) next.get(model)?.delete(key);
}

/** The rows with a unique key of a table, by its columns and values. */
async function uniqueRows(
  model: ModelName,
  rows: Iterable<[string, Row]>,
  pause: Pause,
): Promise<(row: Row) => Set<string>> {
  const keys = modelOf(model).uniqueKeys;
  const found = new Map<string, Set<string>>();
  const textsOf = (row: Row) =>
    keys.flatMap((columns) => {
      const values = columns.map((column) => row[column]);
      if (values.some((value) => value === null || value === undefined)) return [];
      return [JSON.stringify([columns, values.map(String)])];
    });
  for (const [key, row] of rows) {
    await pause();
    for (const text of textsOf(row)) found.set(text, (found.get(text) ?? new Set()).add(key));
  }
  return (row) => new Set(textsOf(row).flatMap((text) => [...(found.get(text) ?? [])]));
}

/** Restores the rows that the apply has deleted, if no other row has their place. */
async function restoreDeleted(
  { applied, next, kept, staying, pause }: Work,
  taken: ReadonlySet<string>,
): Promise<void> {
  for (const [model, { deleted }] of applied) {
    const rows = next.get(model);
    if (!rows || deleted.length === 0) continue;
    const others = await uniqueRows(model, rows, pause);
    for (const row of deleted) {
      await pause();
      const key = keyOfRow(model, row);
      const now = rows.get(key);
      if (now) {
        if (isChanged(model, now, row)) kept.push({ model, row: now, reason: 'CHANGED' });
      } else if (staying.has(stayingKey(model, key))) kept.push({ model, row, reason: 'REFUSED' });
      else if (others(row).size > 0 || taken.has(key)) kept.push({ model, row, reason: 'NAME_TAKEN' });
      else rows.set(key, row);
    }
  }
}

/** Removes restored rows that refer to a missing object, and restores columns that would refer to one. */
async function leaveOutDangling({ now, next, kept, pause }: Work): Promise<void> {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [model, rows] of next) {
      for (const [key, row] of rows) {
        await pause();
        const before = now.get(model)?.get(key);
        if (before === row) continue;
        const gone = referencesOf(model, row).filter(
          ({ column, model: other, id }) => before?.[column] !== row[column] && !(next.get(other)?.has(id) ?? true),
        );
        if (gone.length === 0) continue;
        isDone = false;
        kept.push({ model, row, reason: 'REFERENCE_GONE' });
        if (before)
          rows.set(key, { ...row, ...Object.fromEntries(gone.map(({ column }) => [column, before[column]])) });
        else rows.delete(key);
      }
    }
  }
}

/** Updates the derived columns of changed rows. A group that would be below itself stays in its place. */
async function deriveColumns({ now, next, kept, pause }: Work): Promise<void> {
  const at = indexIn(next);
  const groups = next.get('Group') ?? new Map<string, Row>();
  for (const [key, row] of groups) {
    await pause();
    const before = now.get('Group')?.get(key);
    if (before === row || !before || withDerived('Group', row, at).path !== undefined) continue;
    groups.set(key, { ...row, parentId: before.parentId });
    kept.push({ model: 'Group', row: before, reason: 'CHANGED', path: ['parentId'] });
  }
  const areGroupsChanged = [...groups].some(([key, row]) => now.get('Group')?.get(key) !== row);
  for (const [model, rows] of next) {
    for (const [key, row] of rows) {
      await pause();
      const follows = now.get(model)?.get(key) !== row || (model === 'Group' && areGroupsChanged);
      if (follows) rows.set(key, withDerived(model, row, at));
    }
  }
}

/** Leaves rows unchanged if others have their former names now. */
async function leaveTakenNames({ now, next, kept, pause }: Work): Promise<void> {
  for (const [model, rows] of next) {
    const changed = [...rows].filter(([key, row]) => now.get(model)?.get(key) !== row);
    if (changed.length === 0) continue;
    const others = await uniqueRows(model, rows, pause);
    for (const [key, row] of changed) {
      await pause();
      const before = now.get(model)?.get(key);
      if (others(row).size < 2) continue;
      kept.push({ model, row: before ?? row, reason: 'NAME_TAKEN' });
      if (before) rows.set(key, before);
      else rows.delete(key);
    }
  }
}

async function deltaBetween({ now, next, pause }: Work): Promise<Delta> {
  const delta = new Map<ModelName, TableDelta>();
  for (const [model, rows] of next) {
    const table: TableDelta = { inserted: [], updated: [], deleted: [] };
    const were = now.get(model) ?? new Map<string, Row>();
    for (const [key, after] of rows) {
      await pause();
      const before = were.get(key);
      if (!before) table.inserted.push(after);
      else if (before !== after) {
        const columns = Object.keys(after).filter((name) => !isSameColumn(before, after, name));
        if (columns.length > 0) table.updated.push({ before, after, columns });
      }
    }
    for (const [key, row] of were) if (!rows.has(key)) table.deleted.push(row);
    if (table.inserted.length + table.updated.length + table.deleted.length > 0) delta.set(model, table);
  }
  return delta;
}

/**
 * Returns the rows that an apply has changed to their former state. Later changes are never overwritten: they stay and
 * are in `kept`. `taken` are IDs of deleted rows that another object has now. `staying` are the parts that must not be
 * reverted in any case.
 */
export async function undone(
  before: RealmRows,
  applied: Delta,
  { taken, staying, pause }: { taken: ReadonlySet<string>; staying: Staying; pause: Pause },
): Promise<Undone> {
  await pause();
  const now = await tablesByKey(before, pause);
  const next: Tables = new Map([...now].map(([model, rows]) => [model, new Map(rows)]));
  const work: Work = { applied, staying, now, next, kept: [], pause };
  const steps = [
    takeChangesBack,
    removeCreated,
    (all: Work) => restoreDeleted(all, taken),
    leaveOutDangling,
    deriveColumns,
    leaveTakenNames,
    // rows that were kept may be referred to by others
    leaveOutDangling,
  ];
  for (const step of steps) {
    await pause();
    await step(work);
  }
  await pause();
  return { delta: await deltaBetween(work), before, after: rowsIn(work.next), kept: work.kept };
}
