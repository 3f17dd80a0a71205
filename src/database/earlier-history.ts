// Databases from before the first release have many small migrations instead of `init`; both lead to the same schema.
// Delete this file when no such database is left to upgrade, at the latest with version 1.0.
import { createHash } from 'node:crypto';
import type { Dialect } from './db.js';
import { type AppliedMigration, type Migration, replacedBy } from './migrations.js';
import { DatabaseUnusable } from './unusable.js';

/** The migration that replaces the earlier ones. */
const init = '20261127160000_init';
/** The last revision in git that has the earlier migrations. */
const lastRevision = '03cbda19';

/** The earlier migrations: how many there are, and the SHA-256 of a line `name checksum` for each, in their order. */
const complete: Record<Dialect, { readonly count: number; readonly digest: string }> = {
  sqlite: { count: 30, digest: '8b47164c0d958bbdac4f48e887515f665fde2d13d923f7149c496c431d7170e6' },
  postgresql: { count: 32, digest: '0272702587808aa12c98ebad6477c40fbb63f266754a9810df6624b420bc8c54' },
};

interface History {
  readonly applied: readonly AppliedMigration[];
  /** the migration that replaces the earlier ones in the record, if the database has them */
  readonly replacement?: Migration;
}

/**
 * The history of a database, with `init` instead of the earlier migrations. Throws DatabaseUnusable if the database has only some
 * of them, or others.
 */
export function currentHistory(
  dialect: Dialect,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): History {
  const replacement = migrations.find(({ name }) => name === init);
  const earlier = applied.filter(isEarlier);
  if (replacement === undefined || earlier.length === 0) return { applied };
  const { count, digest } = complete[dialect];
  if (digestOf(earlier) !== digest) {
    throw new DatabaseUnusable(
      earlier.length < count
        ? `The database has ${earlier.length} of the ${count} migrations from before the first release. Start revision ${lastRevision} of Realmgate once, which applies the others, and then this version.`
        : `The database has other migrations than revision ${lastRevision} of Realmgate, the last one before the first release, so this version cannot upgrade it.`,
    );
  }
  const { name, checksum } = replacement;
  const others = applied.filter((row) => !isEarlier(row));
  return { applied: [...others, { migration_name: name, checksum }], replacement };
}

const isEarlier = ({ migration_name: name }: AppliedMigration): boolean => name < init;

function digestOf(applied: readonly AppliedMigration[]): string {
  const lines = applied.map(({ migration_name: name, checksum }) => `${name} ${checksum}\n`);
  return createHash('sha256').update(lines.sort().join('')).digest('hex');
}

/**
 * Marks the rows of the earlier migrations as replaced. They are not deleted: the version before looks for them when it is
 * started again during a rolling upgrade.
 */
export const markEarlier = `UPDATE "_prisma_migrations" SET "logs" = '${replacedBy}${init}' WHERE "migration_name" < '${init}'`;
