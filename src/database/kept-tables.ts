import type { ModelName } from './db.js';

// The tables of this schema beyond the Prisma schema. Triggers maintain them (see the migrations). The compiler reads
// them in place of the rows that they summarize.

/** Numbers of rows by owner. A table may have several rows for one owner, which are added up. */
export interface KeptCount {
  readonly model: ModelName;
  /** the owner, its list of these rows, and the column in which each of them names it */
  readonly owner: ModelName;
  readonly relation: string;
  readonly foreignKey: string;
  readonly table: string;
  /** the columns that are added up for all rows */
  readonly all: readonly string[];
  /** the columns to add up for rows that have NULL in a column */
  readonly whereNull: Readonly<Record<string, readonly string[]>>;
}

export const keptCounts: readonly KeptCount[] = [
  {
    model: 'User',
    owner: 'Realm',
    relation: 'users',
    foreignKey: 'realmId',
    table: 'UserCount',
    all: ['users', 'serviceAccounts'],
    whereNull: { serviceAccountClientId: ['users'] },
  },
];

/** Columns of tables that join two others, each a copy of the column with its name of one side. */
export const copiedColumns: readonly { readonly model: ModelName; readonly column: string; readonly of: ModelName }[] =
  [
    { model: 'UserGroup', column: 'username', of: 'User' },
    { model: 'UserRole', column: 'username', of: 'User' },
  ];

/** An index of SQLite for parts of the texts in a column, by rowid. */
export const trigramIndex = {
  model: 'User' satisfies ModelName,
  column: 'search',
  table: 'UserSearch',
  /** the rows whose text changed since the index was last renewed, in the column `row` */
  queue: { table: 'UserSearchQueue', row: 'user' },
} as const;
