import type { ModelName } from '../../../database/db.js';
import { byModel } from '../../../database/model.js';
import type { RealmRows } from '../assemble/draft.js';
import { keyOfRow, type Row, tablesOf } from '../desired/delta.js';
import type { Index } from '../desired/objects.js';

/** The rows of a realm by their models and primary keys. Models are in the order in which rows can be inserted. */
export type Tables = Map<ModelName, Map<string, Row>>;

/** The rows of a table by their primary keys. */
export const rowsByKey = (model: ModelName, rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [keyOfRow(model, row), row]));

/** The rows of a realm by their primary keys. */
export const tablesByKey = (rows: RealmRows): Tables =>
  new Map(tablesOf(rows).map(([model, list]) => [model, rowsByKey(model, list)]));

/** The rows of a realm as lists. */
export const rowsIn = (tables: Tables): RealmRows =>
  Object.fromEntries([...tables].map(([model, rows]) => [model, [...rows.values()]])) as unknown as RealmRows;

/** Finds rows by their ids. */
export const indexIn =
  (tables: Tables): Index =>
  (model, id) =>
    tables.get(model)?.get(String(id));

/** A column that refers to a row of another table of the realm. */
interface Reference {
  column: string;
  model: ModelName;
  /** the id of the other row */
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
