import type { ModelName } from '../../../database/db.js';
import { byModel } from '../../../database/model.js';
import type { Pause } from '../../../database/turns.js';
import type { RealmRows } from '../assemble/draft.js';
import { type Row, rowsByKey, tablesOf } from '../desired/delta.js';
import type { Index } from '../desired/objects.js';

/** The rows of a realm by their models and primary keys. Models are in the order in which rows can be inserted. */
export type Tables = Map<ModelName, Map<string, Row>>;

/** The rows of a realm by their primary keys. Other requests run in between. */
export async function tablesByKey(rows: RealmRows, pause: Pause): Promise<Tables> {
  const tables: Tables = new Map();
  for (const [model, list] of tablesOf(rows)) tables.set(model, await rowsByKey(model, list, pause));
  return tables;
}

/** The rows of a realm as lists. */
export const rowsIn = (tables: Tables): RealmRows =>
  Object.fromEntries([...tables].map(([model, rows]) => [model, [...rows.values()]])) as unknown as RealmRows;

/** Finds rows by their IDs. */
export const indexIn =
  (tables: Tables): Index =>
  (model, id) =>
    tables.get(model)?.get(String(id));

/** A column that refers to a row of another table of the realm. */
interface Reference {
  column: string;
  model: ModelName;
  /** the ID of the other row */
  id: string;
}

const columnsOf = byModel(({ fields }): readonly Pick<Reference, 'column' | 'model'>[] =>
  [...fields.values()].flatMap(({ relation }) =>
    relation?.here ? [{ column: relation.foreignKey, model: relation.model.name }] : [],
  ),
);

/** The references of a row. */
export const referencesOf = (model: ModelName, row: Row): Reference[] =>
  columnsOf(model).flatMap(({ column, model: other }) => {
    const id = row[column];
    return id === null || id === undefined ? [] : [{ column, model: other, id: String(id) }];
  });
