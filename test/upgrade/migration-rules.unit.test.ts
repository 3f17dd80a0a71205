import { describe, expect, it } from 'vitest';
import { wrongIn } from '../../tools/migration-rules.mjs';

const expand = '20270101000000_notes';
const contract = '20270101000000_contract_notes';
const stepwise = (...lines: string[]) => ['-- without a transaction', ...lines].join('\n');

const allowed: Record<string, string> = {
  'a column that may be null': 'ALTER TABLE "Client" ADD COLUMN "note" TEXT COLLATE "C";',
  'a column with a constant default': 'ALTER TABLE "Client" ADD COLUMN "count" BIGINT NOT NULL DEFAULT 0;',
  'a table with its indexes':
    'CREATE TABLE "Note" ("id" TEXT NOT NULL, CONSTRAINT "Note_pkey" PRIMARY KEY ("id"));\nCREATE UNIQUE INDEX "Note_x" ON "Note"("id");',
  'a foreign key that is not checked yet':
    'ALTER TABLE "Client" ADD CONSTRAINT "c" FOREIGN KEY ("note") REFERENCES "Note"("id") NOT VALID;',
  'its check': stepwise('ALTER TABLE "Client" VALIDATE CONSTRAINT "c";'),
  'an index beside writers': stepwise('CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "Client"("note");'),
  'rows in batches': stepwise(
    '-- in batches',
    `UPDATE "Client" SET "note" = '' WHERE "id" IN (SELECT "id" FROM "Client" WHERE "note" IS NULL LIMIT 1000);`,
  ),
};

const refused: Record<string, [sql: string, by: RegExp]> = {
  'an index in a transaction': ['CREATE INDEX "i" ON "Client"("note");', /concurrent/],
  'an index beside writers in a transaction': [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "Client"("note");',
    /in a transaction/,
  ],
  'a step that cannot be repeated': [stepwise('ALTER TABLE "Client" ADD COLUMN "note" TEXT;'), /cannot be repeated/],
  'a foreign key that is checked at once': [
    'ALTER TABLE "Client" ADD CONSTRAINT "c" FOREIGN KEY ("note") REFERENCES "Note"("id");',
    /not-valid/,
  ],
  'all rows at once': [`UPDATE "Client" SET "note" = '';`, /in batches/],
  'all rows in a step': [stepwise(`DELETE FROM "Client" WHERE "note" IS NULL;`), /in batches/],
  'batches without a limit': [stepwise('-- in batches', `DELETE FROM "Client" WHERE "note" IS NULL;`), /LIMIT/],
};

/** What earlier versions notice. */
const breaking: Record<string, string> = {
  'the loss of a column': 'ALTER TABLE "Client" DROP COLUMN "note";',
  'the loss of a table': 'DROP TABLE "Note";',
  'another name of a column': 'ALTER TABLE "Client" RENAME COLUMN "note" TO "notes";',
  'another name of a table': 'ALTER TABLE "Note" RENAME TO "Notes";',
  'a column that must be given': 'ALTER TABLE "Client" ADD COLUMN "note" TEXT NOT NULL;',
  'another type': 'ALTER TABLE "Client" ALTER COLUMN "note" TYPE BIGINT;',
  'a unique index of older rows': stepwise('CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "Client"("note");'),
};

describe('migrations while the version before serves', () => {
  it.each(Object.entries(allowed))('may add %s', (_, sql) => {
    expect(wrongIn(expand, sql)).toEqual([]);
  });

  it.each(Object.entries(refused))('may not do %s', (_, [sql, by]) => {
    expect(wrongIn(expand, sql).join('\n')).toMatch(by);
    expect(wrongIn(contract, sql).join('\n')).toMatch(by);
  });

  it.each(Object.entries(breaking))('leave %s to those that are named contract_…', (_, sql) => {
    expect(wrongIn(expand, sql).join('\n')).toContain('Only a migration named contract_…');
    expect(wrongIn(contract, sql)).toEqual([]);
  });
});
