import type { Db } from './db.js';
import { delegateName } from './model.js';

/** The methods of a model that is selected by name at run time. The caller declares the type of its rows. */
export interface Delegate<Row> {
  findMany(args: object): Promise<Row[]>;
  findManyEach(args: { queries: readonly object[] }): Promise<Row[][]>;
  findFirst(args: object): Promise<Row | null>;
  findUnique(args: object): Promise<Row | null>;
  count(args: object): Promise<number>;
  createMany(args: { data: readonly unknown[] }): Promise<unknown>;
}

/** The methods of the model with this name, as in the schema (`UserGroup`) or as in a client (`userGroup`). */
export const delegateOf = <Row = unknown>(db: Db, model: string): Delegate<Row> =>
  // the name decides about the type of the rows, which only the caller can know
  (db as unknown as Record<string, Delegate<Row>>)[delegateName(model)] as Delegate<Row>;
