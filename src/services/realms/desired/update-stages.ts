import type { ModelName } from '../../../database/db.js';
import { modelOf } from '../../../database/model.js';
import type { Row } from './delta.js';

/** The columns of a row that change, with its ID. */
export type IdRow = { id: string } & Row;

/** Columns that can refer to rows of the same plan which are inserted later. */
const laterReferences: { [M in ModelName]?: readonly string[] } = {
  Group: ['parentId', 'container'],
  AuthenticationExecution: ['flowId', 'subflowId', 'configId'],
  AuthorizationResource: ['userId', 'ownerId'],
};

interface Surrounding {
  /** the current rows of the model that change or are deleted */
  before: readonly Row[];
  /** the IDs of the inserted rows */
  created: ReadonlySet<unknown>;
}

/** The values of a row in a unique key; undefined if a column is null, which never conflicts. */
const valuesIn = (row: Row, key: readonly string[]): string | undefined =>
  key.some((column) => row[column] === null || row[column] === undefined)
    ? undefined
    : key.map((column) => String(row[column])).join('\u0001');

/**
 * Finds the columns with names that another row has until it changes or is deleted, by the IDs of the rows that get
 * them. This happens when two objects swap names.
 */
function takenNames(model: ModelName, updated: readonly IdRow[], before: readonly Row[]): Map<string, string[]> {
  const taken = new Map<string, string[]>();
  const were = new Map(before.map((row) => [row.id, row]));
  for (const key of modelOf(model).uniqueKeys) {
    if (key.includes('id')) continue;
    const changed = updated.filter((row) => key.some((column) => Object.hasOwn(row, column)));
    if (changed.length === 0) continue;
    const holders = new Map(before.map((row) => [valuesIn(row, key), row.id]));
    for (const row of changed) {
      const values = valuesIn({ ...were.get(row.id), ...row }, key);
      const holder = values === undefined ? undefined : holders.get(values);
      if (holder !== undefined && holder !== row.id)
        taken.set(row.id, [...(taken.get(row.id) ?? []), key.at(-1) ?? '']);
    }
  }
  return taken;
}

/**
 * Divides the updates of a model into updates before rows are deleted and inserted, and updates after that. The latter
 * are references to new rows, and names that other rows have until then.
 */
export function updateStages(
  model: ModelName,
  updated: readonly IdRow[],
  { before, created }: Surrounding,
): { first: IdRow[]; later: IdRow[] } {
  const taken = takenNames(model, updated, before);
  const { fields } = modelOf(model);
  const were = new Map(before.map((row) => [row.id, row]));
  const later: IdRow[] = [];
  const first = updated.map((row) => {
    const { id } = row;
    const references = (laterReferences[model] ?? []).filter((column) => created.has(row[column]));
    const names = taken.get(id) ?? [];
    if (references.length + names.length === 0) return row;
    const whole: Row = { ...were.get(id), ...row };
    later.push({ id, ...Object.fromEntries([...references, ...names].map((column) => [column, whole[column]])) });
    const rest: IdRow = { ...row };
    for (const column of references) delete rest[column];
    // an ID is a name that no other row has
    for (const column of names) rest[column] = fields.get(column)?.required ? id : null;
    // until its new parent exists, the group is a root, so that no deleted parent deletes it by cascade
    return model === 'Group' && references.length > 0 ? { ...rest, parentId: null, container: id } : rest;
  });
  return { first, later };
}
